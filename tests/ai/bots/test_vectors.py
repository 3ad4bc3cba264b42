"""Recorded dialogues (vectors/), played again to the byte: the table says the same, and the kit answers the same.

What happens at a table, what its bot is told, what it says; a JSON object a line:

    {"table": {"do": "play", ...}}    something happens: an action of `Table`
    {"told": {...}}                   the line that the bot gets
    {"said": {...}}                   the line that the bot writes

`python -m tests.ai.bots.test_vectors` makes them anew; look at what has changed in them before you keep it.
"""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from quadrille.ai.bots.lines.dialogue import Chosen, Dialogue, Event, Seating
from quadrille.ai.bots.lines.time_terms import PATIENCE, TimeTerms
from quadrille.ai.json_lines import encode
from quadrille.ai.kit import Part
from quadrille.laws.walks import random_move
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.chance import Stream
from quadrille.rules.core.thoughts import Thought
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.ai.inside import Anything
from tests.documents import block

FOLDER = Path(__file__).parent / "vectors"
#: One small table of each game; the seat of the bot is 1.
TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "barons": ({"width": 3, "height": 3}, 3),
    "coin-isolation": ({"layout": "ppn/npp/pdp"}, 2),
    "dollar-draw": ({"width": 3, "height": 4}, 2),
    "dotter": ({"laps": 2, "lap_points": 30, "max_rounds": 2}, 2),
    "maze": ({"size": 3}, 2),
}
SEAT = 1


class Table:
    """A match and the dialogue with its bot; time goes on by a second with each action."""

    def __init__(self) -> None:
        self.now = 0
        self.dialogue = Dialogue(self.now)
        self.match: Match

    @property
    def view(self) -> Any:
        return self.match.state.view(SEAT)

    def act(self, do: str, **how: Any) -> None:
        self.now += 1000
        match do:
            case "match":
                self.match = Match(game(how["game"]), how["options"], how["seats"], deal=Deal(how["deal"]))
            case "play":
                self.match.play(how["move"])
            case "undo":
                self.match.undo(how["plies"])
            case "leave":
                self.match.leave(how["seat"], how["how"])
            case "agree":
                self.match.agree()
            case "start":
                how["clock"] = TimeControl(*how["clock"]) if "clock" in how else None
                parameters = how.pop("parameters", None)
                self.dialogue.start(self.match, self.view, Seating(SEAT, **how), self.now, parameters)
            case "turn":
                self.dialogue.turn(self.match, self.view, self.now, *limits(**how))
            case "offer":
                self.dialogue.offer(match=self.match, view=self.view, now=self.now, **how)
            case "over":
                assert self.match.over
                self.dialogue.over(self.match.over, self.match, self.view)
            case "quit":
                self.dialogue.quit()

    def told(self) -> list[bytes]:
        lines = self.dialogue.outgoing[:]
        self.dialogue.outgoing.clear()
        return lines

    def hear(self, line: bytes) -> Event | None:
        return self.dialogue.receive(line.removesuffix(b"\n"), self.now)


def limits(
    left: Sequence[int] = (), increment: int = 0, patience: int = PATIENCE, budget: int | None = None
) -> tuple[TimeTerms, Clocks | None]:
    """The terms of a turn, and its clocks if each seat has so much time left."""
    clocks = Clocks(TimeControl(60_000, increment), tuple(left)) if left else None
    return TimeTerms(patience=patience, budget=budget), clocks


class Recorder:
    """A table whose every action, told line and answer is written down."""

    def __init__(self, *, answers: bool = True) -> None:
        """Whether the kit answers, or the test says all."""
        self.table = Table()
        self.lines: list[dict[str, Any]] = []
        bot = Anything()
        bot.name = "Sampler"  # as the vectors have it
        self.part = Part(bot) if answers else None
        self.listen()

    def act(self, do: str, **how: Any) -> Event | None:
        self.lines.append({"table": {"do": do} | how})
        self.table.act(do, **how)
        return self.listen()

    def listen(self) -> Event | None:
        event = None
        for line in self.table.told():
            self.lines.append({"told": (told := json.loads(line))})
            assert line == encode(told)
            if self.part and (answer := self.part.answer(line)) is not None:
                event = self.say(said := json.loads(answer))
                assert answer == encode(said)
        return event

    def say(self, said: dict[str, Any]) -> Event | None:
        self.lines.append({"said": said})
        return self.table.hear(encode(said))


