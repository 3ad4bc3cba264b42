"""Sentences for a person's present concern at a table, which a screen shows above its prompt."""

from quadrille.client.foreign import shown
from quadrille.client.table.network import concern, notices
from quadrille.client.table.network.notices import Seats
from quadrille.client.words.answers import TYPED
from quadrille.client.words.network.motions import motion_text, needs_text
from quadrille.client.words.story import few
from quadrille.net.core.spans import clock_text


def concern_text(found: concern.Concern | None, seats: Seats) -> str:
    """The line above a prompt, by name; "" without a concern."""
    names, owners = seats.names, seats.owners
    match found:
        case notices.TableStopped(why):
            return f"The table has stopped: {shown(why)}. save FILE keeps the log up to there."
        case concern.Plight.CUT_OFF:
            return "Your own network is gone. Typed moves are kept until the network is back."
        case notices.ProposalTold(motion, signed):
            verb = "proposes" if len(signed) == 1 else "propose"
            return f"{few([names[seat] for seat in signed])} {verb} {motion_text(motion, owners)}. {TYPED}"
        case notices.ProposedHere(motion, missing):
            whom = few([names[seat] for seat in missing])
            return f"You propose {motion_text(motion, owners)}. {needs_text(whom)}"
        case concern.RematchWanted(who):
            return f"{names[who] if isinstance(who, int) else who} wants a rematch. {TYPED}"
        case concern.ToDecide(seat, charge):
            return _to_decide(names[seat], charge)
        case concern.Missing():
            return _missing(found, few([names[seat] for seat in found.seats]))
        case concern.SeatTaken(seat):
            deputy = names[seat].removesuffix(f" for {owners[seat]}")
            return f"{deputy} plays for you. Type back to take your seat again."
        case concern.Plight.RESTING:
            return "Paused: no clock runs until the next move."
    return ""


def _to_decide(who: str, charge: concern.Charge) -> str:
    match charge:
        case concern.Charge.FLAG:
            return f"By your clock the time of {who} is up. Choose: wait, flag ({who} is out) or quit."
        case concern.Charge.AWAY:
            what = "is still away"
        case concern.Charge.SILENT:
            what = "is here, but keeps the table waiting"
    return f"{who} {what}. Choose: wait, stand-in 3 (a level-3 bot plays), drop ({who} is out) or quit."


def _missing(missing: concern.Missing, who: str) -> str:
    if not missing.several:
        copy = "F5, Enter continues in a copy; " if missing.copy else ""
        after = f"The table waits; {copy}quit keeps it for later."
    elif missing.left > 0:
        after = f"In {clock_text(missing.left + 999)} the others can replace or drop {who}."
    else:
        after = "The others may decide about that when it is that seat's turn."
    return f"{who} {'is' if len(missing.seats) == 1 else 'are'} away. {after}"
