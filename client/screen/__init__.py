"""The full-screen client: a frozen model, `update`, `draw`, and one thin module for the terminal (app.py)."""
