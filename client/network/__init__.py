"""A program on the network: its options, station, name and passphrases, and what it finds there."""
