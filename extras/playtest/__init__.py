"""The playtest of a game: bots play it against themselves, and a page tells what a designer wants to know."""
