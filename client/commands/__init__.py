"""The commands of `quadrille`, one a module: `arguments` says what it takes, `run` does it and gives the exit code."""
