"""`quadrille ladder`: the ladders, the placement of a bot on them, and the games that it lost there."""
