"""Who is there and which tables are offered, known without a link to each. See docs/protocols/hall.md."""
