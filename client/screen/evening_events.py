"""Events from the shell of an evening to its model, beside keys and the news of the network."""

from typing import Any

from quadrille.client.lobby_rows import PluggedFront
from quadrille.client.table.local import LocalTable
from quadrille.client.value import value
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


@value
class Dealt:
    """A local table, ready: the bot of each seat ("" for a person), its clock, and the names of people."""

    match: Match
    bots: tuple[str, ...]
    clock: TimeControl | None = None
    names: tuple[str, ...] = ()


@value
class Continued:
    """A local table that was left, ready again."""

    own: LocalTable


@value
class Noted:
    """How far the shell of a plugged command is."""

    text: str


@value
class FrontOpened:
    """The front of a plugged command; `ready` says so to a person who is busy with something else."""

    front: PluggedFront
    ready: str


@value
class Brought:
    """An event for the plugged front from its shell; of no use once the front is left."""

    event: Any


@value
class PageLine:
    """One more line for the open page with that title."""

    title: str
    line: str
