"""The effect of an entry: the only place that checks it against the terms, the rules and the deck.

Pure functions from a standing and an entry to the next standing, or a `Fault` that names the culprit. log.py decides
which entry may replace another. Specification: docs/protocols/log.md, "The log".
"""

from dataclasses import replace

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import committed, joint
from quadrille.net.entries.bodies import BY_ITSELF, BeginBody, ExcludedBody, LeftBody, MotionBody, MoveBody
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.entry import (
    NOBODY,
    Entry,
    acceptance,
    consent,
    proposal_hash,
    resignation,
    revelation,
    statement,
)
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import BackMotion, SeatDecision, TableMotion
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log import dealing
from quadrille.net.trust.identity import verified
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game


def after(standing: Standing | None, entry: Entry, checker: ProofChecker) -> Standing:
    """Compute the standing after an entry; before entry 0 there is none."""
    return _begun(entry) if standing is None else _continued(standing, entry, checker)


def _begun(entry: Entry) -> Standing:
    """Check entry 0: "the seated peers sign terms and seats, draw a joint seed"."""
    body = entry.body
    if not isinstance(body, BeginBody) or entry.author != NOBODY:
        raise Fault(entry.author, "a log begins with what all seats agreed on")
    terms = body.terms
    terms.check()
    rows = (body.chairs, body.commitments, body.signatures, body.secrets, body.revelations)
    if {len(row) for row in rows} != {terms.seats}:
        raise Fault(NOBODY, "the table began without all its seats")
    if len(set(body.keys)) != len(body.keys):
        raise Fault(NOBODY, "two seats with one key")
    proposal = proposal_hash(terms, body.chairs)
    for place, (key, commitment) in enumerate(zip(body.keys, body.commitments, strict=True)):
        said = acceptance(entry.table, body.turn, proposal, commitment)
        if not verified(key, body.signatures[place], said):
            raise Fault(NOBODY, f"chair {place + 1} did not sign these terms")
    _check_revealed(entry.table, body, proposal)
    seed = joint(entry.table, body.turn, body.secrets).hex()
    return _seated(terms, list(body.chairs), seed)


def _check_revealed(table: bytes, body: BeginBody, proposal: bytes) -> None:
    """Check that each chair signed all commitments (docs/protocols/gathering.md), so that no chair can commit again
    later.

    Only a key that signed both its commitment and another secret is to blame.
    """
    for place, (key, secret) in enumerate(zip(body.keys, body.secrets, strict=True)):
        said = revelation(table, body.turn, proposal, body.commitments, secret)
        if not verified(key, body.revelations[place], said):
            raise Fault(NOBODY, f"chair {place + 1} did not sign these commitments and this secret")
        if committed(table, body.turn, key, secret) != body.commitments[place]:
            raise Fault(key, f"chair {place + 1} did not reveal what it had committed to")


def _seated(terms: Terms, chairs: list[Chair], seed: str) -> Standing:
    """Seat the chairs, by lot if the terms say so, and deal the match from the joint seed."""
    if terms.lot:
        Stream(seed, "seats").shuffle(chairs)
    played = game(terms.game)
    # The deck deals a game with hidden cards, and a log knows only what all may know.
    known = {"viewer": None} if played.hidden else {"deal": Deal(seed)}
    match = Match(played, dict(terms.options), terms.seats, **known)
    time = terms.clock.initial if terms.clock else 0
    keys = tuple(chair.key for chair in chairs)
    return Standing(terms, tuple(chairs), match, keys, (time,) * terms.seats)


def _continued(standing: Standing, entry: Entry, checker: ProofChecker) -> Standing:
    if standing.over:
        raise Fault(entry.author, f"the game is over: {standing.over.reason}")
    match entry.body:
        case MoveBody() as body:
            return _moved(standing, entry, body)
        case LeftBody() as body:
            return _left(standing, entry, body, checker)
        case MotionBody() as body:
            return dealing.settled(_carried(standing, entry, body), checker)
        case ExcludedBody() as body:
            return _excluded(standing, entry, body, checker)
        case BeginBody():
            raise Fault(entry.author, "a log begins only once")
        case _:
            return _dealt(standing, entry, checker)


def _check_turn(standing: Standing, entry: Entry) -> int:
    """Return the seat whose turn it is, if its key wrote this entry."""
    turn = standing.turn
    if turn is None or entry.author != standing.keys[turn]:
        raise Fault(entry.author, f"entry {entry.index} was not its author's to write")
    return turn


def _check_owed(standing: Standing, entry: Entry) -> int:
    """Return the seat whose turn it is, if its key wrote the entry that it owes: a move, or a duty to the deck."""
    seat = _check_turn(standing, entry)
    if entry.kind != standing.owed:
        raise Fault(entry.author, f"entry {entry.index} is a {entry.kind}, and a {standing.owed} is owed")
    return seat


def _timed(standing: Standing, seat: int, used: int, *, adds: bool = True) -> tuple[int, ...]:
    """Compute the clocks after a seat's turn: "each entry states the time used". A move adds the increment."""
    clock = standing.terms.clock
    if clock is None:
        return standing.remaining
    if (late := used - standing.remaining[seat]) > 0:
        raise Fault(standing.keys[seat], f"player {seat + 1} moved {late} ms after its time was up")
    clocks = Clocks(clock, standing.remaining)
    return (clocks.moved(seat, used) if adds else clocks.paid(seat, used)).left


