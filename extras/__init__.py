"""What plugs into the core: a folder each, with its tests and README.md, which can be deleted (ARCHITECTURE.md)."""
