"""What an entry leads to: the one place that says whether it is right, by the terms, the rules and the deck.

Pure functions from a standing and an entry to the next standing, or a `Fault` that names the culprit; who may take
whose place in a log is net/log.py's affair. Specification: protocols.md, "The log".
"""

from dataclasses import replace
from typing import Any

from quadrille.net import dealing
from quadrille.net.cards.umpire import Umpire
from quadrille.net.entry import (
    BY_ITSELF,
    NOBODY,
    Entry,
    acceptance,
    consent,
    proposal_hash,
    resignation,
    revelation,
    statement,
)
from quadrille.net.errors import PeerError
from quadrille.net.faults import Fault
from quadrille.net.hashing import committed, joint
from quadrille.net.identity import verified
from quadrille.net.motions import BY_OTHERS
from quadrille.net.standing import Standing
from quadrille.net.terms import Chair, Terms, read_terms
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game


def begun(entry: Entry) -> Standing:
    """Entry 0: "the seated peers sign terms and seats, draw a joint seed"."""
    if entry.kind != "begin" or entry.author != NOBODY:
        raise Fault(entry.author, "a log begins with what all seats agreed on")
    plain, chairs, turn, commitments, signatures, secrets, *revelations = entry.body
    terms = read_terms(plain)
    terms.check()
    count = len(chairs)
    rows = (chairs, commitments, signatures, secrets, *revelations)
    if {len(row) for row in rows} != {terms.seats}:
        raise Fault(NOBODY, "the table began without all its seats")
    keys = [chair[0] for chair in chairs]
    if len(set(keys)) != count or (len(set(commitments)) != count and not revelations):
        raise Fault(NOBODY, "two seats with one key, or one commitment")
    proposal, protocol = proposal_hash(plain, chairs), 2 if revelations else 1
    for place, key in enumerate(keys):
        said = acceptance(entry.table, turn, proposal, commitments[place], protocol=protocol)
        if not verified(key, signatures[place], said):
            raise Fault(NOBODY, f"chair {place + 1} did not sign these terms")
    if revelations:
        _check_revealed(entry, proposal, revelations[0])
    elif any(committed(entry.table, turn, place, secrets[place]) != commitments[place] for place in range(count)):
        raise Fault(NOBODY, "a chair did not reveal what it had committed to, or its secret was changed since")
    seed = joint(entry.table, turn, secrets).hex()
    return _seated(terms, [Chair(*chair) for chair in chairs], seed, protocol=protocol)


def _check_revealed(entry: Entry, proposal: bytes, signatures: tuple[bytes, ...]) -> None:
    """protocols.md, "Gathering": each chair signs the commitments of all, so that no chair can commit anew later on.

    Only a key that signed both its commitment and another secret is to blame.
    """
    _, chairs, turn, commitments, _, secrets, _ = entry.body
    for place, (key, *_) in enumerate(chairs):
        if not verified(key, signatures[place], revelation(entry.table, turn, proposal, commitments, secrets[place])):
            raise Fault(NOBODY, f"chair {place + 1} did not sign these commitments and this secret")
        if committed(entry.table, turn, key, secrets[place]) != commitments[place]:
            raise Fault(key, f"chair {place + 1} did not reveal what it had committed to")


def _seated(terms: Terms, chairs: list[Chair], seed: str, *, protocol: int) -> Standing:
    """Seats drawn by lot where the terms say so, and the match dealt from the joint seed."""
    if terms.lot:
        Stream(seed, "seats").shuffle(chairs)
    played = game(terms.game)
    # the faces of a game with hidden cards come from a deck that nobody holds, and a log knows what all may know
    known = {"viewer": None} if played.hidden else {"deal": Deal(seed)}
    match = Match(played, dict(terms.options), terms.seats, **known)
    time = terms.clock.initial if terms.clock else 0
    keys = tuple(chair.key for chair in chairs)
    return Standing(terms, tuple(chairs), match, keys, (time,) * terms.seats, protocol=protocol)


def continued(standing: Standing, entry: Entry, umpire: Umpire) -> Standing:
    """The standing after any later entry."""
    if standing.over:
        raise Fault(entry.author, f"the game is over: {standing.over.reason}")
    match entry.kind:
        case "move":
            return _moved(standing, entry)
        case "left":
            return _left(standing, entry, umpire)
        case "motion":
            return dealing.settled(_carried(standing, entry), umpire)
        case "excluded":
            return _excluded(standing, entry, umpire)
        case "begin":
            raise Fault(entry.author, "a log begins only once")
        case _:
            return _dealt(standing, entry, umpire)


