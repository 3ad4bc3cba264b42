"""The lines between a table and a bot: machines and values without processes."""
