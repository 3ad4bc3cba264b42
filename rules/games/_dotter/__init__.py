"""Parts of Dotter: moves and steps."""
