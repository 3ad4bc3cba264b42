"""The games, a module each. The registry lists this folder."""
