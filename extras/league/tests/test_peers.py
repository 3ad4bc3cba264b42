"""Entrants that are peers, without sockets: the file, bytes in bad weather, a game retold, an owner's programs."""

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, cast

import pytest

from quadrille.ai.bot import Bot
from quadrille.ai.bots.lines.dialogue import Dialogue, Seating
from quadrille.ai.bots.notes import Notes
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.process.program_lines import MOST_UNREAD
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.policy import ANYONE, Policy
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import plan_of
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.plans.plan_text import differences
from quadrille.extras.league.peers import reliable_stream as engagement
from quadrille.extras.league.peers.engaged import AWAY, Engagements
from quadrille.extras.league.peers.exchange import Exchange, _Engagement
from quadrille.extras.league.peers.program import PeerProgram, PeerTalk
from quadrille.extras.league.peers.reliable_stream import AGAIN, LONGEST, SENT, ReliableStream
from quadrille.net.core.errors import PeerError
from quadrille.net.core.limits import Bucket
from quadrille.net.core.machine import drain
from quadrille.net.entries.terms import Chair, TimeControl
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from quadrille.net.neighbours.neighbour import NeighbourLimits
from quadrille.net.program.station import Station
from quadrille.net.seating.lobby import Lobby, StrayMessage
from quadrille.rules.chance import Stream as Dice
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.ai.inside import Anything, Inside
from tests.net.by_hand import CrashShelf
from tests.net.network import check_contract
from tests.net.tables import TABLE, identity, terms

KEY = "a1" * 32
FILE = f"""\
[[game]]
game = "maze"

[[entrant]]
name = "ada"
peer = "{KEY.upper()}"

[[entrant]]
bot = "greedy"
"""


# The file


