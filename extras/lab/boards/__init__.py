"""What a seat sees of each game as planes of numbers: an observer for each board."""
