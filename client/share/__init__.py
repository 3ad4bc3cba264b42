"""`quadrille share`: the program itself for the neighbours of this machine, without the internet."""
