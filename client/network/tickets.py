"""Tickets, by which people far away sit down: what a package plugs in that makes and reads them.

A row of the group `quadrille.commands` (client/commands/__init__.py) may name a module with the functions of
`TicketOffice`. Without such a module no command has options for tickets. This module imports nothing of net/, so that
`--help` comes at once.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from quadrille.plugs import COMMANDS, beside
from quadrille.rules.errors import RulesError
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.net.link.overlay import FarRoom

#: The word instead of a ticket: it comes by standard input.
FROM_INPUT: Final = "-"
#: A line with this many words is hardly the name of a table.
_MANY_WORDS: Final = 8


@value
class TicketWay:
    """A ticket and its far room. `words` is what another program of this person gets by its standard input, `command`
    the line by which others sit down. `way` says to the host how they come.
    """

    far: "FarRoom"
    words: str = field(repr=False)
    command: str = field(repr=False)
    way: str = field(repr=False)


class TicketOffice(Protocol):
    """A module that makes and reads tickets. It is imported with the command line, so it should import little."""

    def add_arguments(self, group: "argparse._ArgumentGroup", *, makes: bool, returns: bool) -> None:
        """Add `--ticket`, which takes a ticket, or - for one by standard input; of a command that `makes` a new ticket
        it takes nothing. By one that `returns` also a host comes back to its table.
        """

    def add_examined(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of `quadrille doctor`."""

    def findings(self, settings: argparse.Namespace) -> Iterator[tuple[str, bool]]:
        """Examine what these options name; return sentences, each with whether all is fine."""

    def is_ticket(self, words: Sequence[str]) -> bool:
        """Return whether these words are meant as a ticket, be they right or wrong."""

    def ticket_of(self, settings: argparse.Namespace) -> TicketWay | None:
        """Return the ticket of a command line. A ticket is a room of its own, so it refuses `--room`."""

    def kept_ticket(self, text: str) -> TicketWay:
        """Return the ticket whose far room has this text."""


@cache
def offices() -> tuple[TicketOffice, ...]:
    """Return the offices that packages plug in."""
    return beside(COMMANDS, lambda row: getattr(row, "tickets", ""))


def is_ticket(words: Sequence[str]) -> bool:
    """Return whether these words are meant as a ticket. A RulesError if so, and nothing here reads tickets."""
    if not offices() and "-".join(words).count("-") >= _MANY_WORDS:
        raise RulesError(f"these look like the words of a ticket, and {_NOBODY}")
    return any(office.is_ticket(words) for office in offices())


def ticket_of(settings: argparse.Namespace) -> TicketWay | None:
    """Return the ticket of a command line, or of the game that is resumed."""
    ticket = next(filter(None, (office.ticket_of(settings) for office in offices())), None)
    kept: str | None = getattr(settings, "kept_ticket", None)
    if ticket is not None or kept is None:
        return ticket
    if not offices():
        raise RulesError(f"this game began with a ticket, and {_NOBODY}")
    return offices()[0].kept_ticket(kept)


_NOBODY: Final = "no package that is installed here reads tickets: install all of Quadrille (its extra is called far)"
