"""What a person reads of what the seats rule on: cheats, replaced entries, flags, time that was understated."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.client.plain.table import PlainTable
from quadrille.client.plain.verification import _verdict
from quadrille.client.screen.table.shown import seated
from quadrille.client.table.notices import Kind
from quadrille.client.table.stage import SUM_EVERY, Bystander, Floods
from quadrille.client.table.table_seat import TableSeat
from quadrille.net.entries.bodies import BeginBody, MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DropMotion
from quadrille.net.entries.terms import NOBODY, TimeControl
from quadrille.net.entries.wire import Entries
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from quadrille.net.game_log.two_logs import Difference, Ground
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import At, Invited
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import fingerprint
from tests.client.conftest import Run, output
from tests.client.evening import Evening, barons, here, mute, plain_face
from tests.net.by_hand import agreed, moved
from tests.net.by_hand import three as log_of_three
from tests.net.tables import begun, identity, mover, terms


def three(**more: Any) -> Evening:
    made = Evening(barons(3, **more)).begin()
    for name in ("p0", "p1", "p2"):
        made.told(name)
    return made


# A seat that is here, owes a move and says nothing when its time is up; who stated a false position


def test_where_all_the_others_are_not_here_that_is_said() -> None:
    made = three(clock=TimeControl(10_000, 0))
    with mute(made.table("p0").table.identity.key):
        made.settle(14_000)
        made.crash("p2")
        made.settle(8000)
        assert "All the others have to agree, and player 3 (p2) is away" in made.type("p1", "flag")


def test_a_flag_is_refused_where_no_clock_runs_and_where_two_are_alone() -> None:
    assert "No clock runs here" in three().type("p1", "flag")
    two = Evening(barons(clock=TimeControl(10_000, 0), grace=2000)).begin()
    assert "neither can prove the other wrong" in two.type("p1", "flag")
    two.crash("p0")
    two.settle(8000)
    stage = two.table("p1").stage
    assert stage.table.overdue(two.world.now) and not seated(stage, (), here=1).votes


def test_signed_evidence_that_is_kept_is_said_to_be() -> None:
    made = three()
    talk = made.table("p1")
    cheat = made.peers[0]
    own = made.table("p0").table.log
    good = own.write(MoveBody("a1"), cheat.identity)
    bad = Entry(good.table, 1, good.before, good.author, MoveBody("z9"), 0, good.digest).signed(cheat.identity)
    talk.table.receive(cheat.identity.key, Entries(good.table, (bad,)), made.world.now)
    made.world.after(made.peers[1])
    told = made.told("p1")
    assert "player 1 (p0) sent an invalid message, which changed nothing" in told
    assert told.rstrip().endswith("The signed message is kept as proof.")
    here(talk, Blamed(cheat.identity.key, "something else"))
    assert "is kept" not in made.told("p1")


class Reader:
    """A person with a seat at a table that a test feeds with entries."""

    def __init__(self, log: Log, number: int) -> None:
        self.made = Evening(barons())
        peer = self.made.peers[0]
        self.table = Table(log, identity(number), peer.shelf, 0)
        self.made.sit(peer, TableSeat(self.made.context(peer), self.table))
        self.talk = self.made.table("p0")
        self.made.told("p0")

    def hears(self, *entries: Entry) -> str:
        player = self.table.log.now.keys[1]  # what nobody has written comes from a player, too
        for entry in entries:
            author = player if entry.author == NOBODY else entry.author
            self.table.receive(author, Entries(entry.table, (entry,)), 0)
        events, self.table.events[:] = self.table.events[:], []
        for event in events:
            here(self.talk, event)
        return self.made.told("p0")


def again(log: Log) -> Log:
    made = Log(log.table)
    for entry in log.entries:
        made.take(entry)
    return made


class TestReplaced:
    """What takes the place of something is told in words, and never in silence."""

    def test_a_game_that_was_over_goes_on(self) -> None:
        log = begun(terms("barons", 3, {"width": 2, "height": 3}, lot=False))
        for text in ("a1", "a2", "a3", "b1", "b2"):
            moved(log, text)
        decided = agreed(log, DropMotion(2))
        moved(log, "b3")
        there = Reader(again(log), 3)
        assert there.table.over
        told = there.hears(decided)
        reached = "the others had decided about player 3 (name 2) before its last move reached them."
        goes_on = there.table.over is None
        first = "The game, which was over, goes on" if goes_on else "The end of the game was replaced"
        assert told.splitlines()[0] == f"{first}: {reached}"
        assert "player 3 (name 2) has been dropped" in told

    def test_entries_that_are_replaced_are_counted_once(self) -> None:
        log = begun(barons(3))
        decided = agreed(log, DropMotion(0))
        other = again(log)
        moved(log, "a1")
        moved(log, "b2")
        there = Reader(again(log), 3)
        told = there.hears(decided)
        why = "the others had decided about player 1 (name 0) before its last move reached them"
        assert told.splitlines() == [f"2 entries were replaced: {why}.", "player 1 (name 0) has been dropped."]
        other.take(decided)
        back = Reader(other, 2)
        moved(log, "c3")
        told = back.hears(*log.entries[1:])
        assert told.splitlines()[0] == (
            "An entry was replaced: player 1 (name 0) had moved before the others decided about it."
        )
        assert told.count("replaced") == 1
        assert "player 2 (name 1): b2" in told

    def test_two_entries_that_one_key_signed(self) -> None:
        log = begun(barons(3))
        one, other = sorted(
            (log.write(MoveBody(text), mover(log)) for text in ("a1", "b2")), key=lambda entry: entry.hash
        )
        there = Reader(again(log), 3)
        there.hears(other)
        told = there.hears(one)
        assert "An entry was replaced: player 1 (name 0) signed two entries for one place, and all peers keep" in told
        assert "The program of player 1 (name 0) signed two different entries for one place" in told


# Floods of words: the first lines of ordinary talk are told, and a flood is one line and a sum


ANN, BOB = b"a" * 32, b"b" * 32
#: Words of a flood.
MANY = 8000


def evening(others: int = 0) -> Evening:
    made = Evening(barons(), others=others).begin()
    made.told("p0")
    return made


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("stranger", [False, True])
def test_a_flood_is_a_few_lines_and_a_sum(kind: Kind, stranger: bool) -> None:
    floods, told, sums = Floods(), 0, []
    for now in range(MANY):  # a thousand a second
        told += floods.hear(kind, ANN, now, stranger=stranger)
        sums += floods.sums(now)
    sums += floods.sums(MANY + SUM_EVERY)
    assert told <= 40
    assert len(sums) <= MANY // SUM_EVERY + 1
    assert told + sum(count for _, _, count in sums) == MANY
    assert {author for _, author, _ in sums} == {ANN}


def test_a_stranger_with_many_keys_floods_no_more_than_one() -> None:
    floods, told, sums = Floods(), 0, 0
    for now in range(MANY):
        told += floods.hear(Kind.CHAT, now.to_bytes(32), now, stranger=True)
        sums += len(floods.sums(now))
    assert told <= 40
    assert sums <= 5
    assert len(floods._stranger[Kind.CHAT]) <= 256 and len(floods._counts) <= 257
    assert floods.hear(Kind.CHAT, BOB, MANY, stranger=False)  # and it drowns nobody who sits here


def test_one_who_floods_holds_back_nobody_else_and_may_be_muted() -> None:
    floods = Floods()
    for now in range(1000):
        floods.hear(Kind.CHAT, ANN, now, stranger=False)
    assert floods.hear(Kind.CHAT, BOB, 1000, stranger=False)
    assert floods.hear(Kind.NAME, ANN, 1000, stranger=False)
    floods.mute(ANN)
    assert not floods.hear(Kind.CHAT, ANN, 10**6, stranger=False)
    assert floods.sums(10**7) == []


def test_names_invitations_and_blames_are_bounded_wherever_a_person_is() -> None:
    made = evening(others=1)
    bob = made.peers[2].identity.key
    lounge = plain_face(Bystander(made.context(made.peers[0])), made.outs["p0"])
    for talk in (made.table("p0"), lounge):
        for number in range(300):
            talk.hear(Remark(bob, f"it now goes by {number}"))
            talk.hear(Invited(bob, number.to_bytes(16), barons()))
            if isinstance(talk, PlainTable):
                talk.hear(At(talk.table.log.table, Blamed(bob, f"why {number}")))
        told = made.told("p0")
        assert told.count("it now goes by") == told.count("invites you") == 3
        assert told.count("why ") == (3 if isinstance(talk, PlainTable) else 0)
    made.settle(SUM_EVERY + 1000)
    told = made.told("p0")
    assert "p2 changed its name 297 more times (block p2 to hear no more)." in told
    assert "p2 sent 297 more invitations" in told
    assert "p2 sent 297 more invalid messages" in told


def test_block_in_the_lobby_asks_the_station() -> None:
    made = evening(others=1)
    blocked: list[bytes] = []
    context = replace(made.context(made.peers[0]), block=blocked.append)
    lounge = plain_face(Bystander(context), made.outs["p0"])
    lounge.typed("block p2")
    assert blocked == [made.peers[2].identity.key]
    lounge.hear(Remark(blocked[0], "it now goes by another name"))
    assert made.told("p0") == "p2 is blocked: you hear nothing more from that player.\n"


# Whom `quadrille verify` names: nobody but the one whose signature is under what is wrong


CANNOT = "Whose fault that is can't be told: whoever had the file may have changed it."


@pytest.fixture
def log() -> Log:
    made = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for text in ("a1", "b2"):
        made.take(made.write(MoveBody(text), mover(made)))
    return made


def wrong(run: Run, *lines: str) -> str:
    """What is said of a file of these lines, in which something is wrong."""
    Path("game.log").write_text("".join(f"{line}\n" for line in lines))
    ran = run("verify game.log")
    assert ran.code == 1
    return ran.out


def told_of(run: Run, entries: Sequence[Entry]) -> str:
    return wrong(run, archive.FIRST_LINE, *(base64.b64encode(entry.data).decode() for entry in entries))


def test_a_changed_secret_that_nobody_signed_names_nobody(log: Log, run: Run) -> None:
    first, *rest = log.entries
    begin = first.body
    assert isinstance(begin, BeginBody)
    secrets, signatures = (bytes(32), *begin.secrets[1:]), (*begin.revelations[:-1], bytes(64))
    for other in (replace(begin, secrets=secrets), replace(begin, revelations=signatures)):
        told = told_of(run, [replace(first, body=other), *rest])
        assert "did not sign" in told and told.endswith(CANNOT + "\n")
        assert "The entry is by" not in told


def test_what_a_seat_signed_names_that_seat(log: Log, run: Run) -> None:
    turn = mover(log)
    author = next(one for one in (identity(0), identity(1), identity(2)) if one.key == turn.key)
    entry = replace(log.write(MoveBody("c3"), author), digest=bytes(32)).signed(author)
    told = told_of(run, [*log.entries, entry])
    assert "The entry is by" in told and fingerprint(author.key) in told


def test_entries_of_two_logs_or_in_another_order_name_nobody(log: Log, run: Run) -> None:
    """Each author signed what it wrote; whoever had the file put it together, or in another order."""
    first, second, third = log.entries
    told = told_of(run, [first, third, second])
    assert "entry 1 should be here, not entry 2" in told and "(by " not in told and told.endswith(CANNOT + "\n")
    other = begun(terms(options={"width": 3, "height": 3}, lot=False))
    for text in ("c3", "b2", "a1"):
        other.take(other.write(MoveBody(text), mover(other)))
    told = told_of(run, [*log.entries[:2], *other.entries[2:]])
    assert "line 4: entry 2 does not follow the one before it here" in told
    assert "(by " not in told and told.endswith(CANNOT + "\n")


def test_a_changed_byte_is_found_in_its_line(log: Log, run: Run) -> None:
    Path("game.log").write_text(archive.write(log))
    assert "All 3 entries are as they should be" in output(run, "verify", "game.log")
    lines = archive.write(log).splitlines()
    lines[3] = lines[3][:60] + ("A" if lines[3][60] != "A" else "B") + lines[3][61:]
    assert ": line 4: " in wrong(run, *lines)
    assert "is neither the log of a table nor the record of a game." in wrong(run, "neither")


class TestTwoLogs:
    """Two logs that lie side by side show where they differ, and who lied."""

    def compared(self, run: Run, one: Log, other: Log) -> tuple[int, list[str]]:
        """What `quadrille verify` says at the end, after its words about each of the two."""
        for name, made in (("a.log", one), ("b.log", other)):
            Path(name).write_text(archive.write(made))
        code, told, _ = run("verify a.log b.log")
        assert told.count("entries are as they should be") == 2
        return code, told.split("\n\n")[-1].splitlines()

    def test_the_beginning_of_the_other_and_the_same(self, log: Log, run: Run) -> None:
        short = Log(log.table)
        short.take(log.entries[0])
        goes_on = "b.log is the beginning of a.log, which goes on for 2 entries more."
        assert self.compared(run, log, short) == (0, [goes_on])
        assert self.compared(run, log, log) == (0, ["The two logs are the same, 3 entries long."])

    def test_two_entries_of_one_key(self, run: Run) -> None:
        one, other = log_of_three(), log_of_three()
        for made, text in ((one, "a1"), (other, "b2")):
            moved(made, text)
        who = f"player 1 (name 0) ({fingerprint(identity(1).key)})"
        assert self.compared(run, one, other) == (
            1,
            [
                "The two logs of this table agree up to entry 1, which they have differently:",
                "  a.log: player 1 (name 0): a1",
                "  b.log: player 1 (name 0): b2",
                f"{who} lied: its key signed two different entries for one place.",
            ],
        )

    def test_a_decision_and_those_who_went_on(self, run: Run) -> None:
        dropped, played = log_of_three(), log_of_three()
        dropped.take(agreed(dropped, DropMotion(0)))
        moved(played, "a1")
        code, told = self.compared(run, dropped, played)
        assert code == 1 and told[1] == "  a.log: player 1 (name 0) has been dropped."
        assert told[3].startswith("Nobody is proved to have lied: player 1 (name 0) may have written unseen")
        moved(played, "b2")
        told = self.compared(run, dropped, played)[1]
        assert told[3].startswith(f"player 2 (name 1) ({fingerprint(identity(2).key)}) signed the decision about")
        assert "It lied, unless it can show that another which signed the decision has vouched" in told[3]
        moved(played, "c3")
        told = self.compared(run, dropped, played)[1]
        assert "At least one of them lied: a vouch for the entry" in told[3]
        assert "all but one could be excused. No log holds vouches." in told[3]

    def test_logs_of_two_tables_and_what_is_no_log(self, run: Run) -> None:
        other = begun(terms(seats=3, options={"width": 3, "height": 3}, lot=False), b"table number two")
        code, told = self.compared(run, log_of_three(), other)
        assert code == 1 and told[0].startswith("The two are logs of different tables: ")
        Path("b.log").write_text("neither")
        ran = run("verify a.log b.log")
        assert ran.code == 1 and "only two logs can be compared" in ran.out

    def test_every_verdict_has_its_words(self) -> None:
        for ground in Ground:
            log = log_of_three()
            log.take(agreed(log, DropMotion(0)))
            text = _verdict(log, log, Difference(1, ground, (identity(2).key,)))
            assert text.endswith(".") and "{" not in text
