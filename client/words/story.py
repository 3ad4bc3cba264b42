"""Sentences for what matters about moves (rules/core/talk.py), and for what decided a game."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from quadrille.rules.core import Over
    from quadrille.rules.core.talk import Consequence
    from quadrille.rules.match import Match


class Reader(str):
    """Mark the name of the person at the screen: all other names are plain strings."""

    __slots__ = ()


#: The person at the screen, among names.
YOU: Final = Reader("you")
#: A player as the rules name one, perhaps with a noun or a verb.
_PLAYER: Final = re.compile(r"(?:\b(\w+) of )?\b[Pp]layer ([1-9][0-9]?)\b(, who has\b| (?:has|is)\b)?")
#: Verbs about the reader.
YOUR_VERBS: Final = {" has": " have", " is": " are", " does": " do", " was": " were", " passes": " pass"}
#: A word, which takes a capital at the start of a sentence.
_WORD: Final = re.compile(r"(a|[^\W\d_][^\W\d_'’-]+)([ ,:;.?]|$)")
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def few(words: Sequence[str]) -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    if len(words) == 1:
        return words[0]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words else [])


def kinds_text(players: Iterable[tuple[str, str]]) -> str:
    """Tell the kinds of bots, and who is a guest: `Ben and Dan: level 2. Cleo: guest`; or `Bots: level 2` for all."""
    by_kind: dict[str, list[str]] = {}
    for name, kind in players:
        if kind:
            by_kind.setdefault(kind, []).append(name)
    are_bots = len(by_kind) == 1 and "guest" not in by_kind
    return ". ".join(f"{'Bots' if are_bots and names[1:] else few(names)}: {kind}" for kind, names in by_kind.items())


def consequence_text(consequence: "Consequence", called: Callable[[int], str]) -> str:
    """Tell a consequence by the name of each seat: `Ben scores 3 from your row: 3, 3, Q, a pair of threes, halved`."""
    name = called(consequence.seat)
    return f"{name} {_predicate(consequence, called, third=name != YOU)}"


def move_text(
    mover: int, move: str, faces: Sequence[str], found: "Iterable[Consequence]", called: Callable[[int], str]
) -> str:
    """Tell a move, the cards that it turned up, and its story: `draw = 4H 9S; scores 4 for 2 connections`."""
    turned = f" = {' '.join(faces)}" if faces else ""
    return f"{move}{turned}" + "".join(
        f"; {_predicate(one, called, third=True) if one.seat == mover else consequence_text(one, called)}"
        for one in found
    )


def story_since(match: "Match", start: int, called: Callable[[int], str]) -> str:
    """Tell the effects of the entries from `start` on."""
    consequences = [consequence for number in range(start, match.length) for consequence in match.story(number)]
    return " ".join(sentence(consequence_text(consequence, called)) for consequence in consequences)


def _predicate(consequence: "Consequence", called: Callable[[int], str], *, third: bool) -> str:
    rest = consequence.rest
    if consequence.other is not None:
        name = called(consequence.other)
        rest = rest.replace("{whose}", "your" if name == YOU else f"{name}'s")
    return f"{consequence.verb}{'s' if third else ''} {rest}"


def verdict(match: "Match", over: "Over", called: Callable[[int], str], own: int | None = None) -> str:
    """Name the winner, the margin, and the place of the seat `own`: `You win by 8 to 7 claimed squares.`"""
    first = over.winners
    level, by = _by(match, over, first[0]) if len(first) == 1 else ("", "")
    text = f"{level}{first_place([called(seat) for seat in first])}{by}"
    if own is not None and own not in first and len(over.places) > 2:
        text += f"; you come {ordinal(over.places[own])}"
    return sentence(text)


def first_place(names: Sequence[str]) -> str:
    """Name those who come first: `Ann wins`, `you and Ben share the first place`."""
    if len(names) != 1:
        return f"{few(names)} share the first place"
    return f"{names[0]} {'win' if names[0] == YOU else 'wins'}"


def by_name(text: str, called: Callable[[int], str]) -> str:
    """Put names in place of players' numbers in a text of the rules, such as the reason of an end.

    A number without a seat stays: somebody may have typed it.
    """

    def named(name_match: re.Match[str]) -> str:
        thing, verb = name_match[1], name_match[3] or ""
        try:
            name = called(int(name_match[2]) - 1)
        except LookupError:
            return name_match[0]
        if name != YOU:
            return f"{f'{thing} of ' if thing else ''}{name}{verb}"
        if not thing:
            return f"{name}{YOUR_VERBS.get(verb, verb)}"
        return f"{thing} of yours: you have" if verb.startswith(",") else f"your {thing}{verb}"

    return _PLAYER.sub(named, text)


def gone(name: str, how: str) -> str:
    """Say that somebody has left a game: `Ben has resigned`, `you have resigned`."""
    from quadrille.rules.match import WAYS_OUT  # imported here, as below: a first screen tells no game

    return f"{name} {WAYS_OUT[how].replace('has ', 'have ', 1) if name == YOU else WAYS_OUT[how]}"


def ordinal(place: int) -> str:
    """Return `2nd` for 2."""
    return f"{place}{_ENDINGS.get(place if not 10 < place < 20 else 0, 'th')}"


def _by(match: "Match", over: "Over", winner: int) -> tuple[str, str]:
    """Return what to say before and after the winner's name.

    After it comes the margin over the next seat, ` by 8 to 7 claimed squares`, "" if the game does not say. Where the
    margin is no number, before it comes what is level: `claimed squares 5:5: `.
    """
    from quadrille.rules.core.talk import margin
    from quadrille.rules.match import Adjudicated, Agreed

    state = match.state
    if match.entries and isinstance(match.entries[-1], Agreed | Adjudicated):
        return "", ""
    others = [seat for seat, place in enumerate(over.places) if place == 2 and not state.board.left[seat]]
    lead = margin(state.criteria(winner), state.criteria(others[0])) if others else None
    if lead is None or lead.is_count:
        return "", f" by {lead.ahead} to {lead.behind} {lead.name}" if lead else ""
    level = takewhile(lambda criterion: criterion.is_count, state.criteria(winner))
    return (
        f"{', '.join(f'{criterion.name} {criterion.value}:{criterion.value}' for criterion in level)}: ",
        f" by {lead.name}",
    )


def sentence(text: str) -> str:
    """Make a sentence of a text; a move or a file name at its start keeps its letters."""
    return stopped(f"{text[:1].upper()}{text[1:]}" if _WORD.match(text) else text)


def stopped(text: str) -> str:
    """End a text with a full stop, so that another sentence can follow; a list needs none."""
    return text if text.endswith((".", "!", "?")) or "\n" in text else f"{text}."
