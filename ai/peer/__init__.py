"""A bot as a peer, and a bot that its owner lends to remote runners."""
