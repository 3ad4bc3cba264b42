"""Keys of images: no two sets of squares with the same key but by chance."""

from quadrille.rules.arrays import array
from quadrille.rules.patterns.image_keys import image_keys


def rank(numbers: list[int]) -> int:
    """The number of bits that sums without carry of these numbers fill."""
    basis: dict[int, int] = {}
    for number in numbers:
        while number and number.bit_length() in basis:
            number ^= basis[number.bit_length()]
        if number:
            basis[number.bit_length()] = number
    return len(basis)


def test_the_numbers_of_squares_fill_all_62_bits() -> None:
    """They were words of `Dice` once, sums of 32 bits: 10 million positions of Maze 8 shared some 10,000 keys, and its
    certificate was refused.
    """
    places = array(range(400))
    keys = image_keys(1, [places], [array([0])])
    numbers = [int(number) for number in keys.table]
    assert all(0 < number < 1 << 62 for number in numbers) and len(set(numbers)) == 400
    assert rank(numbers) == rank(numbers[:70]) == 62
    assert all(rank(numbers[at : at + 50]) >= 49 for at in range(0, 350, 10))
