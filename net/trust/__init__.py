"""Identities, names, known peers, a person's store, proofs of links, and the guard against our own faults."""
