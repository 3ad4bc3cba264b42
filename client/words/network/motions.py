"""Words for joint decisions: what a motion proposes, and its result."""

from collections.abc import Sequence

from quadrille.client.foreign import shown
from quadrille.client.table.network.notices import ShownMotion


def motion_text(motion: ShownMotion, owners: Sequence[str]) -> str:
    """A motion's aim, after "proposes". `owners` are the names of those who sat down."""
    why = "who is away" if motion.is_away else "who keeps the table waiting"
    match motion:
        case ShownMotion("draw"):
            return "a draw"
        case ShownMotion("takeback", moves):
            return "to take back the last move" if moves == 1 else f"to take back the last {moves} moves"
        case ShownMotion("pause"):
            return "a pause: no clock runs until the next move"
        case ShownMotion("drop", seat):
            return f"to drop {owners[seat]}, {why}"
        case ShownMotion("stand-in", seat, name):
            return f"that {shown(name)} plays for {owners[seat]}, {why}"
        case ShownMotion("flag", seat):
            return f"that the time of {owners[seat]} is up, so that player is out"
    return f"to play again as {owners[motion.number]}"


def agreed_text(motion: ShownMotion, owners: Sequence[str]) -> str:
    """A motion's aim, after "agrees"."""
    text = motion_text(motion, owners)
    return f"to {text}" if text.startswith("a ") else text


def declined_text(motion: ShownMotion, owners: Sequence[str], who: str) -> str:
    """A motion's refusal by `who`; "" is this person."""
    text = motion_text(motion, owners)
    if text.startswith("a "):
        return f"{f'{who} declines' if who else 'You decline'} the {text[2:].partition(':')[0]}"
    return f"{f'{who} does' if who else 'You do'} not agree {text}"


def needs_text(whom: str) -> str:
    """The others who have to agree."""
    return f"{whom} must agree too."


def carried_text(motion: ShownMotion, owners: Sequence[str]) -> str:
    """The effect of a motion that all have agreed on."""
    match motion:
        case ShownMotion("draw"):
            return "A draw is agreed."
        case ShownMotion("takeback", moves):
            return "The last move is taken back." if moves == 1 else f"{moves} moves are taken back."
        case ShownMotion("pause"):
            return "The game is paused: no clock runs until the next move."
        case ShownMotion("stand-in", seat, name):
            return f"{shown(name)} plays for {owners[seat]}."
        case ShownMotion("flag", seat):
            return f"{owners[seat]} has run out of time, by the clocks of all the others."
    return f"{owners[motion.number]} plays again."
