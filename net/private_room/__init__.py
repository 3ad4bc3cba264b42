"""Private rooms: a passphrase, and how two peers prove that they know it. See docs/protocols/rooms.md."""
