"""A table on the screen: its model, how it is drawn, and how a person touches it."""
