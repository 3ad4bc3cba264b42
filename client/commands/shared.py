"""Arguments that many commands take, and the choice of a face: the screen, else plain lines."""

import argparse
from typing import TYPE_CHECKING

from quadrille.client.settings import has_screen
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.table.local import LocalTable
    from quadrille.client.table.wishes import PlaceWish
    from quadrille.net.core.home import Lock


def add_home(parser: argparse.ArgumentParser, what: str = "") -> None:
    parser.add_argument("--home", metavar="FOLDER", help=f"the home folder{what}, instead of QUADRILLE_HOME")


def add_plain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="line after line, for pipes and screen readers")


def add_forms(parser: argparse.ArgumentParser, data: str, page: str) -> None:
    """Add the forms besides text, and the file of the page."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help=f"as data{data}")
    forms.add_argument("--html", action="store_true", help=f"as a page for a browser, {page}")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file for the page; an existing one is overwritten")


def check_forms(settings: argparse.Namespace) -> None:
    if settings.output is not None and not settings.html:
        raise RulesError("--output is for the page: add --html")


def spend(settings: argparse.Namespace, wish: "PlaceWish") -> int:
    """Go to the wished place on the network, and return when the person leaves."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import start

        return start.spend(settings, wish)
    from quadrille.client.plain import network_evening

    return network_evening.spend(settings, wish)


def go_on(settings: argparse.Namespace, own: "LocalTable", number: str = "", lock: "Lock | None" = None) -> int:
    """Play a game at this terminal, a saved one with its number and lock, and return when the person leaves."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import start

        return start.go_on(own, settings.isolate, settings.home, number, lock)
    from quadrille.client.kept.writer import GameWriter
    from quadrille.client.plain.table import play

    writer = GameWriter(settings.home)
    if lock is not None:
        writer.goes_on(number, lock)
    play(own, settings.isolate, writer)
    return 0
