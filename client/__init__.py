"""The user interface: commands, screens, pictures, reports."""
