"""Keys of positions: numbers mixed into 62 bits, one after the other."""

from typing import Final

from quadrille.rules.ints import i64, vec

MIXER: Final = 0x9E3779B1
MASK: Final = 0xFFFFFFFF


def mixed(key: i64, number: i64) -> i64:
    """Mix another number into a key of 62 bits: two rows of 31 bits, each stirred on its own."""
    low = ((key ^ number) * MIXER) & MASK
    high = ((key >> 31) * 31 + number + 7) & MASK
    low ^= low >> 15
    high = (high ^ (high >> 13)) * 0x85EBCA6B & MASK
    return (high >> 1) << 31 | low >> 1


def mixed_all(key: i64, numbers: vec[i64]) -> i64:
    for number in numbers:
        key = mixed(key, number)
    return key
