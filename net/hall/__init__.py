"""The hall: many peers, few links, and signed postings that every peer passes on. See docs/protocols/hall.md."""
