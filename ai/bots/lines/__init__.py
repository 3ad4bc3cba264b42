"""The lines between a table and a bot: machines and values that know no process."""
