"""What is done is done: which of two entries stands in a place, entry by entry, at tables and between two logs.

History can't be rewritten by the others together, or by one seat after a drop, or by whoever makes another entry of
signatures that it has been given.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest

from quadrille.net.entries.bodies import ExcludedBody, LeftBody, MotionBody, MoveBody
from quadrille.net.entries.entry import Entry, acceptance, proposal_hash, statement
from quadrille.net.entries.faults import Fault, Fork, Gap, Late
from quadrille.net.entries.motions import BackMotion, DrawMotion, DropMotion, FlagMotion, StandInMotion
from quadrille.net.entries.terms import TimeControl
from quadrille.net.entries.wire import Decline, Entries, Head, Motion, Vouch
from quadrille.net.game_log import log as log_module
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Convicted, Took
from quadrille.net.game_log.two_logs import Difference, Ground, difference
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.accord import MOST_ACQUITTALS, MOST_PROMISES, PROOF, evidence_label
from quadrille.net.tables.table import HEARTBEAT, LAST_WORDS, Table
from quadrille.rules.errors import RulesError
from tests.net.by_hand import (
    Crash,
    CrashShelf,
    agreed,
    both,
    culprits,
    cut,
    moved,
    signatures,
    table_of,
    three,
    vouch,
    with_moves,
)
from tests.net.tables import SMALL, TABLE, begun, identity, mover, terms

DROP, DEPUTY = DropMotion(0), StandInMotion(0, identity(2).key, "deputy")


def test_the_others_together_can_not_drop_a_seat_for_a_turn_they_played_on_from() -> None:
    """One keeps silent, hands the move on, and signs the drop after all; or all sign when the game is over."""
    log = three()
    late = agreed(log, DROP)
    with_moves(log, "a1", "b2", "c3")
    while log.now.over is None:
        with pytest.raises(Late):
            log.take(late)
        moved(log, str(next(iter(log.now.match.state.moves))))
    with pytest.raises(Late):
        log.take(late)
    assert log.now.over


def test_a_seat_that_vouched_for_an_entry_can_not_decide_against_it() -> None:
    log, other = three(), three()
    decided = agreed(log, DROP)
    entry = moved(log, "a1")
    word = vouch(3, entry)
    assert not log.vouch(word.key, entry.hash, entry.before, word.signature)
    with pytest.raises(Late):
        log.take(decided)
    # one that has taken the decision comes back once it hears both
    other.take(decided)
    assert not other.take_aside([entry])
    assert other.vouch(word.key, entry.hash, entry.before, word.signature)
    assert other.head == log.head and other.since == 1


def test_vouches_are_kept_for_entries_that_are_here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat whose turn it is signs one entry after another, and an accomplice vouches for each."""
    monkeypatch.setattr(log_module, "MOST_ASIDE", 2)
    log = three()
    signed = [log.write(MoveBody("a1"), mover(log), used) for used in range(9)]
    for entry in signed:
        log.take_aside([entry])
        log.vouch(identity(3).key, entry.hash, entry.before, vouch(3, entry).signature)
    assert [used for used, entry in enumerate(signed) if log.vouchers(entry.hash)] == [6, 7, 8]


def test_nobody_vouches_with_another_s_signature_and_what_nobody_signed_is_not_put_aside() -> None:
    log = three()
    entry = moved(log, "a1")
    with pytest.raises(Fault):
        log.vouch(identity(3).key, entry.hash, entry.before, vouch(2, entry).signature)
    with pytest.raises(Fault):
        log.put_aside(replace(entry, signature=bytes(64)))
    assert not log.vouch(identity(7).key, entry.hash, entry.before, identity(7).sign(b""))
    log.put_aside(replace(entry, author=identity(7).key).signed(identity(7)))
    assert not log._aside, "a stranger's, for which nobody has to look at the rules"


def test_who_decided_is_bound_too_once_all_have_gone_on() -> None:
    """A seat that signed the drop, and played on after it, can't bring the dropped entry back by vouching for it."""
    log, unseen = three(), three()
    decided = agreed(log, DROP)
    entry = moved(unseen, "a1")
    log.take(decided)
    with_moves(log, "a1", "b2")
    assert not log.take_aside([entry])
    assert not log.vouch(identity(3).key, entry.hash, entry.before, vouch(3, entry).signature)
    assert log.entries[1] == decided


