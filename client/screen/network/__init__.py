"""A screen on the network: the task that has the station, and its messages to the screen."""
