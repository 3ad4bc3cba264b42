"""ZeroMQ's wire: ZMTP 3 with NULL and CURVE, ZRE messages, connections. See protocols.md, "Connections"."""