def test_of_two_entries_that_nobody_went_on_from_the_smaller_hash_stands_whichever_came_first() -> None:
    log = three()
    moves, decisions = both(log, mover(log), "a1", "b2"), (agreed(log, DROP), agreed(log, DEPUTY))
    for pair in (sorted(decisions, key=lambda entry: entry.hash), moves):
        small, large = pair
        for first, second in ((small, large), (large, small)):
            here = cut(log)
            here.take(first)
            assert here.take_aside([second]) is (first is large) and here.entries[1] == small
    late = [replace(moves[0], author=identity(2).key, used=n).signed(identity(2)) for n in range(5)]
    late += [replace(decisions[1], body=MotionBody(replace(DEPUTY, number=1, name=name), ())) for name in "abcdefghij"]
    for entry in late:  # of another seat or about one: there is nothing to contend for, and nobody is to blame
        for there in (moves[1], decisions[0]):
            with pytest.raises(Late):
                with_entries(log, there).take(entry)
    here, there = (with_entries(log, entry) for entry in (small, large))
    moved(here, "c3")
    with pytest.raises(Late):  # and no fork: who answered both in their turn has signed nothing twice
        here.take(moved(there, "c3"))


def test_who_excludes_another_in_its_turn_has_written_an_entry_of_its_own() -> None:
    """Only what nobody wrote is a decision of the others: with a move beside it this is a fork like any other."""
    log = three()
    stands, proof = both(log, mover(log), "a1", "b2")
    log.take(stands)
    written = [log.write(body, mover(log)) for body in (MoveBody("c3"), ExcludedBody(0, (proof.data,)))]
    small, large = sorted(written, key=lambda entry: entry.hash)
    for first, second in ((small, large), (large, small)):
        here = with_entries(log, first)
        assert here.take_aside([second]) is (first is large) and here.entries[2] == small


def test_two_that_fork_one_after_the_other_take_back_nothing_that_is_final() -> None:
    """The second fork, of which its author alone knew, made the first entry of a place where not all had gone on."""
    log, hidden, others = three(4), list[Entry](), list[Log]()
    for one, other in (("a1", "b2"), ("c3", "a2")):  # seats 0 and 1 sign both, and show the larger hash
        small, large = both(log, mover(log), one, other)
        others.append(cut(log))
        others[-1].take(small)
        hidden.insert(0, small)
        log.take(large)
    with_moves(log, "b1", "c1")
    head = log.head
    for fork in hidden:
        log.take_aside([fork])
    assert log.head == head, "seats 2 and 3 have gone on from both"
    for place, heard in enumerate(others, 1):  # and who saw the other entry first comes there, too
        assert heard.take_aside(log.entries[place:]) and heard.head == head


def test_all_orders_of_the_same_entries_lead_to_one_log() -> None:
    """Whatever is heard first: the decision, the seat's own entry, or those that went on from there."""
    log = three()
    decided = agreed(log, DROP)
    with_moves(log, "a1", "b2", "c3")
    branch = log.entries[1:]
    heads = set()
    for order in ([decided, *branch], [branch[0], decided, *branch[1:]], [*branch, decided], [decided, *branch[::-1]]):
        here = three()
        for entry in order:
            try:
                here.take(entry)
            except (Gap, Late):
                here.take_aside([entry])
        heads.add(here.head)
    assert heads == {log.head}


def test_a_game_that_was_over_is_never_reopened_in_silence() -> None:
    """Nobody goes on after the last move, so the others together can still say that its seat was gone before."""
    log = with_moves(begun(terms(seats=3, options={"width": 2, "height": 3}, lot=False)), "a1", "a2", "a3", "b1", "b2")
    decided = agreed(log, DropMotion(2))
    moved(log, "b3")
    winner = table_of(3, cut(log))
    winner.wake(0)
    winner.wake(LAST_WORDS)
    assert winner.over and winner.is_silent
    winner.receive(identity(2).key, Entries(TABLE, (decided,)), 0)
    took = [event for event in winner.events if isinstance(event, Took)]
    assert took[0].replaced and took[0].reopened and not winner.is_silent


