"""A person's presence on the network: the station, and the bots and guests that come along, joined for every face."""
