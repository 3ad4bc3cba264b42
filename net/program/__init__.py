"""One program on the network: all rooms joined, and what it keeps."""