def test_a_seat_that_hands_an_entry_on_vouches_for_it_and_only_then_it_is_taken() -> None:
    """H has signed the drop; C has the entry: H takes it with C's word that it decides nothing, which it can show."""
    log = three()
    h, c = table_of(2, cut(log)), table_of(3, cut(log))
    entry = moved(log, "a1")
    h.agree(DROP, 0)
    [said] = [message for _, message in h.outgoing if isinstance(message, Motion)]
    c.receive(identity(1).key, Entries(TABLE, (entry,)), 0)
    h.receive(identity(3).key, Entries(TABLE, (entry,)), 0)
    assert len(h.log.entries) == 1, "whoever hands it on without a word might sign later on"
    c.outgoing.clear()
    c.receive(identity(2).key, said, 0)
    told = [message for key, message in c.outgoing if key == identity(2).key]
    assert [type(message) for message in told] == [Entries, Vouch]
    for message in told:
        h.receive(identity(3).key, message, 0)
    assert h.log.head == c.log.head and h.log.vouchers(entry.hash).keys() == {identity(3).key}
    # and C's later signature changes nothing: it is proved to lie
    h.outgoing.clear()
    h.receive(identity(3).key, Entries(TABLE, (agreed(three(), DROP),)), 0)
    assert h.log.entries[1] == entry
    shown = [type(message) for key, message in h.outgoing if key == identity(3).key]
    assert shown == [Entries, Vouch], "whoever has decided takes the entry only with the vouch"


def test_a_seat_that_has_decided_itself_does_not_vouch() -> None:
    log = three(4)
    shelf = CrashShelf(identity(3).key)
    c = table_of(3, cut(log), shelf)
    c.agree(DROP, 0)
    entry = moved(log, "a1")
    word = vouch(4, entry)
    c.receive(identity(4).key, word, 0)
    c.receive(identity(4).key, Entries(TABLE, (entry,)), 0)
    assert len(c.log.entries) == 1, "a vouch for an entry that is not here counts for nothing"
    c.receive(identity(4).key, word, 0)
    assert len(c.log.entries) == 2
    c.outgoing.clear()
    own = identity(2).sign(statement(TABLE, entry.before, DROP))
    c.receive(identity(2).key, Motion(TABLE, entry.before, DROP, 1, own), 0)
    vouches = [message.key for _, message in c.outgoing if isinstance(message, Vouch)]
    assert vouches == [identity(4).key], "it passes on what another has signed"


def settle(tables: list[Table], now: int = 0) -> None:
    """They tell each other everything until nobody has anything to say."""
    for _ in range(30):
        for table in tables:
            said, table.outgoing[:] = table.outgoing[:], []
            for key, message in said:
                for to in tables:
                    if to is not table and key in (None, to.identity.key):
                        to.receive(table.identity.key, message, now)


