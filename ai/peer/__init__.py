"""A bot as a peer among peers, and a bot whose owner runs it elsewhere."""
