"""The shell of the network: sockets, beacons, calls, the node."""
