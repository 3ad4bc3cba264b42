"""One program on the network: the node, the lobby and the store joined."""
