"""Batches: what they refuse, what they store, and what they say. That they play right is a law (tests/laws)."""

import copy
import hashlib
import itertools
import json
import math
import pickle
import re
import zlib
from pathlib import Path
from typing import Any

import numpy
import pytest

from quadrille.extras.lab.batch import LAYOUTS, MOST_GAMES, Batch
from quadrille.extras.lab.batch.files import KIND, StoredBatch
from quadrille.rules.core.sealed import seal
from quadrille.rules.dice import Dice
from quadrille.rules.errors import BadOptions, BadSeats, IllegalMove, RulesError, UnknownGame
from quadrille.rules.registry import game, keys
from tests.documents import blocks, chapter

SMALL: dict[str, dict[str, Any]] = {
    "barons": {"width": 4, "height": 3},
    "coin-isolation": {"take": "semi-greedy", "idle_rounds": 1},
    "dollar-draw": {"width": 4, "height": 3},
    "dotter": {"laps": 1, "lap_points": 21, "max_rounds": 1},
    "maze": {"size": 4},
}


def batch(key: str = "barons", games: int = 5, seed: int = 7, steps: int = 0, **more: Any) -> Batch:
    found = Batch(key, SMALL[key], games=games, seed=seed, **more)
    for _ in range(steps):
        found.step(found.sample())
    return found


def arrays(found: Batch) -> list[Any]:
    seen = [] if found.observations is None else [found.observations]
    return [*seen, found.mask, found.seat, found.rewards, found.done, found.plies]


def same(one: Batch, other: Batch) -> bool:
    return all(map(numpy.array_equal, arrays(one), arrays(other)))


# What it shows


@pytest.mark.parametrize("key", keys())
def test_arrays_are_views_that_nobody_else_writes_to(key: str) -> None:
    found = batch(key)
    before = [array.ctypes.data for array in arrays(found)]
    found.step(found.sample())
    assert [array.ctypes.data for array in arrays(found)] == before
    for array in arrays(found):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_games_differ_from_row_to_row_from_game_to_game_and_from_seed_to_seed() -> None:
    coins = [batch("coin-isolation", seed=seed).observations[:, :4].tobytes() for seed in (1, 2, 1 << 61)]
    assert len(set(coins)) == 3
    found = batch("coin-isolation", games=40)
    assert len({row.tobytes() for row in found.observations}) == 40
    dealt = {found.observations[0, :4].tobytes()}
    for _ in range(3):
        while True:
            found.step(found.sample())
            if found.done[0]:
                break
        dealt.add(found.observations[0, :4].tobytes())
    assert len(dealt) == 4