class TestOneDecision:
    """A seat signs one decision in a place, or others could choose between two."""

    def test_two_who_decided_otherwise_at_once_come_together(self) -> None:
        """One signed a drop, the other a stand-in: the first may go over, and never back."""
        log = three()
        one, two = signatures(log, DEPUTY, 2, 3)
        table, other = table_of(2, cut(log)), table_of(3, cut(log))
        table.agree(DROP, 0)
        table.receive(identity(3).key, Motion(TABLE, log.head, DEPUTY, *two), 0)
        assert table.agree(DEPUTY, 0)
        assert table.log.now.keys[0] == identity(2).key
        other.agree(DEPUTY, 0)
        other.decline()
        other.receive(identity(2).key, Motion(TABLE, log.head, DROP, *signatures(log, DROP, 2)[0]), 0)
        with pytest.raises(RulesError):
            other.agree(DROP, 0)
        other.receive(identity(2).key, Motion(TABLE, log.head, DEPUTY, *one), 0)
        other.agree(DEPUTY, 0)
        assert other.log.head == table.log.head

    def test_a_decision_is_heard_over_a_motion_that_the_absent_seat_would_have_to_sign(self) -> None:
        """All but the seat that is gone had agreed to a draw: who only answers, as bots do, would wait for ever."""
        log = three()
        b, c = table_of(2, cut(log)), table_of(3, cut(log))
        for motion in (DrawMotion(), DROP):
            assert c.agree(motion, 0)
            for _, said in [(to, said) for to, said in c.outgoing if isinstance(said, Motion)]:
                b.receive(identity(3).key, said, 0)
            assert b.accord.open == motion and b.agree(motion, 0)
        assert b.log.now.seats_in() == (1, 2)

    @pytest.mark.parametrize("then", [Table.decline, lambda table: table.agree(DrawMotion(), 0)], ids=["no", "draw"])
    def test_who_goes_back_on_a_decision_takes_the_entry_of_the_seat_that_came_back(
        self, then: Callable[[Table], object]
    ) -> None:
        """A promise holds, so the others have to hear of it, as long as they can vouch for the entry."""
        log = three()
        tables = [table_of(number, cut(log)) for number in (1, 2, 3)]
        a, b, c = tables
        assert b.agree(DROP, 0)
        then(b)
        settle([b, c])
        a.play("a1", 0)
        for now in (0, HEARTBEAT, 2 * HEARTBEAT):
            for table in tables:
                table.wake(now)
            settle(tables, now)
        assert a.log.head == b.log.head == c.log.head and len(b.log.entries) == 2

    def test_after_a_crash_the_last_of_many_decisions_holds(self) -> None:
        log, shelf = three(4), CrashShelf(identity(2).key)
        table = table_of(2, cut(log), shelf)
        deputies = [StandInMotion(0, identity(4).key, f"deputy {n}") for n in range(2 + MOST_PROMISES)]
        for motion in sorted(deputies, key=lambda one: one.rank, reverse=True):
            table.receive(identity(3).key, Motion(TABLE, log.head, motion, *signatures(log, motion, 3)[0]), 0)
            with suppress(RulesError):
                table.agree(motion, 0)
        assert len(shelf.secrets) == MOST_PROMISES
        assert table_of(2, cut(log), shelf).accord.promise == table.accord.promise


