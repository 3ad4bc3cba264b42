"""A screen on the network: the thread that holds the station, and what it tells the screen."""