def _moved(standing: Standing, entry: Entry, body: MoveBody) -> Standing:
    seat = _check_owed(standing, entry)
    if standing.paused and entry.used:
        raise Fault(entry.author, "no clock runs in a pause, so the time used must be 0")
    remaining = _timed(standing, seat, entry.used)
    match = standing.match.copy()
    try:
        move = match.play(body.move)
    except RulesError as error:
        raise Fault(entry.author, f"entry {entry.index} is not a legal move: {error}") from None
    if str(move) != body.move:
        raise Fault(entry.author, f"entry {entry.index} writes {move} in another way")
    return replace(standing, match=match, remaining=remaining, paused=False)


def _dealt(standing: Standing, entry: Entry, checker: ProofChecker) -> Standing:
    """Do a seat's duty to the deck. Its program does that at once; its clock pays for a delay."""
    seat = _check_owed(standing, entry)
    if entry.used and (standing.terms.clock is None or standing.paused):
        raise Fault(entry.author, "duties to the deck take no time of a clock, so the time used must be 0")
    if entry.used:
        standing = replace(standing, remaining=_timed(standing, seat, entry.used, adds=False))
    try:
        return dealing.given(standing, entry, checker)
    except PeerError as error:
        raise Fault(entry.author, f"entry {entry.index} does not serve the deck: {error}") from None


def _left(standing: Standing, entry: Entry, body: LeftBody, checker: ProofChecker) -> Standing:
    """Let a seat leave: it resigned, lost by its own statement, or the arbiter of the terms forfeited it."""
    seat, how, secret = body.seat, body.how, body.secret
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if how == "forfeit":
        if entry.author != standing.terms.arbiter or seat != standing.turn or secret:
            raise Fault(entry.author, "only the arbiter may forfeit a seat, and only on its turn")
    else:
        turn = _check_turn(standing, entry)
        on_duty = standing.due is not None and how != "time"
        if how in BY_ITSELF and (turn != seat or on_duty):
            raise Fault(entry.author, f"only the seat itself may state {how}, and only on its move")
        if how == "time" and standing.terms.clock is None:
            raise Fault(entry.author, "this game has no clock, so no time can run out")
        owner = standing.chairs[seat].key
        if turn != seat and not verified(owner, body.signature, resignation(entry.table, seat, secret)):
            raise Fault(entry.author, f"player {seat + 1} did not sign its resignation")
    after, deck = standing.left_by(seat, how), standing.deck
    if how == "forfeit":
        return dealing.settled(after.dealt_anew(), checker)
    try:
        dealing.check_secret(standing, seat, secret, checker)
    except PeerError as error:
        raise Fault(entry.author, f"player {seat + 1} does not leave its cards behind: {error}") from None
    deck = deck.leave(checker, seat, secret) if deck is not None else None
    return dealing.settled(replace(after, deck=deck), checker)


def _excluded(standing: Standing, entry: Entry, body: ExcludedBody, checker: ProofChecker) -> Standing:
    """Exclude a seat by a proof that its key has cheated; log.py checks the proof."""
    seat = body.seat
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if standing.turn != seat:
        _check_turn(standing, entry)
    elif entry.author != NOBODY:
        raise Fault(entry.author, "an exclusion has no author, and comes on the seat's own turn")
    return dealing.settled(standing.left_by(seat, "protocol").dealt_anew(), checker)


def _carried(standing: Standing, entry: Entry, body: MotionBody) -> Standing:
    """Carry a motion that has the signatures it needs, bound to the entry before it."""
    motion, word = body.motion, body.motion.WORD
    if why := motion.objection(standing, entry.author):
        raise Fault(entry.author, why)
    signed = dict(body.signatures)
    if len(signed) != len(body.signatures) or tuple(signed) != tuple(sorted(signed)):
        raise Fault(entry.author, "the signatures of a motion must be in the order of the seats, each once")
    author = None if isinstance(motion, SeatDecision) else _check_turn(standing, entry)
    if isinstance(motion, BackMotion):
        author = None  # the owner signs, whoever writes it
        if standing.due is not None:
            why = "back: cards are being opened, so the owner has to wait for a move"
            raise Fault(entry.author, why)
    if set(signed) != {seat for seat in motion.signers(standing) if seat != author}:
        raise Fault(entry.author, f"{word}: not signed by just the seats that it needs")
    for seat, signature in signed.items():
        if not is_signed_by(standing, motion, seat, signature, table=entry.table, head=entry.before):
            raise Fault(entry.author, f"{word}: the signature of player {seat + 1} is not its own")
    if why := consent_objection(standing, motion, body.consent, table=entry.table, head=entry.before):
        raise Fault(entry.author, why)
    return motion.done(standing, entry.before)


def is_signed_by(
    standing: Standing, motion: TableMotion, seat: int, signature: bytes, *, table: bytes, head: bytes
) -> bool:
    """Check the signature of a seat that has to sign a motion at that head of the log."""
    bound = motion.bound(standing, head)
    if bound is None or seat not in motion.signers(standing):
        return False
    return verified(motion.signer_key(standing, seat), signature, statement(table, bound, motion))


def consent_objection(
    standing: Standing, motion: TableMotion, signature: bytes, *, table: bytes, head: bytes
) -> str | None:
    """Say why a motion does not have the consent it needs, or has one and needs none."""
    key = motion.called(standing)
    if key is None:
        return f"{motion.WORD}: no stand-in has to agree to this" if signature else None
    agreed = verified(key, signature, consent(table, head, motion.number))
    return None if agreed else f"{motion.WORD}: not signed by the key that is to play on"
