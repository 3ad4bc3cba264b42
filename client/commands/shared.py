"""Arguments that many commands take, and the choice of a face: the screen, else plain lines."""

import argparse
from typing import TYPE_CHECKING

from quadrille.client.settings import has_screen
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.client.kept.own_tables import OwnTables
    from quadrille.client.table.game_setup import GameSetup
    from quadrille.client.table.wishes import PlaceWish


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


def check_forms(settings: argparse.Namespace, source: str | None) -> None:
    """Refuse a file for the page that is of no use, before the work."""
    from quadrille.client.picture.records import check_output  # imported here: most commands write no file

    if settings.output is not None and not settings.html:
        raise RulesError("--output is for the page: add --html")
    check_output(settings.output, source)


def add_people(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--names", metavar="A,B", help="several people at this keyboard, each with a seat: the first is you"
    )


def others_of(settings: argparse.Namespace) -> tuple[str, ...]:
    """Return the names of the people who play at this keyboard besides its owner, whose name is the first."""
    if not settings.names:
        return ()
    from quadrille.client.table_setup import people_names

    own, *others = people_names(settings.names, ("",) * (settings.names.count(",") + 1))
    if not all((own, *others)):
        raise RulesError("each of the people at this keyboard needs a name: --names Ann,Ben")
    if settings.name is not None and settings.name != own:
        raise RulesError(f"you are {quoted(own)} by --names, and {quoted(settings.name)} by --name: leave one out")
    settings.name = own
    return tuple(others)


def spend(settings: argparse.Namespace, wish: "PlaceWish") -> int:
    """Go to the wished place on the network, and return when the person leaves."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import start

        return start.spend(settings, wish)
    from quadrille.client.plain import network

    return network.spend(settings, wish)


def go_on(settings: argparse.Namespace, setup: "GameSetup", tables: "OwnTables | None" = None) -> int:
    """Play a game at this terminal, a stored one with the tables that have taken it; return when the person leaves."""
    if has_screen(plain=settings.plain):
        from quadrille.client.screen import start

        return start.go_on(setup, settings.isolate, settings.home, tables)
    from quadrille.client.plain.own_table import play

    play(setup, settings.isolate, settings.home, tables)
    return 0
