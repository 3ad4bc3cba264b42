"""The lobby and tables on the network, full screen: pure, in this process with two stations, and as programs."""
