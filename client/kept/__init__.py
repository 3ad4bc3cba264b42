"""Local games that are kept by themselves, in the home: those that go on, and the last ones that ended."""
