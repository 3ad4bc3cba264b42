"""The live page of a tournament: its report, served by a separate program while games are played."""
