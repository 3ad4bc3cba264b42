"""Windows of a board, and the sums of what was learned about their contents."""