def _check_turn(standing: Standing, entry: Entry) -> int:
    """The seat whose turn it is, if its key wrote this."""
    turn = standing.turn
    if turn is None or entry.author != standing.keys[turn]:
        raise Fault(entry.author, f"entry {entry.index} was not its author's to write")
    return turn


def _check_owed(standing: Standing, entry: Entry) -> None:
    """Moves and what a deck waits for have each their turn."""
    if entry.kind != standing.owed:
        raise Fault(entry.author, f"entry {entry.index} is a {entry.kind}, and a {standing.owed} is owed")


def _timed(standing: Standing, seat: int, used: int, *, adds: bool = True) -> tuple[int, ...]:
    """The clocks after a turn of that seat: "each entry states the time used". A move adds the increment."""
    clock = standing.terms.clock
    if clock is None:
        return standing.remaining
    left = standing.remaining[seat] - used
    if left < 0:
        raise Fault(standing.keys[seat], f"player {seat + 1} moved {-left} ms after its time was up")
    left += clock.increment if adds else 0
    return (*standing.remaining[:seat], left, *standing.remaining[seat + 1 :])


def _moved(standing: Standing, entry: Entry) -> Standing:
    seat = _check_turn(standing, entry)
    _check_owed(standing, entry)
    if standing.rest and entry.used:
        raise Fault(entry.author, "no clock runs in a pause: the time used is 0")
    remaining = _timed(standing, seat, entry.used)
    match = standing.match.copy()
    try:
        move = match.play(entry.body[0])
    except RulesError as error:
        raise Fault(entry.author, f"entry {entry.index} is no legal move: {error}") from None
    if str(move) != entry.body[0]:
        raise Fault(entry.author, f"entry {entry.index} writes {move} in another way")
    return replace(standing, match=match, remaining=remaining, rest="")


def _dealt(standing: Standing, entry: Entry, umpire: Umpire) -> Standing:
    """What a seat gives for the deck. Its program owes that at once; since protocol 2 its clock pays for delay."""
    seat = _check_turn(standing, entry)
    _check_owed(standing, entry)
    if entry.used and (standing.protocol == 1 or standing.terms.clock is None or standing.rest):
        raise Fault(entry.author, "what a deck waits for takes no time of a clock: the time used is 0")
    if entry.used:
        standing = replace(standing, remaining=_timed(standing, seat, entry.used, adds=False))
    try:
        return dealing.given(standing, seat, entry, umpire)
    except PeerError as error:
        raise Fault(entry.author, f"entry {entry.index} does not serve the deck: {error}") from None


def _left(standing: Standing, entry: Entry, umpire: Umpire) -> Standing:
    """A seat resigned, lost the game by its own word, or was forfeited by the arbiter the terms name."""
    seat, how, signature, secret = entry.body
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if how == "forfeit":
        if entry.author != standing.terms.arbiter or seat != standing.turn or secret:
            raise Fault(entry.author, "only the arbiter forfeits a seat, and on its turn")
    else:
        turn = _check_turn(standing, entry)
        on_duty = standing.owed != "move" and not (how == "time" and standing.protocol > 1)
        if how in BY_ITSELF and (turn != seat or on_duty):
            raise Fault(entry.author, f"a seat loses by {how} on its own move, by its own word")
        if how == "time" and standing.terms.clock is None:
            raise Fault(entry.author, "a seat runs out of time where there is a clock")
        owner = standing.chairs[seat].key
        if turn != seat and not verified(owner, signature, resignation(entry.table, seat, secret)):
            raise Fault(entry.author, f"player {seat + 1} did not sign its resignation")
    match = standing.match.copy()
    match.leave(seat, how)
    try:
        deck = dealing.without(standing, seat, secret, umpire, politely=how != "forfeit")
    except PeerError as error:
        raise Fault(entry.author, f"player {seat + 1} does not leave its cards behind: {error}") from None
    return dealing.settled(replace(standing, match=match, deck=deck), umpire)


def _excluded(standing: Standing, entry: Entry, umpire: Umpire) -> Standing:
    """A seat is out of the game by a proof that its key has cheated; net/log.py checks the proof."""
    seat, _ = entry.body
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if standing.turn != seat:
        _check_turn(standing, entry)
    elif entry.author != NOBODY:
        raise Fault(entry.author, "a seat that cheated is excluded by nobody on its own turn")
    match = standing.match.copy()
    match.leave(seat, "protocol")
    deck = dealing.without(standing, seat, b"", umpire, politely=False)
    return dealing.settled(replace(standing, match=match, deck=deck), umpire)


