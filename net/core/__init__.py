"""Shared basics of the network floor: errors, hashes, shapes of foreign values, the machine protocol."""
