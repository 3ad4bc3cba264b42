"""Sockets, beacons, calls, and the node that drives them."""
