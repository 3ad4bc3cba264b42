"""Sentences for what concerns a person at a table as long as it is so: what a screen shows above its prompt."""

from quadrille.client.foreign import shown
from quadrille.client.table.network import concern, notices
from quadrille.client.table.network.notices import Seats
from quadrille.client.words.answers import TYPED
from quadrille.client.words.network.motions import motion_text
from quadrille.client.words.network.terms import few
from quadrille.net.core.spans import clock_text


def concern_text(found: concern.Concern | None, seats: Seats) -> str:
    """What stands above a prompt as long as it is so, by name; "" where all is well."""
    names, owners = seats.names, seats.owners
    match found:
        case notices.TableStopped(why):
            return f"The table has stopped: {shown(why)}. save FILE keeps the log up to there."
        case concern.Plight.CUT_OFF:
            return "Your own network is gone. What you type is kept until it is back."
        case notices.ProposalTold(motion, signed):
            verb = "proposes" if len(signed) == 1 else "propose"
            return f"{few([names[seat] for seat in signed])} {verb} {motion_text(motion, owners)}. {TYPED}"
        case notices.ProposedHere(motion, missing):
            whom = few([names[seat] for seat in missing])
            return f"You propose {motion_text(motion, owners)}. It needs {whom}."
        case concern.RematchWanted(who):
            return f"{names[who] if isinstance(who, int) else who} wants a rematch. {TYPED}"
        case concern.ToDecide(seat, charge):
            return _to_decide(names[seat], charge)
        case concern.Missing():
            return _missing(found, few([names[seat] for seat in found.seats]))
        case concern.SeatTaken(seat):
            return f"{names[seat]}: type back to take your seat again."
        case concern.Plight.RESTING:
            return "Paused: no clock runs; the next move goes on."
    return ""


def _to_decide(who: str, charge: concern.Charge) -> str:
    match charge:
        case concern.Charge.FLAG:
            return f"The time of {who} is up by your clock. The table decides: wait, flag (out), quit."
        case concern.Charge.AWAY:
            what = "stays away"
        case concern.Charge.SILENT:
            what = "is here, and keeps the table waiting"
    return f"{who} {what}. The table decides: wait, stand-in 3 (a bot), drop (out), quit."


def _missing(missing: concern.Missing, who: str) -> str:
    if not missing.several:
        copy = "F5, Enter plays on a copy; " if missing.copy else ""
        after = f"The table waits; {copy}quit keeps it."
    elif missing.left > 0:
        after = f"In {clock_text(missing.left + 999)} the table may decide about it."
    else:
        after = "The table may decide about it on that seat's turn."
    return f"{who} {'is' if len(missing.seats) == 1 else 'are'} gone. {after}"
