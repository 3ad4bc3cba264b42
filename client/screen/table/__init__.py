"""A table on the screen: its model, its drawing, and its input."""