def test_samples_are_legal_and_repeatable() -> None:
    found = batch("maze", games=200, steps=9)
    for seed in (None, 3, Dice(3)):
        for _ in range(5):
            actions = found.sample(seed)
            assert found.mask[numpy.arange(200), actions].all()
    assert found.sample(3).tolist() == found.sample(3).tolist()
    assert len({tuple(found.sample()) for _ in range(5)}) == 5
    counts = numpy.zeros(found.actions, int)
    for _ in range(200):
        counts[found.sample()[0]] += 1
    legal = numpy.flatnonzero(found.mask[0])
    assert (counts[legal] > 200 // len(legal) // 2).all()


def test_a_position_is_a_value_of_its_own() -> None:
    found = batch("dotter", steps=30)
    state, digest = found.state(4), found.state(4).digest()
    for _ in range(9):  # a turn is of several steps
        found.step(found.sample())
    assert state.digest() == digest != found.state(4).digest()


def test_figures_beyond_a_byte_take_two() -> None:
    wide = Batch("dotter", {"lap_points": 1000}, games=2)
    assert (wide.observations.dtype, batch("dotter").observations.dtype) == (numpy.int16, numpy.uint8)


@pytest.mark.parametrize("key", keys())
def test_shapes_and_symmetries_are_told_by_action(key: str) -> None:
    found = Batch(key, games=1)
    places = found.policy_places.tolist()
    assert len(places) == len(set(places)) == found.actions and max(places) < math.prod(found.policy_shape)
    first, *others = found.symmetries.tolist()
    assert first == list(range(found.actions)) and all(sorted(other) == first != other for other in others)


def test_policies_of_games_on_a_sheet_are_planes_of_its_squares() -> None:
    found = Batch("maze", {"size": 3}, games=1)
    assert found.policy_shape == (4, 3, 3)
    steps, places = found.steps, found.policy_places
    named = {steps.start.word((), step): place for step, place in zip(steps.numbers, places, strict=True)}
    assert (named["a3-b3"], named["a3-a2"]) == (27 + 2, 9 + 2), "right is plane 3, down plane 1"
    assert Batch("dollar-draw", {"width": 3, "height": 5}, games=1).policy_shape == (1, 3, 5)
    assert Batch("dotter", games=1).policy_shape == (65, 1, 1)


def test_the_symmetry_of_maze_is_its_diagonal() -> None:
    found = Batch("maze", {"size": 3}, games=1)
    [_, mirrored] = found.symmetries
    named = {found.steps.start.word((), step): action for step, action in found.steps.actions.items()}
    assert mirrored[named["a3-b3"]] == named["a3-a2"] and mirrored[named["b2-b1"]] == named["b2-c2"]


@pytest.mark.parametrize("key", ["barons", "dollar-draw", "maze"])
def test_symmetries_lead_to_the_same_games(key: str) -> None:
    """Games of mirrored actions: the mask is mirrored, and so are the planes that belong to squares."""
    options = {"width": 4, "height": 4} if key != "maze" else {"size": 4}
    for number in range(len(Batch(key, options, 2, 1).symmetries)):
        one, other = (Batch(key, options, 2, games=3) for _ in range(2))
        actions, cells = one.symmetries[number], one.square_symmetries[number]
        while not one.done.any():
            chosen = one.sample()
            other.step(actions[chosen])
            one.step(chosen)
            assert (one.mask == other.mask[:, actions]).all()
            planes = [0, 1, 2] if key == "maze" else range(one.observations.shape[1])
            flat, image = (each.observations.reshape(3, -1, 16)[:, planes] for each in (one, other))
            assert (flat == image[:, :, cells]).all()
            assert (one.rewards == other.rewards).all()


#: BLAKE2b over all arrays after each of 150 steps of 8 games, plain and compiled: of planes, and packed.
DIGESTS = {
    "barons": ("a276ff0a46b44e94", "305bf4246be70a94"),
    "coin-isolation": ("1b34cb1249bef963", "2d746f2b52869b58"),
    "dollar-draw": ("74d7827efa2958cd", "e41e836c15fa6151"),
    "dotter": ("c3d36fa755a3e53a", "72ff7d37ff0350a8"),
    "maze": ("1a5a81b8a0714140", "60bb18ed64315406"),
}


def digest(key: str, layout: str, steps: int = 150) -> str:
    """With every plane in use: of three where a game is for three, and Coin Isolation with all that its turns hold."""
    options = SMALL[key] | ({"mixed_change": True, "standing_still": True, "renegade": True} if key[0] == "c" else {})
    seats = min(3, game(key).seats[-1])
    found = Batch(key, options, seats, games=8, seed=(1 << 61) + 5, layout=layout)
    told = hashlib.blake2b(digest_size=8)
    for _ in range(steps):
        found.step(found.sample())
        for array in arrays(found):
            told.update(numpy.ascontiguousarray(array.astype("<i8")))
    return told.hexdigest()


@pytest.mark.first(1)
@pytest.mark.parametrize("key", keys())
def test_numbers_are_the_same_on_every_machine(key: str) -> None:
    assert (digest(key, "planes"), digest(key, "packed")) == DIGESTS[key]


def test_the_example_in_the_protocols_runs_and_gives_what_it_says() -> None:
    block = blocks("python", chapter("batch"))[0]
    names: dict[str, Any] = {}
    for line in block.replace(":\n    ", ": ").splitlines():
        code, _, comment = line.partition("  # ")
        if re.match(r"batch\.\w+(\.|$)|int", code):
            assert repr(eval(code, names)) == comment.partition(":")[0].strip(), line
        else:
            exec(code, names)
    assert names["batch"].done.all()


# What it refuses


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([1, 1, 2, 99, 4], "game 3: an action here is a whole number from 0 to 11, not 99"),
        ([1, 1, -1, 99, 4], "game 2: an action here is a whole number from 0 to 11, not -1"),
        ([3, 3, 3, 3, 5], "game 4, action 5: b3 belongs to player 1"),
        (numpy.array([2**64 - 1] * 5, numpy.uint64), "game 0: an action here is a whole number from 0 to 11"),
        ([0, 1], "a step takes 5 actions, one for each game, not 2"),
        (numpy.zeros((5, 1), int), "a step takes 5 actions, one for each game, not 5 x 1"),
        (numpy.int64(3), "an array or a list of 5 whole numbers, not a int64"),
        ([0.0] * 5, "actions are whole numbers, such as int64, not float64"),
        ([True] * 5, "actions are whole numbers, such as int64, not bool"),
        (["a1"] * 5, "actions are whole numbers, such as int64"),
        ("a1a1a", 'an array or a list of 5 whole numbers, not "a1a1a"'),
        ([[0], 1, 2, 3, 4], "actions are a row of 5 whole numbers, one for each game"),
        ([2**70] * 5, "actions are whole numbers"),
        (None, "an array or a list of 5 whole numbers, not nothing"),
    ],
)
def test_actions_that_are_refused_change_nothing(actions: Any, says: str) -> None:
    found = batch()
    found.step([0, 0, 0, 0, 5])
    before = [array.copy() for array in arrays(found)]
    with pytest.raises(RulesError) as caught:
        found.step(actions)
    assert says in str(caught.value)
    assert all(map(numpy.array_equal, arrays(found), before))
    found.step(found.sample())


