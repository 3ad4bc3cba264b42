"""The games, a folder each. The registry lists this folder."""
