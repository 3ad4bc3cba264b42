"""A person's part on the network as values and machines: a table with its proposals, and what comes before a table."""
