"""Plans of tournaments: as values, as files, and how its games begin."""
