"""The figures of the board of Barons."""
