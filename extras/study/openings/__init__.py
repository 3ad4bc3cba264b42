"""The first moves of many games, with what is proven about them."""
