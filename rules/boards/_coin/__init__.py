"""Parts of the board of Coin Isolation."""