def whole_game(key: str) -> list[dict[str, Any]]:
    """A game of the kit with a clock: a proposal, moves taken back, in a larger one a seat that leaves."""
    options, seats = TABLES[key]
    rng, record = Stream("recording", key), Recorder()
    record.act("match", game=key, options=options, seats=seats, deal=f"recording {key}")
    record.act("start", table=f"table of {key}", names=["Ann", "Bob", "Cy"][:seats], clock=[60000, 1000], seed="dice")
    left, done = [60000] * seats, set()
    while record.table.match.over is None:
        match = record.table.match
        if match.ply >= 3 and "undo" not in done:
            done.add("undo")
            record.act("offer", offer="takeback", by=0, number=1)
            record.act("undo", plies=2)
        elif match.ply == 4 and seats > 2 and "leave" not in done:
            done.add("leave")
            record.act("leave", seat=2, how="resigned")
        elif match.state.board.turn == SEAT:
            chosen = record.act("turn", left=left[:], increment=1000)
            left[SEAT] -= 250
            record.act("play", move=str(chosen.move))  # type: ignore[union-attr]
        else:
            record.act("play", move=str(random_move(match.state, rng)))
    record.act("over")
    record.act("quit")
    assert record.part and record.part.done
    return record.lines


def asking() -> list[dict[str, Any]]:
    """A bot of another language, which is shown everything and asks for more; some of it is wrong."""
    record = Recorder(answers=False)
    hello = {"hello": "bot.c", "protocol": 1, "games": ["maze", "dotter"], "author": "Ann", "version": "0.3"}
    record.say(hello)
    for key in ("maze", "dotter"):
        options, seats = TABLES[key]
        record.act("match", game=key, options=options, seats=seats, deal="asking")
        record.act("start", table="another", seed="dice")
        record.say({"ready": True})
        record.act("play", move=str(next(iter(record.table.match.state.moves))))
        record.act("turn", patience=5000, budget=700)
        move = str(next(iter(record.table.match.state.moves)))
        for ask in (
            {"ask": "legal", "move": move},
            {"ask": "legal", "move": "peek p1 9a 9b" if key == "dotter" else "a1-a9"},
            {"ask": "legal"},
            {"ask": "moves", "limit": 2},
            {"ask": "moves", "limit": 1001},
            {"ask": "view"},
            {"ask": "text"},
            {"ask": "play out", "moves": [move], "games": 2, "seed": "s"},
            {"ask": "play out", "games": 11},
            {"ask": "the oracle"},
            {"ask": ["moves"]},
        ):
            record.say(ask)
            record.listen()
        record.act("offer", offer="draw", by=0, number=7)
        record.say({"turn": record.table.dialogue._turns, "move": move})
        record.say({"offer": 7, "agree": False})
        record.say({"ask": "view"})
        record.listen()
        record.act("agree")
        record.act("over")
    return record.lines


RECORDERS: Final = {**{key: partial(whole_game, key) for key in TABLES}, "asking": asking}


def test_every_game_has_been_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == {*keys(), "asking"} == {*RECORDERS}


@pytest.mark.parametrize("name", RECORDERS)
def test_table_and_kit_say_what_was_recorded(name: str) -> None:
    """The same dice, the same game."""
    recorded = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    assert RECORDERS[name]() == list(map(json.loads, recorded))


def test_the_game_in_the_specification() -> None:
    """docs/protocols/bots.md: the table says what stands there, to the byte."""
    table, started = Table(), {"table": "ours", "names": ["Ann", "bot.c"], "seed": "7"}
    table.act("match", game="maze", options={"size": 2}, seats=2, deal="")
    outgoing = table.told()
    for line in (line for line in block("bots").splitlines() if not line.startswith("#")):
        sign, said = line[0], json.loads(line[2:])
        if sign == "<":
            event = table.hear(line[2:].encode())
            if isinstance(event, Chosen):
                assert event.thought == Thought(-1, 2, "both squares are Ann's", (("b2", "!"),))
                table.act("play", move=str(event.move))
            continue
        for item in said.get("news", ()):
            if item["seat"] != SEAT:
                table.act("play", move=item["move"])
        if said["do"] != "hello":
            table.act(said["do"], **(started if said["do"] == "start" else {}))
        outgoing += table.told()
        assert outgoing.pop(0) == encode(said)
    assert not outgoing


if __name__ == "__main__":
    for name, record in RECORDERS.items():
        (FOLDER / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in record()), "utf-8")
