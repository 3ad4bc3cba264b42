"""Drawing for all screens: signs, colours, prose and the parts of a scene. Nothing here knows a table."""
