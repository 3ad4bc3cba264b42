"""The face of an evening on the network: the screen where there is one, else plain lines."""

import argparse

from quadrille.client.settings import has_screen
from quadrille.client.table.network.wishes import PlaceWish


def spend(settings: argparse.Namespace, wish: PlaceWish) -> int:
    """Go to the wished place, and stay until the person goes."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import evening_stage

        return evening_stage.spend(settings, wish)
    from quadrille.client.plain import network_evening

    return network_evening.spend(settings, wish)
