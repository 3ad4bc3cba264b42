"""Pictures of positions and pages of games."""
