"""ZeroMQ's wire: ZMTP 3 with NULL and CURVE, ZRE messages, connections. See docs/protocols/links.md, "Connections"."""