def test_a_peer_by_its_key() -> None:
    plan = parse(FILE, ".")
    ada, greedy = plan.entrants
    assert (ada.name, ada.peer, ada.bot, ada.words, ada.digest) == ("ada", KEY, "", (), "")
    assert ada.text == f"ada = peer {KEY}"
    assert parse(FILE.replace('name = "ada"\n', ""), ".").entrants[0].name == ada.written
    again = plan_of(json.loads(json.dumps(plan.plain())), ".")
    assert again.entrants == plan.entrants
    assert "peer" not in greedy.plain()  # as in journals that were begun before there were any
    other = parse(FILE.replace("A1", "B2"), ".")
    [line] = differences(other.plain(), plan.plain())
    assert line.startswith('peer of entrant ada is "b2b2') and 'here and "a1a1' in line
    assert other.schedule().fixture(0).id != plan.schedule().fixture(0).id


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        (KEY.upper(), "3f2a 91bc", 6, 'peer takes a whole key, 64 hexadecimal digits, not "3f2a 91bc"'),
        (KEY.upper(), KEY[:-1] + "g", 6, "peer takes a whole key"),
        ('peer = "', 'bot = "greedy"\npeer = "', 4, "only one of them"),
        ('name = "ada"\n', "limits = {cpu = 1}\n", 5, "what a peer's may use its owner says"),
        ('bot = "greedy"', f'peer = "{KEY}"', 9, f"there are two entrants with the key {KEY}"),
        ('name = "ada"', 'nmae = "ada"', 5, "did you mean name?"),
    ],
)
def test_a_wrong_one_is_refused_with_its_line(old: str, new: str, line: int, why: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse(FILE.replace(old, new), ".")
    assert why in str(caught.value)
    assert caught.value.line == line


# Bytes


def received(end: ReliableStream, words: Words, now: int) -> bytes:
    """Return what is new in a message."""
    end.receive(b"", words, now)
    return b"".join(drain(end.events))


@pytest.mark.parametrize("seed", range(6))
def test_each_byte_comes_once_and_in_order_in_any_weather(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engagement, "PIECE", 7)
    dice = Dice("stream", str(seed))
    ends = [ReliableStream(TABLE), ReliableStream(TABLE)]
    said, heard = [b"", b""], [b"", b""]
    way: list[tuple[int, Words]] = []
    now = 0
    while now < 1_000_000:
        now += 50
        for end in (0, 1):
            if now < 20_000 and dice.randrange(4) == 0:
                data = bytes(dice.randrange(256) for _ in range(1 + dice.randrange(3) ** 2 * 5))
                said[end] += data
                ends[end].say(data, now)
            if dice.randrange(100) == 0:
                ends[end].meet(now)
            ends[end].wake(now)
            check_contract(ends[end], now)
            way += [(1 - end, words) for words in ends[end].outgoing]
            ends[end].outgoing.clear()
        for _ in range(len(way)):
            to, words = way.pop(dice.randrange(min(3, len(way))))
            chance = dice.randrange(10)
            if chance:  # one in ten is lost, and one in ten comes twice
                for _ in range(1 + (chance == 1)):
                    heard[to] += received(ends[to], words, now)
        if now > 20_000 and heard == [said[1], said[0]] and not any(end.unheard for end in ends):
            break
    assert heard == [said[1], said[0]]
    assert [end.unheard for end in ends] == [0, 0]


def test_what_nobody_said_can_t_have_been_heard() -> None:
    one = ReliableStream(TABLE)
    one.say(b"hello", 0)
    with pytest.raises(PeerError, match="has heard 6 bytes of an engagement, and 5 were said"):
        received(one, Words(TABLE, 0, 6, b""), 0)
    assert received(one, Words(TABLE, 3, 5, b"late"), 0) == b"" and one.unheard == 0


def test_what_nobody_hears_is_said_again_more_and_more_seldom() -> None:
    one, due = ReliableStream(TABLE), [AGAIN]
    one.say(b"hello", 0)
    one.wake(AGAIN - 1)
    assert [words.said for words in one.outgoing] == [b"hello"]
    while len(due) < 6:
        one.wake(due[-1])
        due.append(one.deadline)
    assert [words.said for words in one.outgoing] == [b"hello"] * 6
    assert [later - at for at, later in pairwise(due)] == [2 * AGAIN, 4 * AGAIN, LONGEST, LONGEST, LONGEST]
    assert received(one, Words(TABLE, 0, 1, b""), due[-1]) == b""
    assert one.deadline == due[-1] + AGAIN, "it hears something"
    received(one, Words(TABLE, 0, 5, b""), due[-1])
    one.wake(due[-1] + LONGEST)
    assert len(one.outgoing) == 6, "it has heard all"


def test_nobody_says_more_than_a_node_takes() -> None:
    one, bucket, most = ReliableStream(TABLE), Bucket(SENT), SENT.burst
    for _ in range(2 * most):
        one.say(b"x", 0)
    first = one.sent(bucket, 5000)
    assert len(first) == most and first[0].start == 0
    assert len(one.sent(bucket, 5500)) == most // 2
    assert [words.start for words in one.sent(bucket, 6000)] == list(range(most * 3 // 2, 2 * most))
    assert one.outgoing == []
    assert NeighbourLimits().messages_a_second > most


class Way(NamedTuple):
    """A worker's way to a peer, and the other end of it."""

    worker: PeerProgram
    exchange: "Connection[Any, Any]"


@pytest.fixture
def way() -> Iterator[Way]:
    ours, theirs = multiprocessing.Pipe()
    yield Way(PeerProgram("ada", ours, "ada's key"), theirs)
    ours.close()
    theirs.close()


def test_a_line_of_a_peer_that_never_ends_is_a_fault(way: Way) -> None:
    for _ in range((1 << 20) // 60_000):
        way.exchange.send(("heard", b"x" * 60_000))
        assert way.worker.line() is None
    way.exchange.send(("heard", b"x" * 60_000))
    with pytest.raises(BotFault, match="wrote a line of more than"):
        way.worker.line(1)


def test_a_way_that_is_gone_is_told_to_whoever_uses_it(way: Way) -> None:
    way.exchange.close()
    with pytest.raises(TournamentError, match="ada: the way to it is gone"):
        way.worker.line(1)
    with pytest.raises(TournamentError, match="ada: the way to it is gone"):
        way.worker.send(b"hello")


def test_a_worker_and_a_peer_that_read_nothing_are_told_only_so_much(way: Way) -> None:
    """Or a peer would hold up the games of all others by all that it says, and fill the memory by all that it asks."""
    station = cast("Station", None)
    exchange = Exchange(lambda: station)
    one = _Engagement(way.exchange, b"key", terms("maze"), 0, 0, fresh=False)
    one.stream = ReliableStream(TABLE)

    def flood() -> int:
        assert one.stream is not None
        for _ in range(5000):
            exchange._listen(station, one, Words(TABLE, one.stream.heard, 0, b"x" * 100))
        return one.stream.heard

    first = flood()
    assert 1000 < first < 1 << 17 and flood() == first
    while way.worker.line() is not None or way.worker._way.poll():
        pass  # a line that never ends
    exchange._open[way.exchange] = one
    exchange._take(station, way.exchange, way.exchange.recv())
    assert flood() > first
    for _ in range(MOST_UNREAD // 1000 + 1):
        exchange._take(station, way.exchange, ("say", b"x" * 1000))
    with pytest.raises(BotFault, match="does not read its input"):
        way.worker.line(1)
    way.worker.send(b"nobody hears that\n")
    assert way.worker.ended and not way.worker.told


def test_a_game_whose_beginning_was_cut_off_is_void(way: Way) -> None:
    talk = PeerTalk(cast("Program", way.worker))
    way.exchange.send(("heard", b'{"hello": "x", "protocol": 1}\n'))
    assert talk.greet().name == "x"
    match = Match(game("maze"), {}, 2)
    talk.dialogue.start(match, match.state.view(0), Seating(), -100_000)  # long ago
    way.exchange.send(("gone",))
    with pytest.raises(TournamentError, match="ada was out of reach as the game was to begin") as caught:
        talk.hear()
    assert caught.value.absent == "ada's key"
    talk.close()


@pytest.mark.parametrize("key", [key for key in keys() if game(key).hidden])
def test_who_cuts_itself_off_before_its_first_turn_has_seen_no_card_of_the_deal(way: Way, key: str) -> None:
    """The game is dealt anew when it is played again, so that else it might choose its cards."""
    told = set[bytes]()
    for deal in "abcdefgh":
        match, dialogue = Match(game(key), {}, 2, deal=Deal(deal)), Dialogue(0)
        dialogue.receive(b'{"hello": "x", "protocol": 1}', 0)
        dialogue.start(match, match.state.view(0), Seating(), 0)
        told.add(dialogue.outgoing[-1])
    assert len(told) == 1


# An owner's programs


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where notes are kept; whoever keeps them is closed in the end."""
    yield tmp_path
    while Owner.all:
        Owner.all.pop().engagements.close()


@pytest.fixture
def owner(folder: Path) -> "Owner":
    return Owner(folder)


class Owner:
    """A bot's part, with programs that are in this process, and what its peer says."""

    all: ClassVar[list["Owner"]] = []

    def __init__(self, folder: Path, bots: Sequence[Bot | bytes] = (), most: int = 1) -> None:
        self.folder = folder
        self.lobby = Lobby(identity(1), "Rob", "bot", CrashShelf(identity(1).key))
        self.bots = [*bots]
        self.started: list[Inside] = []
        self.now = 0
        self.policy = Policy()
        self.engagements = Engagements(self.lobby, self.lend, self.objects, most)
        self.lobby.here.add(identity(2).key)
        Owner.all.append(self)

    def objects(self, key: bytes, agreed: Any) -> str | None:
        return self.policy.objection_to_runner(agreed, Chair(key, "Run", "runner"))

    def lend(self) -> tuple[Program, Notes]:
        bot = self.bots.pop(0) if self.bots else Anything()
        one = Inside(Anything(), lambda _: bot) if isinstance(bot, bytes) else Inside(bot)
        self.started.append(one)
        program = cast("Program", one)
        return program, Notes(self.folder, program.command, lambda: "", lambda _: None)

    def hear(self, message: Any, number: int = 2) -> list[Any]:
        self.engagements.hear(StrayMessage(identity(number).key, message), self.now, 0)
        return self.says()

    def says(self) -> list[Any]:
        self.engagements.act(self.now)
        said = [message for _, message in self.lobby.outgoing]
        self.lobby.outgoing.clear()
        return said

    def engage(self, table: bytes = TABLE, *, fresh: bool = False, **more: Any) -> Engaged:
        [answer] = self.hear(Engage(table, terms("maze", **more), fresh))
        assert isinstance(answer, Engaged)
        return answer


def tell(owner: Owner, end: ReliableStream, *lines: bytes) -> list[bytes]:
    """Lines for its program, and what that answers."""
    end.say(b"".join(lines), owner.now)
    answers = []
    for words in list(end.outgoing):
        for said in owner.hear(words):
            if isinstance(said, Words):
                answers += received(end, said, owner.now).splitlines()
    end.outgoing.clear()
    return answers


def line(do: str, **more: Any) -> bytes:
    return json.dumps({"do": do, **more}).encode() + b"\n"


HELLO = line("hello", protocol=1, rules=1)
START = line(
    "start", table="t", game="maze", options={"size": 3}, seats=2, seat=0, names=["a", "b"], clock=None, seed="",
    news=[],
)  # fmt: skip
READY = [b'{"ready": true}']
OVER = line("over", places=[1, 2], figures={}, reason="", news=[])


def test_a_program_is_kept_and_says_once_who_it_is(owner: Owner) -> None:
    for number in range(3):
        table = bytes([number]) * 16
        assert owner.engage(table).reply == "yes"
        assert owner.engage(table).reply == "yes"  # asked twice, since the first answer was late
        end = ReliableStream(table)
        [greeting] = tell(owner, end, HELLO)
        assert json.loads(greeting)["hello"] == "Anything"
        assert tell(owner, end, START) == READY
        assert tell(owner, end, OVER) == []
        assert owner.hear(Gone(table)) == []
    assert len(owner.started) == 1 and not owner.started[0].ended
    assert len(list(owner.folder.glob("*.jsonl"))) == 3  # notes of each game
    assert owner.engage(fresh=True).reply == "yes"
    assert len(owner.started) == 2 and owner.started[0].ended
    owner.engagements.close()
    assert owner.started[1].ended
    assert len(owner.engagements.news) == 1 and "who runs a tournament" in owner.engagements.news[0]


def test_a_program_in_the_middle_of_a_game_is_not_kept(owner: Owner) -> None:
    owner.engage()
    tell(owner, ReliableStream(TABLE), HELLO, START)
    owner.hear(Gone(TABLE))
    assert owner.started[0].ended
    owner.engage()
    assert len(owner.started) == 2


def test_a_kept_program_that_ends_at_once_is_started_again(folder: Path) -> None:
    class Once(Anything):
        """For a single game."""

    owner = Owner(folder, [Once()])
    owner.engage()
    first = ReliableStream(TABLE)
    tell(owner, first, HELLO, START, OVER)
    owner.hear(Gone(TABLE))
    second = ReliableStream(b"another one here")
    owner.engage(second.table)
    tell(owner, second, HELLO)
    owner.started[0]._said.append(b"ends")
    assert tell(owner, second, START) == READY
    assert len(owner.started) == 2


def test_how_a_program_failed_is_told_until_it_is_heard(folder: Path) -> None:
    owner = Owner(folder, [b"ends"])
    owner.engage()
    [told] = owner.hear(Words(TABLE, 0, 0, HELLO))
    assert told == Engaged(TABLE, "crash", "ended with exit code 1", 0)
    assert owner.says() == []
    owner.now += AGAIN
    assert owner.says() == [told]
    owner.hear(Gone(TABLE))
    owner.now += AGAIN
    assert owner.says() == []


def test_where_it_does_not_play(owner: Owner) -> None:
    owner.policy = Policy(games=frozenset({"barons"}))
    assert owner.engage() == Engaged(TABLE, "no", "it does not play maze, only barons", 0)
    owner.policy = Policy(runners=frozenset({"Somebody"}))
    assert owner.engage().why == "it does not play in tournaments of Run"
    run = Chair(identity(2).key, "Run", "runner")
    for who in (identity(2).key.hex(), ANYONE):
        assert Policy(runners=frozenset({who})).objection_to_runner(terms(), run) is None
    assert Policy(runners=frozenset({"Run"})).objection_to_runner(terms(), run)  # anybody can claim that name
    owner.policy = Policy(shortest=60_000)
    assert owner.engage(clock=TimeControl(1000, 0)).why == "the clock 1s+0s is too short for it"
    owner.policy = Policy(kept_for_people=1)
    assert "seats are kept for people" in owner.engage().why
    owner.policy = Policy()
    assert owner.hear(Engage(TABLE, terms("maze", rules=99), False))[0].reply == "no"
    assert not owner.started


def test_as_many_tables_as_it_may(folder: Path) -> None:
    owner = Owner(folder, most=2)
    tables = [bytes([number]) * 16 for number in range(3)]
    assert [owner.engage(table).reply for table in tables[:2]] == ["yes", "yes"]
    assert [said.reply for said in owner.hear(Engage(tables[2], terms("maze"), False), 3)] == ["full"]
    owner.hear(Gone(tables[0]))
    assert owner.engage(tables[2]).reply == "yes"


def test_a_lost_gone_keeps_nobody_waiting(owner: Owner, way: Way) -> None:
    """The runner ends a game, its Gone is lost, and the next game asks for the same bot."""
    runner = Exchange(lambda: cast("Station", None))
    asking = _Engagement(way.exchange, identity(1).key, terms("maze"), 0, 0, fresh=False)
    runner._by_table[asking.table] = asking
    station = cast("Any", SimpleNamespace(lobby=SimpleNamespace(outgoing=[])))
    owner.engage(TABLE)
    replies = []
    for _ in range(2):
        for said in owner.hear(Engage(asking.table, asking.terms, False)):
            replies += [said.reply] if isinstance(said, Engaged) else []
            runner._hear(station, StrayMessage(asking.key, said))
        for _, answer in station.lobby.outgoing:
            owner.hear(answer)
        station.lobby.outgoing.clear()
    assert replies == ["full", "yes"]
    assert runner.news.empty()  # the person was told of no other tables


def test_only_its_runner_speaks_to_a_program(owner: Owner) -> None:
    assert owner.hear(Words(TABLE, 0, 0, HELLO)) == [Gone(TABLE)]  # of a run that it knows nothing of
    owner.engage()
    for message in (Words(TABLE, 0, 0, HELLO), Gone(TABLE), Engage(TABLE, terms("maze"), False)):
        assert owner.hear(message, 3) == []
    assert len(owner.engagements) == 1 and not owner.started[0]._said
    owner.hear(Words(TABLE, 0, 7, b""))
    assert len(owner.engagements) == 0  # it has heard what nobody said


def test_a_runner_that_is_gone_for_long_has_it_no_more(owner: Owner) -> None:
    owner.engage()
    tell(owner, ReliableStream(TABLE), HELLO)
    owner.lobby.here.clear()
    owner.says()
    owner.now += AWAY
    owner.says()
    assert len(owner.engagements) == 1
    owner.lobby.here.add(identity(2).key)
    assert [type(said) for said in owner.says()] == [Words]  # where we are
    owner.lobby.here.clear()
    owner.says()
    owner.now += AWAY + 1
    owner.says()
    assert len(owner.engagements) == 0 and owner.started[0].ended