def test_an_illegal_action_is_named_in_a_game_of_steps() -> None:
    for key in ("dotter", "coin-isolation"):
        found = batch(key, steps=21)
        actions = found.sample().copy()
        actions[2] = numpy.flatnonzero(found.mask[2] == 0)[0]
        with pytest.raises(IllegalMove, match=f"^game 2, action {actions[2]}: "):
            found.step(actions)


@pytest.mark.parametrize("kind", ["int32", "int64", "uint8", "list", "tuple"])
def test_actions_of_any_whole_numbers(kind: str) -> None:
    one, other = batch(), batch()
    for _ in range(20):
        actions = one.sample()
        other.step({"list": list, "tuple": tuple}.get(kind, lambda row: row.astype(kind))(actions))
        one.step(actions)
    assert same(one, other)


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        ({"games": 0}, RulesError, "a batch has 1 to 1,048,576 games, not 0"),
        ({"games": MOST_GAMES + 1}, RulesError, "a batch has 1 to"),
        ({"games": 2.0}, RulesError, "a batch has 1 to"),
        ({"games": True}, RulesError, "a batch has 1 to"),
        ({"seed": -1}, RulesError, "a seed is a whole number from 0 to"),
        ({"seed": "x"}, RulesError, "a seed is a whole number from 0 to"),
        ({"seed": 1 << 62}, RulesError, "a seed is a whole number from 0 to"),
        ({"layout": "plane"}, RulesError, 'the layout of observations is planes, packed or none, not "plane"'),
        ({"options": {"width": 99}}, BadOptions, "width"),
        ({"seats": 1}, BadSeats, "Barons is for"),
        ({"game": "chess"}, UnknownGame, "chess"),
    ],
)
def test_a_batch_that_there_cant_be(given: dict[str, Any], kind: type[RulesError], says: str) -> None:
    with pytest.raises(kind) as caught:
        Batch(**{"game": "barons", **given})
    assert says in str(caught.value)


def test_what_is_no_seed_of_samples_and_no_game() -> None:
    for wrong in ("x", -1, True, 1 << 62, 2.0):
        with pytest.raises(RulesError, match="a seed is a whole number"):
            batch().sample(wrong)  # type: ignore[arg-type]
    for wrong in (-1, 5, "0", True):
        with pytest.raises(RulesError, match="the games here are 0 to 4"):
            batch().state(wrong)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    found = Batch("maze", games=numpy.int32(3), seed=numpy.uint8(7))
    assert (found.games, found.seed, type(found.seed)) == (3, 7, int)
    assert same(found, Batch("maze", games=3, seed=7))
    assert found.sample(numpy.int64(3)).tolist() == found.sample(3).tolist()
    assert found.state(numpy.flatnonzero(found.plies == 0)[2]) == found.state(2)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (5, "packed rows of this batch are uint8 of the shape (…, 4, 3), not int64 of ()"),
        (numpy.zeros((2, 4, 3)), "are uint8 of the shape (…, 4, 3), not float64 of (2, 4, 3)"),
        (numpy.zeros((2, 3, 4), numpy.uint8), "not uint8 of (2, 3, 4)"),
        ([[1, 2], [3]], "packed rows are an array, and these are of several lengths"),
    ],
)
def test_what_is_no_packed_row(rows: Any, says: str) -> None:
    with pytest.raises(RulesError) as caught:
        batch(layout="packed").unpacked(rows)
    assert says in str(caught.value)