def _carried(standing: Standing, entry: Entry) -> Standing:
    """A motion with the signatures it needs, bound to the entry before it."""
    motion, signatures, *consents = entry.body
    kind, number, key, _ = motion
    check_motion(standing, motion, entry.author)
    signed = dict(signatures)
    if len(signed) != len(signatures) or tuple(signed) != tuple(sorted(signed)):
        raise Fault(entry.author, "signatures of a motion stand in the order of the seats, each once")
    author = None if kind in BY_OTHERS else _check_turn(standing, entry)
    if kind == "back" and standing.protocol >= 2 and standing.owed != "move":
        raise Fault(entry.author, "back: cards that are being opened are not dealt anew, so the owner waits for a move")
    needed = {seat for seat in standing.needed(motion) if seat != author or kind == "back"}
    if set(signed) != needed:
        raise Fault(entry.author, f"{kind}: not signed by just the seats that it needs")
    for seat, signature in signed.items():
        signer = standing.chairs[seat].key if kind == "back" else standing.keys[seat]
        bound = standing.bound(motion, entry.before)
        if bound is None or not verified(signer, signature, statement(entry.table, bound, motion)):
            raise Fault(entry.author, f"{kind}: the signature of player {seat + 1} is not its own")
    _check_consent(standing, entry, consents)
    match = standing.match.copy()
    if kind == "draw":
        match.agree()
        return replace(standing, match=match)
    if kind == "abort":
        return replace(standing, aborted=True)
    if kind in ("pause", "adjourn"):
        return replace(standing, rest=kind)
    if kind == "takeback":
        match.undo(number)
        return replace(standing, match=match)
    if kind in ("drop", "flag"):
        match.leave(number, "dropped" if kind == "drop" else "time")
        return dealing.anew(replace(standing, match=match))
    lent = {seat: head for seat, head in standing.lent.items() if seat != number}
    writer = standing.chairs[number].key
    if kind == "stand-in":
        lent, writer = {**lent, number: entry.before}, key
    keys = (*standing.keys[:number], writer, *standing.keys[number + 1 :])
    return dealing.anew(replace(standing, keys=keys, lent=lent))


def _check_consent(standing: Standing, entry: Entry, consents: list[bytes]) -> None:
    """Nobody plays on for a seat without having agreed to it. Tables of protocol 1 did not ask."""
    kind, seat, key, _ = entry.body[0]
    if kind != "stand-in" or standing.protocol == 1:
        if consents:
            raise Fault(entry.author, f"{kind}: no stand-in has to agree to this")
    elif not consents or not verified(key, consents[0], consent(entry.table, entry.before, seat)):
        raise Fault(entry.author, "stand-in: not signed by the key that is to play on")


def check_motion(standing: Standing, motion: tuple[Any, ...], author: bytes) -> None:
    """Refuse motions that the terms or the moment have no room for."""
    kind, number, key, _ = motion
    inside = standing.seats_in()
    if kind == "takeback":
        if not standing.terms.takebacks:
            raise Fault(author, "this table takes no move back")
        if not 1 <= number <= standing.match.ply:
            raise Fault(author, f"{number} moves can't be taken back")
    elif kind in (*BY_OTHERS, "back"):
        if number not in inside:
            raise Fault(author, f"player {number + 1} is not in the game")
        if kind in BY_OTHERS and number != standing.turn:
            raise Fault(author, f"{kind}: the others decide about a seat on its turn, and not before")
        if kind in BY_OTHERS and (author != NOBODY or len(inside) < 3):
            raise Fault(author, f"{kind}: two seats can't tell who is gone, and no seat decides it alone")
        if kind == "flag" and (standing.protocol == 1 or standing.terms.clock is None):
            raise Fault(author, "flag: a seat runs out of time where there is a clock")
        if kind == "stand-in" and key == NOBODY:
            raise Fault(author, "nobody can't stand in: whatever nobody signs, anybody writes")
        if kind == "stand-in" and key in standing.keys:
            raise Fault(author, "who stands in must not sit at the table already")
        if kind == "back" and standing.keys[number] == standing.chairs[number].key:
            raise Fault(author, f"player {number + 1} has its seat")