class TestConvictions:
    """Whoever signs twice or states a false position loses the game; nobody else does."""

    def forked(self, seats: int = 3) -> tuple[list[Table], Entry, Entry]:
        log = three(seats)
        return [table_of(number + 1, cut(log)) for number in range(seats)], *both(log, mover(log), "a1", "b2")

    @pytest.mark.parametrize("lie", ["two entries", "a false digest"])
    def test_a_seat_that_lies_is_out_and_the_others_play_on(self, lie: str) -> None:
        (_, b, c), one, other = self.forked()
        if lie == "two entries":
            c.receive(identity(1).key, Entries(TABLE, (other,)), 0)
            c.outgoing.append((None, Head(TABLE, len(c.log.entries), c.log.head)))
        else:
            one = replace(one, digest=bytes(32)).signed(identity(1))
        b.receive(identity(1).key, Entries(TABLE, (one,)), 0)
        b.outgoing.append((None, Head(TABLE, len(b.log.entries), b.log.head)))
        settle([b, c])
        assert b.log.head == c.log.head
        assert [one] * (lie == "two entries") == b.log.entries[1:-1], "the smaller hash"
        assert b.log.entries[-1].kind == "excluded" and b.log.now.seats_in() == (1, 2) and not b.stopped
        assert {event.culprit for event in b.events if isinstance(event, Convicted)} == {identity(1).key}
        assert replayed(TABLE, b.log.entries).head == b.log.head
        assert b.shelf.secret(TABLE, evidence_label(PROOF, identity(1).key))

    def test_who_sends_what_nobody_signed_behind_another_branch_is_blamed(self) -> None:
        (_, _, c), one, other = self.forked()
        c.receive(identity(1).key, Entries(TABLE, (one,)), 0)
        c.receive(identity(2).key, Entries(TABLE, (other, replace(other, signature=bytes(64)))), 0)
        assert culprits(c) == [identity(2).key]

    @pytest.mark.parametrize("moment", [1, 3, 5], ids=["proof", "entry that stands", "exclusion"])
    def test_who_cheats_while_the_disk_is_full_is_out_once_there_is_room(self, moment: int) -> None:
        (_, b, _), one, other = self.forked()
        b.receive(identity(1).key, Entries(TABLE, (one,)), 0)
        b.shelf.die_at = b.shelf.moments + moment
        with pytest.raises(Crash):  # here only this call ends, as by an error of the disk
            b.receive(identity(1).key, Entries(TABLE, (other,)), 0)
        b.shelf.die_at = b.shelf.moments + 1
        with pytest.raises(Crash):
            b.wake(HEARTBEAT)
        assert b.deadline == 2 * HEARTBEAT, "it is tried with each beat, and not all the time"
        b.wake(2 * HEARTBEAT)
        assert [entry.kind for entry in b.log.entries] == ["begin", "move", "excluded"]

    def test_nobody_is_excluded_without_a_proof(self, monkeypatch: pytest.MonkeyPatch) -> None:
        log = three()
        entry = log.write(MoveBody("a1"), identity(1))
        forged = replace(entry, body=MoveBody("b2"), signature=bytes(64))
        foreign, illegal, elsewhere = (
            replace(entry, **changed).signed(identity(1))
            for changed in ({"before": bytes(32)}, {"body": MoveBody("z9")}, {"table": bytes(16)})
        )
        pairs = [sorted((entry, other), key=lambda one: one.hash) for other in (forged, foreign, illegal, elsewhere)]
        for proof in ((entry,), (entry, entry), (), *pairs):
            with pytest.raises(Fault, match="the proof "):
                log.write(ExcludedBody(0, tuple(one.data for one in proof)), None)
        fork = ExcludedBody(0, tuple(one.data for one in both(log, identity(1), "a1", "b2")))
        monkeypatch.setattr(log_module, "MOST_PROOF_BYTES", sum(map(len, fork.proof)))
        assert log.write(fork, None)
        monkeypatch.setattr(log_module, "MOST_PROOF_BYTES", sum(map(len, fork.proof)) - 1)
        with pytest.raises(Fault, match="does not show"):  # an exclusion that holds this one would be too long to send
            log.write(fork, None)

    def test_a_proof_is_about_its_own_seat_and_a_place_of_this_log_that_came_before(self) -> None:
        log = begun(terms(seats=4, options=SMALL, lot=False), TABLE, 1, 1, 2, 3)
        unseen, deputy = log.write(MoveBody("c1"), identity(1)), replace(DEPUTY, key=identity(3).key)
        moved(log, "a1")
        fork = tuple(one.data for one in both(log, identity(1), "b2", "c3"))
        assert log.write(ExcludedBody(1, fork), None)
        moved(log, "b1")
        lent = cut(log, 1)
        lent.take(agreed(lent, deputy))
        with_moves(lent, "a1", "b1").take(agreed(lent, BackMotion(0)))
        for there, body, author in (
            (cut(log, 1), ExcludedBody(0, fork), None),
            (log, ExcludedBody(2, fork), None),
            (lent, ExcludedBody(0, (unseen.data,)), mover(lent)),
        ):
            with pytest.raises(Fault, match="does not show"):
                there.write(body, author)

    def test_a_proof_about_another_branch_excludes_nobody_from_this_one(self) -> None:
        """Of any number of these a few are shown, and a proof about this branch still excludes after one of them."""
        log, other = with_moves(three(), "a1", "b2", "c3"), with_moves(three(), "b2", "a1", "c3")
        forks = [[there.write(MoveBody(move), identity(1), used) for move in ("a2", "b1")]
                 for there, used in [*((other, used) for used in range(2 * MOST_ACQUITTALS)), (log, 0)]]  # fmt: skip
        for pairs, shown, length in ((forks[:-1], 2 * MOST_ACQUITTALS, 4), ((forks[0], forks[-1]), 5, 5)):
            b = table_of(2, cut(log))
            for one, two in pairs:
                b.convictions.convict(Fork(identity(1).key, one, two), one, two)
                for _ in range(MOST_ACQUITTALS):  # whatever is heard, what is due is written
                    b.receive(identity(3).key, Decline(TABLE, bytes(32), DROP), 0)
            assert len([said for _, said in b.outgoing if isinstance(said, Entries)]) == shown
            assert len(b.log.entries) == length and {type(event) for event in b.events} <= {Convicted, Took}

    def test_an_old_fork_does_not_take_back_what_all_have_gone_on_from(self) -> None:
        """A loser and one that was put out can't take the last rounds back by another course of them: it only loses."""
        log = three()
        there = with_moves(cut(log), "c3")
        there.take(agreed(there, DropMotion(1)))
        moved(there, "a1")
        with_moves(log, "a1", "b2").take(agreed(log, DropMotion(2)))
        with_moves(log, "c1", "a2")
        assert not cut(there).take_aside(log.entries[1:]), "all have gone on in both, and who has one keeps it"
        b = table_of(2, cut(log))
        b.receive(identity(1).key, Entries(TABLE, tuple(there.entries[1:])), 0)
        assert b.log.entries[:6] == log.entries[:6]
        assert b.log.entries[6].kind == "excluded" and b.log.now.seats_in() == (1,)

    def test_a_fork_after_the_end_changes_nothing(self) -> None:
        log = begun(terms(seats=2, options={"width": 2, "height": 2}, lot=False))
        old = log.write(MoveBody("b2"), identity(1))
        with_moves(log, "a1", "a2", "b1", "b2")
        b = table_of(2, cut(log))
        b.receive(identity(1).key, Entries(TABLE, (old,)), 0)
        assert b.log.head == log.head
        assert culprits(b) == [identity(1).key]

    def test_another_program_with_this_identity_stops_this_one(self) -> None:
        tables, one, other = self.forked()
        a = tables[0]
        a.receive(identity(2).key, Entries(TABLE, (one,)), 0)
        a.receive(identity(2).key, Entries(TABLE, (other,)), 0)
        assert a.stopped and "another program plays with this identity" in a.stopped.why
        a.outgoing.clear()
        a.resign(0)
        a.lose("crash", 0)
        assert not a.outgoing and not a.agree(DropMotion(1), 0), "it signs nothing more"