def test_packed_rows_that_were_kept_are_unpacked() -> None:
    found, kept = batch("coin-isolation", layout="packed"), []
    for _ in range(6):
        found.step(found.sample())
        kept.append(found.observations.copy())
    planes = found.unpacked(numpy.array(kept))
    assert planes.shape == (6, 5, *found.steps.shape) and (planes[-1] == found.unpacked()).all()
    assert found.unpacked(kept[0][0]).shape == found.steps.shape
    with pytest.raises(RulesError, match="the observations of this batch are not packed: their layout is none"):
        batch(layout="none").unpacked()


# Copies and files


@pytest.mark.first(1)
@pytest.mark.parametrize("way", ["save", "pickle", "copy", "deepcopy"])
@pytest.mark.parametrize(("key", "layout"), list(zip(keys(), itertools.cycle(LAYOUTS), strict=False)))
def test_a_copy_goes_on_as_the_batch_would_have(key: str, layout: str, way: str, tmp_path: Path) -> None:
    one = batch(key, layout=layout, steps=40)
    while not one.done.any():
        one.step(one.sample())
    if way == "save":
        one.save(tmp_path / "batch")
        other = Batch.load(str(tmp_path / "batch"))
        assert [path.name for path in tmp_path.iterdir()] == ["batch"]
    else:
        other = pickle.loads(pickle.dumps(one)) if way == "pickle" else getattr(copy, way)(one)
    assert same(one, other)
    for _ in range(60):
        actions = one.sample()
        assert actions.tolist() == other.sample().tolist()
        one.step(actions)
        other.step(actions)
        assert same(one, other)


def refusal(data: bytes, tmp_path: Path) -> str:
    path = tmp_path / "batch"
    path.write_bytes(data)
    with pytest.raises(RulesError) as caught:
        Batch.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path} ")
    return said


def test_a_file_that_is_cut_or_changed(tmp_path: Path) -> None:
    data = batch(steps=9).stored().to_bytes()
    for at in range(0, len(data), 5):
        for wrong in (data[:at], data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :]):
            assert refusal(wrong, tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("game", "chess", "chess"),
        ("rules", 99, "played by version 99 of the rules of Barons, and this program has version"),
        ("seats", 99, "not 99"),
        ("options", {"width": 0}, "width"),
        ("layout", "x", "layout"),
        ("history", [[0], [1], [2], [99], []], "an action of its game 3 is illegal"),
        ("history", [[0, 0], [], [], [], []], "an action of its game 0 is illegal"),
        ("history", [list(range(12)), [], [], [], []], "an action of its game 0 is illegal"),
        ("history", [[0]], "its fields are others"),
        ("history", None, "its fields are others"),
        ("history", [["a"], [], [], [], []], "its fields are others"),
        ("rounds", [0, 0, 0, 0, -1], "its fields are others"),
        ("dice", 0, "its fields are others"),
        ("seed", 1 << 70, "its fields are others"),
        ("rewards", [[0], None, None, None, None], "its fields are others"),
        ("rewards", [[0, 0, 0, 0], None, None, None, None], "its fields are others"),
        ("history", [None] * 5, "its fields are others"),
        ("extra", 1, "its fields are others"),
    ],
)
def test_a_file_that_somebody_wrote(field: str, value: Any, says: str, tmp_path: Path) -> None:
    stored = batch().stored()
    fields = {name: getattr(stored, name) for name in StoredBatch.__slots__} | {field: value}
    rows = {name: fields.pop(name) for name in ("rounds", "rewards", "history")}
    assert says in refusal(seal(KIND, fields, zlib.compress(json.dumps(rows).encode())), tmp_path)


@pytest.mark.parametrize(
    "body", [b"", b"hello", zlib.compress(b"{}")[:-6], *map(zlib.compress, (b"\xff", b"7", b"[" * 100_000))]
)
def test_a_body_that_holds_no_rows(body: bytes, tmp_path: Path) -> None:
    assert "its fields are others" in refusal(seal(KIND, {}, body), tmp_path)


def test_a_batch_that_cant_be_stored_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "batch").mkdir()
    with pytest.raises(RulesError, match="nothing is written there"):
        batch().save(tmp_path / "batch")
    assert [path.name for path in tmp_path.iterdir()] == ["batch"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Batch.load(tmp_path / "nothing")
