"""Keys of positions, and of their images."""
