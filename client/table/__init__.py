"""A table that is this program's alone, decided once for all faces: values and pure functions."""
