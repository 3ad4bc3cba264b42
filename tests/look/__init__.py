"""A sheet of pictures of all screens, to be looked at: python -m tests.look."""
