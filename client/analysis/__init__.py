"""The worth of each move of a match, and the course of the game that follows from it. No sentence and no file."""
