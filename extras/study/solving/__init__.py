"""The run of `quadrille solve`: proofs, what more of them would take, and certificates."""
