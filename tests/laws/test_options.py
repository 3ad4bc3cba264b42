"""What is true of the options of every game: they say what they take, they take it, and they refuse the rest."""

import json
from dataclasses import make_dataclass
from typing import Any

import pytest

from quadrille.laws.settings import GAMES, Setting, everywhere, tried, values
from quadrille.rules.core import Game
from quadrille.rules.errors import BadOptions, BadSeats, RulesError
from quadrille.rules.options import Options, Spec, choice, flag, number, read_settings

WRONG: tuple[object, ...] = (None, 1.0, 0.5, "", "x" * 5000, "no such word", [], {}, b"1", (), 10**30, -1, "1", True, 7)
SPECS = [
    pytest.param(game, spec, id=f"{game.key} {spec.name}") for game in GAMES.values() for spec in game.Options.specs()
]


def fits(spec: Spec, value: object) -> bool:
    """Whether an option should take a value, from what it says of itself."""
    match spec.kind:
        case "flag":
            return isinstance(value, bool)
        case "number":
            return type(value) is int and spec.least <= value <= spec.most
        case "choice":
            return value in spec.choices
    return isinstance(value, str) and len(value) <= spec.most


@pytest.mark.parametrize(("game", "spec"), SPECS)
def test_an_option_says_what_it_takes(game: Game[Any, Any], spec: Spec) -> None:
    assert spec.help and spec.kind in ("number", "choice", "flag", "text")
    assert fits(spec, spec.default) and (spec.before is None or fits(spec, spec.before))
    assert getattr(game.read_options(None), spec.name) == spec.default
    assert len(set(spec.choices)) == len(spec.choices)


@pytest.mark.parametrize(("game", "spec"), SPECS)
def test_an_option_takes_its_range_and_nothing_else(game: Game[Any, Any], spec: Spec) -> None:
    edges = [spec.least - 1, spec.least, spec.most, spec.most + 1] if spec.kind == "number" else []
    for value in (*WRONG, *edges, *values(game.key, spec)):
        if fits(spec, value):
            read = game.Options.read({spec.name: value})
            assert type(getattr(read, spec.name)) is type(value)
            assert getattr(read, spec.name) == value
        else:
            with pytest.raises(BadOptions, match=spec.name):
                game.Options.read({spec.name: value})


def test_an_option_that_a_game_gets_later_leaves_its_records_as_they_were() -> None:
    fields = flag("", before=False), choice(("a", "b"), "", before="a"), number(0, 0, 1, "", before=0)
    made = [(name, object, field) for name, field in zip("abc", fields, strict=True)]
    younger: type[Options] = make_dataclass("Younger", made, bases=(Options,), frozen=True)
    assert younger.read({}, recorded=True).kept() == younger().kept() == {}


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_options_round_trip(setting: Setting) -> None:
    """As values, as JSON, as texts of a command line; what is left out has its default."""
    game, given = setting.game, dict(setting.options)
    options = game.read_options(given)
    assert options.changed() == given
    assert list(options.plain()) == [spec.name for spec in game.Options.specs()]
    for again in (options, options.plain(), options.changed(), json.loads(json.dumps(options.plain()))):
        assert game.read_options(again) == options
        assert game.start(again, setting.seats).digest() == game.start(given, setting.seats).digest()
    for write in (str, lambda value: f" {value} ".swapcase() if isinstance(value, bool) else f" {value} "):
        settings = [f"{name}={write(value)}" for name, value in options.plain().items()]
        assert game.read_options(read_settings(game.Options, settings)) == options


@pytest.mark.parametrize("key", GAMES)
def test_other_options_make_another_game(key: str) -> None:
    """Options with their defaults filled in are part of the digest."""
    tables = [setting for setting in everywhere() if setting.key == key]
    digests = {setting.start().digest() for setting in tables}
    assert len(digests) == len(set(tables))


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("given", [{"no_such_option": 1}, {"": 1}, {1: 1}, {None: None}, [], 5, "width", [("a", 1)]])
def test_unknown_options_are_refused(key: str, given: Any) -> None:
    with pytest.raises(BadOptions):
        GAMES[key].start(given)


@pytest.mark.parametrize("key", GAMES)
def test_a_near_miss_is_offered_the_right_name(key: str) -> None:
    for spec in GAMES[key].Options.specs():
        with pytest.raises(BadOptions, match=f"did you mean {spec.name}"):
            GAMES[key].read_options({spec.name + "x": spec.default})


def test_options_of_one_game_are_refused_by_another() -> None:
    foreign = type("Foreign", (Options,), {})
    for game in GAMES.values():
        with pytest.raises(BadOptions, match=game.title):
            game.start(foreign())


@pytest.mark.parametrize("key", GAMES)
def test_seats_and_presets(key: str) -> None:
    game = GAMES[key]
    assert game.usual_seats in game.seats
    for seats in (-1, 0, 1, game.seats[0] - 1, game.seats[-1] + 1, 10**9, 2.0, "2", True, [2], None):
        if seats is None or (type(seats) is int and seats in game.seats):
            game.start(seats=seats)
        else:
            with pytest.raises(BadSeats):
                game.start(seats=seats)  # type: ignore[arg-type]
    for name, preset in game.presets.items():
        assert preset.help
        assert game.preset(name) == preset.options
        assert game.read_options(preset.options).plain() == game.read_options(None).plain() | dict(preset.options)
    wrong: tuple[Any, ...] = ("no such preset", "", None, 3)
    for name in wrong:
        with pytest.raises(RulesError, match="preset"):
            game.preset(name)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("text", ["--1", "-", "--", "+1", "１", "1_0", "²", "1-", "- 1", "9" * 10, "9" * 5000, "-" * 9])
def test_what_is_no_number_is_refused_in_words(key: str, text: str) -> None:
    game = GAMES[key]
    for spec in game.Options.specs():
        if spec.kind == "number":
            with pytest.raises(BadOptions, match=f"option {spec.name} takes a whole number from"):
                read_settings(game.Options, [f"{spec.name}={text}"])
