"""libzmq and the gate before it, ZRE messages. See docs/protocols/links.md, "Connections"."""
