"""The deck that nobody deals: the group its cards live in, proofs about them, and the machine that keeps them."""
