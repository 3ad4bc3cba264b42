"""S8: docs/protocols/bots.md tells of a view, field by field, what rules/scene.py has, and of the kit what an author
needs.
"""

import dataclasses
import inspect
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from quadrille.ai.bot import Bot
from quadrille.ai.bots.lines.answers import LONGEST_NAME
from quadrille.ai.data import scene_data
from quadrille.ai.json_lines import encode
from quadrille.rules import scene
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, settle
from quadrille.rules.registry import game, keys
from tests.documents import chapter, section
from tests.laws.settings import SMALL

BOTS = chapter("bots")
RECORDS = {
    "view": scene.Scene, "panel": scene.Panel, "sheet": scene.Sheet, "cell": scene.Cell, "mark": scene.Mark,
    "link": scene.Link, "row": scene.Row, "track": scene.Track,
}  # fmt: skip


def told() -> list[tuple[str, str, str]]:
    return re.findall(r"^\| (\w+) \| `(\w+)` \| (.+) \|$", BOTS, re.MULTILINE)


def test_s8_every_field_of_a_view_is_documented_and_no_other() -> None:
    fields = [(of, field.name) for of, record in RECORDS.items() for field in dataclasses.fields(record)]
    assert [(of, name) for of, name, _ in told()] == fields
    records = [one for _, one in inspect.getmembers(scene, dataclasses.is_dataclass)]
    assert {*RECORDS.values()} == {one for one in records if isinstance(one, type)}


def test_s8_what_may_be_null_is_said_to_be() -> None:
    for of, record in RECORDS.items():
        for field in dataclasses.fields(record):
            [what] = [what for where, name, what in told() if (where, name) == (of, field.name)]
            assert ("None" in str(field.type)) == ("null" in what), (of, field.name)


def positions(key: str) -> Iterator[dict[str, Any]]:
    """Views of games at random, as a bot reads them: through JSON."""
    for seed in range(4):
        options, seats = SMALL[key][0]
        dealer, dice = SeedDealer(f"views {seed}"), random.Random(seed)
        state = settle(game(key).start(options, seats), dealer)
        for _ in range(120):
            yield json.loads(encode(scene_data(state.view(seats - 1).scene())))
            if isinstance(state.pending, Over):
                break
            state = settle(state.play(state.moves.sample(dice)), dealer)


@pytest.mark.parametrize("key", keys())
def test_s8_a_view_is_as_the_document_has_it(key: str) -> None:
    [row] = re.findall(rf"^\| {key} \| (`.+) \|$", BOTS, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`(?:,| |$)", re.sub(r"\([^)]*\)", "", row)))
    kinds: set[str] = set()
    for view in positions(key):
        assert list(view) == [name for of, name, _ in told() if of == "view"]
        assert [panel["seat"] for panel in view["panels"]] == list(range(len(view["panels"])))
        sheet = view["sheet"]
        assert (sheet is None) == (key == "dotter") == bool(view["tracks"])
        marks = [mark for line in view["rows"] for mark in line["marks"] if mark]
        if sheet:
            assert (sheet["links"] is None) == (key in ("dollar-draw", "coin-isolation"))
            names = [cell["name"] for cell in sheet["cells"]]
            assert len(names) == sheet["width"] * sheet["height"]
            assert names[sheet["height"] - 1 : sheet["height"] + 1] == [f"a{sheet['height']}", "b1"]
            marks += [mark for cell in sheet["cells"] for mark in cell["marks"]]
        assert {line["name"] for line in view["rows"] if not re.match(r"p\d \d", line["name"])} <= {"discards"}
        for line in view["rows"]:
            assert line["lookers"] == [] or len(line["lookers"]) == len(line["marks"])
        assert all(len(mark["label"]) <= 4 for mark in marks)
        kinds |= {mark["kind"] for mark in marks}
    assert kinds == named


def test_s8_the_kit_is_told_where_a_bots_author_reads() -> None:
    part = section("In Python", "bots")
    methods = {name for name, one in vars(Bot).items() if inspect.isfunction(one)}
    attributes = {name for name in Bot.__annotations__ if not name.startswith("_")}
    assert {name for name in methods | attributes if not re.search(rf"\b{name}\b", part)} == set()
    assert "the bot's own as well" in part and "list(view.moves)" in part
    codes = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    state = game("maze").start({"size": 3})
    for code in codes:
        space: dict[str, Any] = {}
        exec(code, space)
        assert space["Mine"]().choose(state, None, random.Random(1)) in state.moves
    assert codes


def test_s12_the_length_of_a_greeting_is_documented() -> None:
    text = " ".join(BOTS.split())
    assert f"one line of at most {LONGEST_NAME} characters" in text
    assert "within half a second" in text and "A bot hears `over` once for each game" in text
