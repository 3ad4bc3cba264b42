"""Sentences for the thoughts of bots (rules/core/thoughts.py), when a game is over and never before."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from quadrille.client.foreign import isolated, shown
from quadrille.client.words.story import sentence
from quadrille.rules.core.thoughts import DroppedField, Thought, Thoughts
from quadrille.rules.match import Match, Played
from quadrille.rules.squares import quoted

#: Maximum moves of a bot's course at a table in lines: the last ones.
MOST_VALUES: Final = 12


def chances(value: float) -> str:
    """Format the chances that a bot of two gives itself, from its value between -1 and 1."""
    percent = round(50 + 50 * value)
    return {0: "none", 100: "sure"}.get(percent, f"{percent} %")


def thought_text(thought: Thought, seats: int, *, marks: bool = True) -> str:
    """Return `chances 67 %, depth 12; c4 !, d5 ?; the corner is lost`; without `marks` where the board shows them."""
    counted = [f"chances {chances(thought.value)}"] if thought.value is not None and seats == 2 else []
    counted += [f"depth {thought.depth}"] if thought.depth is not None else []
    signs = ", ".join(f"{square} {sign}" for square, sign in thought.marks) if marks else ""
    return "; ".join(filter(None, (", ".join(counted), signs, shown(thought.note))))


def opening_text(moves: int) -> str:
    return "The first move is the opening." if moves == 1 else f"The first {moves} moves are the opening."


def remark_text(remark: DroppedField, name: str, match: Match) -> str:
    """Say that a field was dropped, why, and how often."""
    ply = sum(isinstance(entry, Played) for entry in match.since(0)[: remark.number + 1])
    often = "" if remark.times == 1 else f"; so it was {remark.times} times"
    return sentence(f"the {quoted(remark.field)} of {name} was dropped in move {ply}: {shown(remark.why)}{often}")


def dropped_text(name: str, game: int, rows: Sequence[DroppedField]) -> str:
    """Say that a tournament dropped these fields of a bot's thoughts; `game` showed the first of them."""
    first, *others = rows
    often = "" if first.times == 1 else f" {first.times} times, first"
    more = f"; other fields, too: {', '.join(quoted(remark.field) for remark in others)}" if others else ""
    where = f"the {quoted(first.field)} of {isolated(name)} was dropped{often} in game {game}"
    return sentence(f"{where}: {shown(first.why)}{more}")


def remark_texts(thoughts: Thoughts, names: Sequence[str], match: Match) -> list[str]:
    """Return a sentence for each kind of field that was dropped, of seats that are there."""
    rows = sorted(thoughts.remarks.values(), key=lambda remark: (remark.number, remark.seat, remark.field))
    return [remark_text(remark, names[remark.seat], match) for remark in rows if remark.seat < len(names)]


def thoughts_kept(name: str, path: Path) -> str:
    """Say where the owner of a bot finds its thoughts."""
    return f"{name} told its thoughts: quadrille replay {shlex.quote(str(path))}"


def courses_text(thoughts: Thoughts, match: Match, names: Sequence[str]) -> str:
    """Tell the chances that each bot gave itself, move by move, and its last note; "" if no bot said anything."""
    lines, seats = [], match.state.seats
    for seat, name in enumerate(names):
        own = [
            thoughts.by_entry[number]
            for number, entry in enumerate(match.entries)
            if number in thoughts.by_entry and isinstance(entry, Played) and entry.seat == seat
        ]
        if values := [chances(thought.value) for thought in own if thought.value is not None and seats == 2]:
            before = "… " * (len(values) > MOST_VALUES)
            lines.append(f"  {name}: {before}{' '.join(values[-MOST_VALUES:])}")
        if note := next((thought.note for thought in reversed(own) if thought.note), ""):
            lines.append(f"  {name}, last note: {shown(note)}")
    what = "their own chances, move by move" if seats == 2 else "the game"
    return "\n".join([f"How bots saw {what}:", *lines]) if lines else ""
