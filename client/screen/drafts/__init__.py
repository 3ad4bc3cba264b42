"""Half-made moves: a line at the prompt, read in a position."""