def test_all_the_others_rule_on_a_flag_that_all_saw_fall() -> None:
    motion, log = FlagMotion(0), three(clock=TimeControl(10_000, 0))
    b, c = table_of(2, cut(log)), table_of(3, cut(log))
    with pytest.raises(RulesError, match="has time left by the clock of this machine"):
        b.agree(motion, 9_000)
    assert b.agree(motion, 13_000)
    [said] = [message for _, message in b.outgoing if isinstance(message, Motion)]
    c.receive(identity(2).key, said, 13_000)
    assert c.agree(motion, 13_000)
    assert c.log.now.seats_in() == (1, 2)
    assert "time" in [entry.how for entry in c.log.now.match.entries if hasattr(entry, "how")]
    with pytest.raises(RulesError, match="this game has no clock"):
        table_of(2, three()).agree(motion, 20_000)


def test_a_seat_whose_own_entry_comes_back_is_not_gone_and_needs_no_return() -> None:
    """The others had decided that one of them plays on, who is not here; the owner was here all the time, and signed
    that it comes back.
    """
    log = three(4)
    lobby = Lobby(identity(2), "p2", "person", CrashShelf(identity(2).key))
    for number in (1, 3):
        lobby.came(identity(number).key, 0)
    lobby.shelf.keep_entry(log.entries[0])
    table = lobby.resume(TABLE, 0)
    decided, back = agreed(log, StandInMotion(0, identity(4).key, "deputy")), BackMotion(0)
    signature = identity(1).sign(statement(TABLE, log.head, back))
    returns = Motion(TABLE, log.head, back, 0, signature)
    entry = moved(log, "a1")
    for message in (Entries(TABLE, (decided,)), returns, Entries(TABLE, (entry,)), vouch(3, entry)):
        assert (0 in table.gone) is (table.log.head == decided.hash)
        lobby.receive(identity(3).key, message, 0)
    assert table.log.head == entry.hash and 0 not in table.gone
    lobby.outgoing.clear()
    lobby.wake(HEARTBEAT)
    assert not [message for _, message in lobby.outgoing if isinstance(message, Motion)]


