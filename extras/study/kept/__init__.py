"""What lessons and puzzles keep in the home."""
