"""A local table, decided once for all faces: values and pure functions."""
