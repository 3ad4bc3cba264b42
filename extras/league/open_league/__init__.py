"""The open league: whoever serves a bot in a room plays, for as long as it is there. See docs/open-league.md."""
