"""What a screen is drawn with: signs, colours, prose and the pieces of a scene; no table."""
