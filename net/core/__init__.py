"""What every room of the network uses: errors, hashes, shapes of foreign values, the shape of a machine."""
