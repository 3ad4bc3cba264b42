"""The deck that nobody deals: the group of its cards, proofs about them, and the machine that keeps them."""
