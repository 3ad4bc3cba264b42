"""The value classes of the client: see package/value.py."""

from quadrille.value import value as value
