"""A screen on the network: the thread that owns the station, and its messages to the screen."""
