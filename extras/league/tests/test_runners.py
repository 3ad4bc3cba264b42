"""Runners that are dishonest or strange: a bot that serves goes on serving the others."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from extras.league.tests.test_peers import HELLO, OVER, START, Owner, folder, owner, tell
from quadrille.ai.bots.notes import LONGEST_OPENING, MOST_OPENING, Notes
from quadrille.ai.json_lines import LONGEST_LINE
from quadrille.extras.league.peers.engaged import SHUT_OUT, STARTS
from quadrille.extras.league.peers.reliable_stream import ReliableStream
from quadrille.extras.league.peers.table_lines import Course
from quadrille.net.entries.terms import TimeControl
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from quadrille.net.seating.lobby import StrayMessage
from tests.net.tables import TABLE, identity, terms

__all__ = ["folder", "owner"]
VECTORS = Path(__file__).parents[3] / "tests" / "ai" / "bots" / "vectors"
TURN = b'{"do": "turn", "turn": 1, "news": [], "clock": null, "patience": 1, "budget": 1}\n'


def altered(line: bytes, **more: Any) -> bytes:
    """Return the line with some of its names otherwise; None takes a name away."""
    said = json.loads(line) | more
    return json.dumps({name: value for name, value in said.items() if value is not Ellipsis}).encode() + b"\n"


#: Lines that no table says, after a hello.
WRONG = {
    "no JSON": b"start\n",
    "no object": b'["start"]\n',
    "nothing but a start": b'{"do": "start"}\n',
    "no table": altered(START, table=...),
    "a table of another type": altered(START, table=7),
    "a long table": altered(START, table="t" * 1000),
    "a seat that is true": altered(START, seat=True),
    "a number beyond machines": altered(START, seats=10**400),
    "names that are none": altered(START, names=[1, 2]),
    "half a letter": START.replace(b'"a"', b'"\\ud800"'),
    "half a letter in news": altered(START, news=[{"why": "\udfff"}]),
    "news of another type": altered(START, news=["m"]),
    "news with another move": altered(START, news=[{"seat": 0, "move": 7}]),
    "faces by what is no place": altered(START, news=[{"seen": {"x": "AS"}}]),
    "a clock of another shape": altered(START, clock=[60, 1]),
    "a parameter that is no number": altered(START, parameters={"depth": "3"}),
    "parameters that are none": altered(START, parameters=[]),
    "nothing to do": b"{}\n",
    "something else to do": b'{"do": "format"}\n',
    "a list to do": b'{"do": ["start"]}\n',
    "hello again": HELLO,
    "a turn without a game": TURN,
    "an end without a game": OVER,
    "too long": b'{"do": "quit", "a": "' + b"x" * LONGEST_LINE + b'"}\n',
    "too long when it is written": b'{"do": "quit", "a": "' + "é".encode() * (LONGEST_LINE // 3) + b'"}\n',
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_one_line_of_a_runner_ends_its_engagement_and_never_the_bot(folder: Path, wrong: bytes) -> None:
    owner = Owner(folder, most=2)
    owner.engage()
    end = ReliableStream(TABLE)
    tell(owner, end, HELLO)
    program = owner.started[0]
    end.say(wrong, owner.now)
    [told] = [said for words in end.outgoing for said in owner.hear(words) if isinstance(said, Engaged)]
    assert (told.table, told.reply) == (TABLE, "protocol") and "runner said" in told.why
    assert owner.hear(Words(TABLE, 0, 0, HELLO)) == [Gone(TABLE)]
    assert program.ended or not program._said
    other = ReliableStream(b"another's table.")
    [answer] = owner.hear(Engage(other.table, terms("maze"), False), 3)
    assert answer.reply == "yes"
    assert owner.hear(Words(other.table, 0, 0, HELLO), 3)[0].said.startswith(b'{"hello"')


def test_the_first_line_is_a_hello(owner: Owner) -> None:
    owner.engage()
    [told] = owner.hear(Words(TABLE, 0, 0, START))
    assert told.reply == "protocol" and "before a hello" in told.why


def test_who_said_what_is_no_line_gets_no_program_for_a_minute(owner: Owner) -> None:
    owner.engage()
    owner.hear(Words(TABLE, 0, 0, b"nonsense\n"))
    assert owner.engage().reply == "no" and len(owner.started) == 1
    owner.now += SHUT_OUT
    assert owner.engage().reply == "yes"


@pytest.mark.parametrize(
    "strange",
    [
        {"game": "chess"},
        {"options": (("size", "--1"),)},
        {"options": (("size", 3), ("size", 4))},
        {"seats": 26},
        {"clock": TimeControl(1, 0)},
    ],
)
def test_senseless_terms_are_answered(owner: Owner, strange: dict[str, Any]) -> None:
    [answer] = owner.hear(Engage(TABLE, replace(terms("maze"), **strange), False))
    assert answer.reply in ("yes", "no")
    owner.hear(Gone(TABLE))
    assert owner.engage().reply == "yes"


def test_words_out_of_order_are_nothing(owner: Owner) -> None:
    owner.engage()
    for start in (2**53, 5, len(HELLO)):
        [said] = owner.hear(Words(TABLE, start, 0, START))
        assert (said.said, said.heard) == (b"", 0)
    assert owner.hear(Words(TABLE, 0, 0, HELLO))[0].said


def test_thousands_of_engagements_of_one_runner(folder: Path) -> None:
    """Each is begun with a program of its own where there is a place, and left at once in the middle of its game."""
    owner, agreed, replies, count = Owner(folder, most=3), terms("maze"), Counter[str](), 3000
    for number in range(count):
        table = number.to_bytes(16, "big")
        owner.engagements.hear(StrayMessage(identity(2).key, Engage(table, agreed, True)), owner.now, 0)
        if number % 4 == 3:
            owner.engagements.hear(StrayMessage(identity(2).key, Gone(table)), owner.now, 0)
            owner.engagements.hear(StrayMessage(identity(2).key, Gone((number - 1).to_bytes(16, "big"))), owner.now, 0)
        replies += Counter(message.reply for _, message in owner.lobby.outgoing)
        owner.lobby.outgoing.clear()
    assert replies["full"] + replies["yes"] == count
    assert len(owner.engagements) <= 3 and len(owner.started) == replies["yes"] <= STARTS.burst
    assert len(owner.engagements.news) == 1
    owner.now += 60_000
    for table in range(count):
        owner.engagements.hear(StrayMessage(identity(2).key, Gone(table.to_bytes(16, "big"))), owner.now, 0)
    [answer] = owner.hear(Engage(TABLE, agreed, True), 3)
    assert answer.reply == "yes"


def test_runners_of_many_keys_start_so_many_programs_in_all(owner: Owner) -> None:
    agreed, replies = terms("maze"), Counter[str]()
    for number in range(3, 4 * STARTS.burst):
        table = number.to_bytes(16, "big")
        key = number.to_bytes(32, "big")
        owner.engagements.hear(StrayMessage(key, Engage(table, agreed, True)), owner.now, 0)
        owner.engagements.hear(StrayMessage(key, Gone(table)), owner.now, 0)
        replies += Counter(message.reply for _, message in owner.lobby.outgoing)
        owner.lobby.outgoing.clear()
    assert replies["yes"] == len(owner.started) == 2 * STARTS.burst
    assert len(owner.engagements._named) <= 64


def test_lines_before_the_first_game_are_bounded(tmp_path: Path) -> None:
    notes = Notes(tmp_path, ["bot"], lambda: "", lambda _: None)
    for size in (1, LONGEST_OPENING):
        for _ in range(10 * MOST_OPENING):
            notes.line(0, False, b"x" * size)
    assert len(notes._opening) <= MOST_OPENING and sum(map(len, notes._opening)) <= LONGEST_OPENING


def test_only_lines_of_the_dialogue_reach_a_program_in_their_canonical_writing(owner: Owner) -> None:
    owner.engage()
    program, end = owner.started[0], ReliableStream(TABLE)
    heard: list[bytes] = []
    send = program.send
    program.send = lambda line: (heard.append(line), send(line))[1]  # type: ignore[method-assign, func-returns-value]
    strange = '  {"rules":1 ,\t"more": "é", "protocol" :1,"do":"hello"} \r'.encode()
    tell(owner, end, strange + b"\n")
    assert heard == [b'{"do": "hello", "rules": 1, "more": "\\u00e9", "protocol": 1}\n']
    tell(owner, end, START[:20])
    assert len(heard) == 1  # half a line is none


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_our_tables_say_is_passed_on_as_it_is(path: Path) -> None:
    course = Course()
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    told = [row["told"] for row in rows if "told" in row]
    assert told
    for said in told:
        if said["do"] == "start":
            said["parameters"] = {"depth": 3}
        line = json.dumps(said).encode()
        assert course.read(line) == line + b"\n"
