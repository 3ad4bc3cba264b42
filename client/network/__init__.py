"""A program on the network: its options, its station, its name and its passphrases."""
