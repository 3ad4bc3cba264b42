"""For programs that learn: batches of games, networks as judges, learned weights and level 6."""
