"""Statistics of results: ratings, errors, verdicts, tables."""
