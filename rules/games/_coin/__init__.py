"""Parts of Coin Isolation: moves, their list, steps, half-made moves, refusals."""