def test_a_vouch_is_shown_to_whom_has_gone_on_from_the_decision() -> None:
    """One signed a drop and vouched for the entry, to one seat alone; from both it has gone on."""
    log, other = three(4), three(4)
    entry = moved(log, "a1")
    moved(log, "b2")
    other.take(agreed(other, DROP))
    with_moves(other, "c3", "a3")
    a, b = table_of(4, log), table_of(3, other)
    a.receive(identity(2).key, vouch(2, entry), 0)
    for now in range(0, 5 * HEARTBEAT, HEARTBEAT):
        a.wake(now)
        settle([a, b], now)
    assert b.log.head == a.log.head == log.head and b.log.stands(1, entry.hash)


def test_an_owner_that_comes_back_to_a_seat_that_has_left_meanwhile_is_not_blamed() -> None:
    log = three(4, clock=TimeControl(10_000, 0))
    bound, back = log.head, BackMotion(0)
    log.take(agreed(log, DEPUTY))
    log.take(log.write(LeftBody(0, "time"), identity(2)))
    table = table_of(3, log)
    table.receive(identity(1).key, Motion(TABLE, bound, back, 0, identity(1).sign(statement(TABLE, bound, back))), 0)
    assert culprits(table) == []


def other_signature(number: int, data: bytes) -> bytes:
    """A second signature of an identity under the same bytes, made with another secret nonce: as only a liar does."""
    from nacl import bindings as sodium

    one = identity(number)
    whole = sodium.crypto_sign_seed_keypair(bytes([number]) * 32)[1]
    digest = sodium.crypto_hash_sha512(whole[:32])
    scalar = bytes([digest[0] & 248, *digest[1:31], digest[31] & 63 | 64])
    nonce = sodium.crypto_core_ed25519_scalar_reduce(sodium.crypto_hash_sha512(b"another nonce"))
    point = sodium.crypto_scalarmult_ed25519_base_noclamp(nonce)
    challenge = sodium.crypto_core_ed25519_scalar_reduce(sodium.crypto_hash_sha512(point + one.key + data))
    reduced = sodium.crypto_core_ed25519_scalar_reduce(scalar + bytes(32))
    product = sodium.crypto_core_ed25519_scalar_mul(challenge, reduced)
    return point + sodium.crypto_core_ed25519_scalar_add(nonce, product)


def test_a_false_digest_under_nobody_s_name_is_the_sender_s_fault() -> None:
    log = three()
    false = replace(agreed(log, DROP), digest=bytes(32))
    with pytest.raises(Fault, match="leads to position") as error:
        log.take(false)
    assert type(error.value) is Fault
    table = table_of(2, log)
    table.receive(identity(3).key, Entries(TABLE, (false,)), 0)
    assert table.stopped is None
    assert culprits(table) == [identity(3).key]


def test_what_nobody_wrote_states_no_time() -> None:
    """Else whoever has the signatures could make another entry of them, with a smaller hash, at any time."""
    log = three()
    with pytest.raises(Fault, match="no time"):
        log.take(replace(agreed(log, DROP), used=7))
    begin = log.entries[0]
    with pytest.raises(Fault, match="no time"):
        Log(TABLE).take(replace(begin, used=7))


def test_one_decision_signed_twice_otherwise_is_proof_against_who_did() -> None:
    """A smaller hash must not undo what was played since: an honest seat signs the same bytes the same way."""
    log = three()
    first = agreed(log, DROP)
    log.take(first)
    moved(log, "a1")
    one, (seat, _) = first.body.signatures
    other = other_signature(3, statement(TABLE, first.before, DROP))
    again = replace(first, body=MotionBody(DROP, (one, (seat, other))))
    with pytest.raises(Fork) as error:
        log.take(again)
    assert error.value.culprit == identity(3).key
    assert len(log.entries) == 3
    table = table_of(2, log)
    table.receive(identity(1).key, Entries(TABLE, (again,)), 0)
    assert culprits(table) == [identity(3).key]
    assert len(log.entries) == 3 and table.convictions.due(writes_next=True) is None, "both are nobody's entries"


def test_who_accepts_otherwise_towards_one_than_towards_another_is_proved_to_cheat() -> None:
    """Else each of them would have another entry 0, and they would never keep step."""
    log = three()
    begin = log.entries[0]
    body = begin.body
    proposal = proposal_hash(body.terms, body.chairs)
    said = acceptance(TABLE, body.turn, proposal, body.commitments[2])
    other = (*body.signatures[:2], other_signature(3, said))
    with pytest.raises(Fork) as error:
        log.take(replace(begin, body=replace(body, signatures=other)))
    assert error.value.culprit == identity(3).key


