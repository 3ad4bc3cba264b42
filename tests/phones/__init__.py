"""The page of the phone seat, in a real browser."""
