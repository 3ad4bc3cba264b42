"""The lobby, the dialog for a new table, and the waiting room."""
