"""docs/protocols/bots.md, its schema and vectors have all of rules/scene.py, and what an author needs of the kit."""

import dataclasses
import inspect
import json
import random
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from quadrille.ai.bot import Bot
from quadrille.ai.bots.lines.answers import LONGEST_NAME
from quadrille.ai.data import scene_data
from quadrille.ai.json_lines import encode
from quadrille.laws.settings import setting, small
from quadrille.laws.walks import random_match, walk
from quadrille.rules import scene
from quadrille.rules.options import Value
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, keys
from tests.documents import chapter, section
from tests.schemas import FOLDER, schema, wrong

BOTS = chapter("bots")
SCHEMA = schema("view")
RECORDS = {
    "view": scene.Scene, "panel": scene.Panel, "sheet": scene.Sheet, "cell": scene.Cell, "mark": scene.Mark,
    "link": scene.Link, "row": scene.Row, "track": scene.Track,
}  # fmt: skip


def told() -> list[tuple[str, str, str]]:
    rows = re.findall(r"^\| (\w+) \| (`\w+`(?:, `\w+`)*) \| (.+) \|$", BOTS, re.MULTILINE)
    return [(of, name, what) for of, names, what in rows for name in re.findall(r"\w+", names)]


def test_every_field_of_a_view_is_documented_and_no_other() -> None:
    fields = [(of, field.name) for of, record in RECORDS.items() for field in dataclasses.fields(record)]
    assert [(of, name) for of, name, _ in told()] == fields
    records = [one for _, one in inspect.getmembers(scene, dataclasses.is_dataclass)]
    assert {*RECORDS.values()} == {one for one in records if isinstance(one, type)}


@pytest.mark.parametrize("key", keys())
def test_a_view_is_as_the_document_has_it(key: str) -> None:
    [row] = re.findall(rf"^\| {key} \| (`.+) \|$", BOTS, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`(?:,| |$)", re.sub(r"\([^)]*\)", "", row)))
    kinds: set[str] = set()
    table = small(key)[0]
    for step in walk(table, "views"):
        view = json.loads(encode(scene_data(step.state.view(table.seats - 1).scene())))
        assert wrong(view, SCHEMA) == []
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


def test_the_schema_has_every_field_and_every_kind_of_mark() -> None:
    for of, record in RECORDS.items():
        rule = SCHEMA if of == "view" else SCHEMA["$defs"][of]
        names = [field.name for field in dataclasses.fields(record)]
        assert (list(rule["properties"]), rule["required"]) == (names, names)
        for field in dataclasses.fields(record):
            one = rule["properties"][field.name]
            assert ("None" in str(field.type)) == ("null" in json.dumps(one)) or (of, field.name) == ("row", "marks")
    kinds = {
        kind for key in keys() for kind in re.findall(r"`(\w+)`", *re.findall(rf"^\| {key} \| (`.+) \|$", BOTS, re.M))
    }
    assert {*SCHEMA["$defs"]["mark"]["properties"]["kind"]["enum"]} == kinds - {"p", "n", "d", "q"}


def test_the_vectors_of_views_are_what_a_seat_sees() -> None:
    vectors = list(map(json.loads, PATH.read_text("utf-8").splitlines()))
    assert {vector["view"]["game"] for vector in vectors} == {*keys()}
    for vector in vectors:
        state = read(vector["record"]).state.view(vector["seat"])
        assert json.loads(encode(scene_data(state.scene()))) == vector["view"]
        assert wrong(vector["view"], SCHEMA) == []
        assert wrong(vector["view"] | {"sheet": 3}, SCHEMA) == ["3 is not valid under any of the given schemas"]
    assert text() == PATH.read_text("utf-8"), "python -m tests.ai.test_view_document writes them"


def test_the_kit_is_told_where_a_bots_author_reads() -> None:
    part = section("In Python", "bots")
    methods = {name for name, one in vars(Bot).items() if inspect.isfunction(one)}
    attributes = {name for name in Bot.__annotations__ if not name.startswith("_")}
    assert {name for name in methods | attributes if not re.search(rf"\b{name}\b", part)} == set()
    assert "the bot's own as well" in part and "list(view.moves)" in part
    codes = [code for code in re.findall(r"```python\n(.*?)```", part, re.DOTALL) if "class Mine" in code]
    state = game("maze").start({"size": 3})
    for code in codes:
        space: dict[str, Any] = {}
        exec(code, space)
        assert space["Mine"]().choose(state, None, random.Random(1)) in state.moves
    assert codes


def test_the_length_of_a_greeting_is_documented() -> None:
    text = " ".join(BOTS.split())
    assert f"one line of at most {LONGEST_NAME} characters" in text
    assert "within half a second" in text and "A bot hears `over` once for each game" in text


# The recorder of the vectors: positions as records, and what a seat sees of each


PATH: Final = FOLDER / "view.vectors.jsonl"
#: Small games in which every kind of mark comes up: options, seats, and whether seats leave.
_GAMES: Final[tuple[tuple[str, dict[str, Value], int, bool], ...]] = (
    ("barons", {"width": 4, "height": 3}, 3, True),
    ("coin-isolation", {"layout": "pnp/pdp/npp"}, 2, False),
    ("dollar-draw", {"width": 5, "height": 3}, 2, False),
    ("dotter", {"laps": 4, "lap_points": 21, "jokers": 1, "looks": 0}, 2, False),
    ("maze", {"size": 3}, 2, False),
)


def vectors() -> Iterator[dict[str, Any]]:
    """The start, the middle and the end of each game, for each seat and for a spectator where these see different
    things.
    """
    for key, options, seats, leaving in _GAMES:
        whole = random_match(setting(key, options, seats), f"views {key}", 40, leaving=leaving)
        for entries in (0, whole.length // 2, whole.length):
            match = whole.before(entries)
            for viewer in (*range(seats), None) if match.game.hidden else (None,):
                yield {"record": write(match), "seat": viewer, "view": scene_data(match.state.view(viewer).scene())}


def text() -> str:
    return "".join(json.dumps(vector, ensure_ascii=False) + "\n" for vector in vectors())


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
