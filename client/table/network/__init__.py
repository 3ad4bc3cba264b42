"""A person's part on the network as values and machines: the search for a table, the waiting room, the table."""
