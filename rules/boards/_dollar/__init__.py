"""Parts of the board of Dollar Draw."""
