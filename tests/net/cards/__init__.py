"""The ground of the deck that nobody deals."""
