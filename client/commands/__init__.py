"""The commands of `quadrille`, each a module: `arguments` declares its options, `run` returns the exit code."""
