"""Chooses the face of a session on the network: the screen if there is one, else plain lines."""

import argparse

from quadrille.client.settings import has_screen
from quadrille.client.table.network.wishes import PlaceWish


def spend(settings: argparse.Namespace, wish: PlaceWish) -> int:
    """Go to the wished place, and return when the person leaves."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import evening_stage

        return evening_stage.spend(settings, wish)
    from quadrille.client.plain import network_evening

    return network_evening.spend(settings, wish)
