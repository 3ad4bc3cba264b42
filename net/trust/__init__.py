"""Whose is what: identities, names and peers known, the store of a person, proofs, and the guard against own faults."""
