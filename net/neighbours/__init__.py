"""Who is on the network, and whose a link is. No socket. See protocols.md, "Discovery"."""
