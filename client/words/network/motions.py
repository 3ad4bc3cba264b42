"""Words for what seats decide together: what a motion asks for, and what is done once all have agreed."""

from collections.abc import Sequence

from quadrille.client.foreign import shown
from quadrille.client.table.network.notices import ShownMotion


def motion_text(motion: ShownMotion, owners: Sequence[str]) -> str:
    """What a motion asks for, to stand after "proposes". `owners` are what those who sat down are called."""
    why = "who is gone" if motion.is_away else "who keeps the table waiting"
    match motion:
        case ShownMotion("draw"):
            return "a draw"
        case ShownMotion("abort"):
            return "to abort the game, so that nobody wins or loses"
        case ShownMotion("takeback", moves):
            return "to take back the last move" if moves == 1 else f"to take back the last {moves} moves"
        case ShownMotion("pause"):
            return "a pause: no clock runs until the next move"
        case ShownMotion("adjourn"):
            return "to adjourn the game, and to go on with it another time"
        case ShownMotion("drop", seat):
            return f"that {owners[seat]}, {why}, is out of the game"
        case ShownMotion("stand-in", seat, name):
            return f"that {shown(name)} plays on for {owners[seat]}, {why}"
        case ShownMotion("flag", seat):
            return f"that the time of {owners[seat]} is up, and it is out of the game"
    return f"to play again as {owners[motion.number]}"


def carried_text(motion: ShownMotion, owners: Sequence[str]) -> str:
    """What is done once all have agreed on a motion."""
    match motion:
        case ShownMotion("draw"):
            return "A draw is agreed."
        case ShownMotion("abort"):
            return "The game is aborted."
        case ShownMotion("takeback", moves):
            return "The last move is taken back." if moves == 1 else f"{moves} moves are taken back."
        case ShownMotion("pause"):
            return "The game is paused: no clock runs until the next move."
        case ShownMotion("adjourn"):
            return "The game is adjourned."
        case ShownMotion("stand-in", seat, name):
            return f"{shown(name)} plays on for {owners[seat]}."
        case ShownMotion("flag", seat):
            return f"{owners[seat]} has run out of time, by the clocks of all the others."
    return f"{owners[motion.number]} plays again."
