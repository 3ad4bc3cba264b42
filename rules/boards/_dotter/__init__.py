"""Parts of the board of Dotter."""
