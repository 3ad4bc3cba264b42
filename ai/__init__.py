"""Who plays: programs at the table, and the rules as a service for programs in any language."""
