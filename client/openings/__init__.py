"""The first moves of many games: how often each was played, with what results, and what is proven about it."""
