"""Algorithms on any board, by the million: playouts, trees, counts. For people: quadrille.rules.search."""
