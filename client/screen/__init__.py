"""The full-screen client: a frozen model, `update`, `draw`, and one thin file that knows the terminal (app.py)."""