def test_what_is_handed_on_is_on_the_disk_first() -> None:
    """Who has handed on an entry of a seat can not sign later that it never wrote it, not even after a power cut."""
    log, away = three(), three()
    shelf = CrashShelf(identity(2).key)
    table = table_of(2, log, shelf)
    entry = moved(away, "a1")
    table.receive(identity(1).key, Entries(TABLE, (entry,)), 0)
    table.came(identity(3).key, 0)
    table.receive(identity(3).key, Head(TABLE, 1, log.entries[0].hash), 0)
    assert any(isinstance(message, Entries) for _, message in table.outgoing)
    shelf.lose_power()
    assert shelf.entries(TABLE) == [entry.data]


def with_entries(log: Log, *entries: Entry) -> Log:
    made = cut(log)
    for entry in entries:
        made.take(entry)
    return made


def both_ways(one: Log, other: Log) -> Difference | None:
    """The same whichever log is named first."""
    found = difference(one, other)
    assert difference(other, one) == found
    return found


def test_the_beginning_of_a_log_differs_in_nothing() -> None:
    log = three()
    before = cut(log)
    moved(log, "a1")
    assert both_ways(log, before) is None
    assert both_ways(log, cut(log)) is None


def test_one_key_under_two_entries() -> None:
    log = three()
    author = mover(log)
    logs = [with_entries(log, log.write(MoveBody(text), author)) for text in ("a1", "b2", "c3")]
    for one, other in pairwise(logs):
        moved(one, str(next(iter(one.now.match.state.moves))))
        assert both_ways(one, other) == Difference(1, Ground.SIGNED_BOTH, (author.key,))


def by_keys(ground: Ground, *numbers: int) -> Difference:
    return Difference(1, ground, tuple(sorted(identity(number).key for number in numbers)))


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        ("a1", by_keys(Ground.UNSEEN)),
        ("a1 b2", by_keys(Ground.WENT_ON, 2)),
        ("a1 b2 c3", by_keys(Ground.WENT_ON, 2, 3)),
    ],
)
def test_who_signed_a_decision_and_went_on_from_what_it_denies(moves: str, found: Difference) -> None:
    """A seat that wrote unseen and was dropped accuses nobody."""
    log = three()
    decided, played = with_entries(log, agreed(log, DROP)), with_moves(cut(log), *moves.split())
    assert both_ways(decided, played) == found
    moved(decided, "c2")
    assert both_ways(decided, played) == found


def test_two_decisions_accuse_nobody_and_a_proof_of_exclusion_is_a_proof() -> None:
    log = three()
    first, second = both(log, identity(1), "a1", "b2")
    excluded = with_entries(log, log.write(ExcludedBody(0, (first.data, second.data)), None))
    dropped, lent = with_entries(log, agreed(log, DROP)), with_entries(log, agreed(log, DEPUTY))
    assert both_ways(dropped, lent) == by_keys(Ground.DECIDED_TWICE)
    assert both_ways(excluded, with_entries(log, second)) == by_keys(Ground.EXCLUDED, 1)


def test_two_beginnings() -> None:
    one, other = (begun(terms("barons", 3, lot=False), turn=turn) for turn in (1, 2))
    assert both_ways(one, other) == Difference(0, Ground.BEGUN_TWICE)


def test_a_decision_that_is_signed_in_two_ways() -> None:
    """Honest programs sign the same bytes the same way. Another signature that verifies is made by its key alone."""
    log = three()
    decided = agreed(log, DROP)
    motion, (first, (seat, _)) = decided.body.motion, decided.body.signatures
    again = replace(decided, body=MotionBody(motion, (first, (seat, bytes(64)))))
    one, other = with_entries(log, decided), cut(log)
    other.entries.append(again)  # no signature of libsodium's varies, so the log can't be made to take this
    other.standings.append(one.now)
    assert both_ways(one, other) == Difference(1, Ground.SIGNED_TWICE, (identity(3).key,))
