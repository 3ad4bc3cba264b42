"""Plans of tournaments: as values, as files, and their openings."""
