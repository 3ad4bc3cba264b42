"""The display of names that peers claim. See foreign.py for all other foreign text."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from quadrille.ai.house import KINDS
from quadrille.client.bots.names import called, kind_of
from quadrille.client.foreign import isolated, shown
from quadrille.client.words.story import YOU
from quadrille.net.entries.bodies import MotionBody
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import Chair
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import NAMELESS, are_alike, plain_name
from quadrille.rules.squares import is_line

#: A bot's name on the network: its own name, its kind, and its owner.
_OWNED: Final = re.compile(rf"(.+) \(((?:level [1-9]|(?:{'|'.join(KINDS)})(?: [1-5])?|[a-z0-9_-]+@[a-z0-9-]+) of .+)\)")

#: Maximum characters of the bot's part of its name on the network, and of the name without its number.
_LONGEST: Final = 20
_LONGEST_OWNED: Final = 35


@lru_cache(maxsize=1024)
def shown_name(name: str, key: bytes) -> str:
    """Return a claimed name (net/trust/names.py), with the key's fingerprint if it is invisible or looks like `you`.
    Only files can contain unprintable characters (net/entries/wire.py), which are spelled out.
    """
    if not is_line(name):
        return shown(name)
    plain = plain_name(name)
    told = isolated(plain)
    return f"{told} ({fingerprint(key)})" if plain == NAMELESS or are_alike(plain, YOU) else told


@lru_cache(maxsize=256)
def short_names(names: tuple[str, ...], keys: tuple[bytes, ...] = (), beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of all at a table for sentences: a bot without its level and owner (`Ada`), and a guest without
    what stands `beside` the name (`at Ann's`), unless another there has that name too. Whole names that look alike get
    fingerprints of known `keys`.
    """
    short = [parts(name)[0] for name in names]
    briefs = [f"{name}, {beside[seat]}" if beside and beside[seat] else name for seat, name in enumerate(names)]
    whole = tuple(briefs)
    for seat, (name, brief) in enumerate(zip(whole, short, strict=True)):
        others = (*whole[:seat], *whole[seat + 1 :])
        if not any(are_alike(brief, other) for other in (*others, *short[:seat], *short[seat + 1 :], YOU)):
            briefs[seat] = brief
        elif keys and keys[seat] and any(are_alike(name, other) for other in others):
            briefs[seat] = f"{name} ({fingerprint(keys[seat])})"
    return tuple(briefs)


def sits_at(chair: Chair) -> str:
    """Say where somebody sits who plays at another's program; "" for everybody else."""
    return f"at {shown_name(chair.at, chair.key)}'s" if chair.at else ""


def chair_names(chairs: Iterable[Chair]) -> tuple[str, ...]:
    """Return distinct names of those who sat down."""
    seated = tuple(chairs)
    names = tuple(shown_name(chair.name, chair.key) for chair in seated)
    return short_names(names, tuple(chair.key for chair in seated), tuple(map(sits_at, seated)))


def is_own(chair: Chair, key: bytes) -> bool:
    """Tell whether a chair is that of the peer itself, and not of one of its guests or bots."""
    return chair.key == key and not chair.at


def stand_in_at(log: Log, standing: Standing, seat: int) -> Chair:
    """Return who plays a lent seat as a chair: the bot that was named when the others chose it, at its peer's."""
    key, chosen = standing.keys[seat], (entry.body for entry in log.entries if entry.before == standing.lent[seat])
    name = next((body.motion.name for body in chosen if isinstance(body, MotionBody)), "")
    at = next((chair.at or chair.name for chair in standing.chairs if chair.key == key), "")
    return Chair(key, name, "bot", at)


def network_name(own: str, bot: str, owner: str) -> str:
    """Return the name of a bot for other peers: with its kind and as much of the owner's name as fits, `Ada (level 2 of
    Ann)`, because each of two people may bring an Ada; or, if it is not built in, without a name of its `own`.
    """
    if not (kind := kind_of(bot)):
        name = f"{plain_name(called(bot))[:_LONGEST].strip()} of {owner}"
        return plain_name(name)[:_LONGEST_OWNED].strip()
    names = (f"{own} ({kind} of {owner[:most].strip()})" for most in range(len(owner), 0, -1))
    return next(name for name in map(plain_name, names) if name.endswith(")"))


@lru_cache(maxsize=1024)
def parts(name: str) -> tuple[str, str]:
    """Split the name of a bot on the network into its own name and its kind: `Ada` and `level 2 of Ann`."""
    owned = _OWNED.fullmatch(name)
    return (owned[1], owned[2]) if owned else (name, "")
