"""Arbiters: what a person is told of the key that the terms of a table name, and which of them a person accepted.

An arbiter takes any seat whose turn it is out of the game. So nobody sits down under one unless it was named with
`--arbiter KEY`, or accepted in a dialog that shows its fingerprint. Specification: protocols.md, "Terms".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quadrille.net.identity import fingerprint
from quadrille.net.terms import Chair, Terms
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.conversation import Parlour


def warning(parlour: "Parlour", terms: Terms, host: bytes, chairs: Sequence[Chair]) -> str:
    """Who may forfeit a seat at this table, in a sentence without its end; "" where nobody may."""
    key = terms.arbiter
    if key is None:
        return ""
    digits = fingerprint(key)
    if key == parlour.lobby.identity.key:
        return f"You are the arbiter here ({digits}), and may forfeit any seat on its turn"
    if key == host:
        return f"The host itself may forfeit you: its key ({digits}) is the arbiter's"
    if sitting := [chair for chair in chairs if chair.key == key]:
        name = parlour.called(key, sitting[0].name)
        return f"{name}, who sits here, may forfeit you: its key ({digits}) is the arbiter's"
    peer = parlour.lobby.peers.get(key)
    name = parlour.called(key, peer.name) if peer else parlour.nickname(key) or ""
    return f"An arbiter, {f'{name} ({digits})' if name else digits}, may forfeit you here"


def is_accepted(parlour: "Parlour", terms: Terms) -> bool:
    """Whether this person was told of the arbiter of these terms; true where there is none."""
    return terms.arbiter is None or terms.arbiter in (*parlour.arbiters, parlour.lobby.identity.key)


def check(parlour: "Parlour", terms: Terms, host: bytes, chairs: Sequence[Chair]) -> None:
    """Refuse an arbiter that this person was not told of."""
    if not is_accepted(parlour, terms):
        assert terms.arbiter is not None
        raise RulesError(
            f"{warning(parlour, terms, host, chairs)}. Nobody has told you of it, so you do not sit down. "
            f"Whoever trusts it starts with --arbiter {terms.arbiter.hex()}"
        )
