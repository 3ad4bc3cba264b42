"""Files that somebody got wrong, and what he is told: the name, what it takes, and where it belongs."""

from pathlib import Path

import pytest

from quadrille.ai.tournament.plans.plan_file import PlanError, parse, read

ENTRANTS = '[[entrant]]\nbot = "greedy"\n[[entrant]]\nbot = "random"\n'
MAZE = '[[game]]\ngame = "maze"\n'
FINE = MAZE + ENTRANTS


def refused(text: str, folder: str = ".") -> tuple[int, str]:
    """The line and the reason."""
    with pytest.raises(PlanError) as caught:
        parse(text, folder)
    return caught.value.line, str(caught.value)


def test_a_swiss_tournament_needs_rounds() -> None:
    assert refused(f'[format]\nkind = "swiss"\n{FINE}') == (
        1,
        "rounds is missing: it takes a whole number from 1 to 1000000000",
    )
    assert parse(f'[format]\nkind = "swiss"\nrounds = 2\n{FINE}', ".").format.tables(2, 2) == 2


@pytest.mark.parametrize(
    ("wrong", "line", "why"),
    [
        (FINE + "[stopp]\n", 7, '"stopp" means nothing here: did you mean stop?'),
        (FINE + "[what]\n", 7, '"what" means nothing here: there are seed, '),
        (FINE + 'exc = "node"\n', 7, "did you mean exec?"),
        (FINE + 'seed = "x"\n', 7, '"seed" means nothing here: it belongs at the top, before the first table'),
        (f"[time]\nat_once = 2\n{FINE}", 2, "it belongs at the top, before the first table"),
        (f"[format]\nat_once = 2\n{FINE}", 2, "it belongs at the top, before the first table"),
        (f"[format]\ncycles = 99999999999\n{FINE}", 2, "a whole number from 1 to 1000000000, not 99999999999"),
        (f"[format]\ncycles = 0\n{FINE}", 2, "cycles takes a whole number from 1 to 1000000000, not 0"),
        (f'time = "1m"\n{FINE}', 1, 'time takes names and values: write [time] over them, not "1m"'),
        (f"[[time]]\nmove = 1\n{FINE}", 1, "time takes names and values: write [time] over them, not a list"),
        (f"{MAZE}options = 5\n{ENTRANTS}", 3, "options takes names and values in { }, not 5"),
        (f"{MAZE}[entrant]\nbot = '4'", 3, "entrant takes tables: write [[entrant]] over each, not a table"),
        (f"[time]\nclock = 60\n{FINE}", 2, 'clock takes a text such as "1m" or "1m+1s", not 60'),
        (f"[time]\nmove = 60\n{FINE}", 2, 'move takes a text such as "200ms", "90s", "5m" or "1h", not 60'),
        (f'[time]\nmove = "0s"\n{FINE}', 2, 'move takes more time than "0s"'),
        (f'[time]\nclock = "0s+1s"\n{FINE}', 2, "leaves no time"),
        (f"[time]\nmoves = 5\n{FINE}", 2, "there is no clock"),
        (f'[time]\nbank = "1m"\n{FINE}', 2, "goes without a clock"),
        (f'[time]\nclock = "1m"\nbank = "1m"\n{FINE}', 3, "goes without a clock"),
        (f'{FINE}[stop]\nrule = "confidence"\nelo0 = 0\n', 9, "elo0 is for the rule sprt: confidence has only alpha"),
        (f'{FINE}[stop]\nrule = "confidence"\nbeta = 0.1\n', 9, "beta is for the rule sprt"),
        (f"at_once = 0\n{FINE}", 1, "from 1 to 10000, not 0: leave it out for as many as there are cores"),
        (f'seed = ""\n{FINE}', 1, 'seed takes a text such as "league 7", not ""'),
        (FINE.replace("maze", "barons"), 1, "Write seats = 2 under each [[game]]"),
        (FINE.replace('"maze"', '"barons"\nseats = 3'), 3, "this game is for 3 seats; 3"),
    ],
)
def test_what_is_wrong_is_said_as_the_file_says_it(wrong: str, line: int, why: str) -> None:
    found = refused(wrong)
    assert why in found[1]
    assert found[0] == line


def test_mixed_seats_are_told_at_the_game_that_differs() -> None:
    line, why = refused(f'[format]\ncycles = 1\n{MAZE}[[game]]\ngame = "barons"\nseats = 3\n{ENTRANTS}')
    assert line == 7
    assert "here they are for 2 and for 3 seats" in why and "write seats = 2 under each [[game]]" in why


def test_a_file_from_notepad_is_read(tmp_path: Path) -> None:
    """It begins with a byte order mark."""
    path = tmp_path / "league.toml"
    path.write_text('seed = "x"\n' + FINE, "utf-8-sig")
    assert read(path).seed == "x"


@pytest.mark.parametrize(
    ("entrant", "name"),
    [
        ("exec = 'sh bot.js'", "bot.js"),
        ("exec = 'sh --stack-size=900 deep/bot.js'", "bot.js"),
        ("exec = 'sh bot.js fast'", "bot.js fast"),
        ("exec = 'sh -e 1'", "sh -e 1"),
        (f"exec = 'sh bot.js {40 * 'x'}'", "bot.js"),
        (f"exec = './mybot {400 * 'x'}'", "mybot"),
        ("bot = './mybot bot.js'", "mybot bot.js"),
        ("bot = './mybot --fast'", "mybot --fast"),
        ("exec = 'python3 one.py'", "one.py"),
        ("bot = 'deep/one.py:Mine'", "one.py:Mine"),
        (f"bot = 'deep/{12 * 'deep'}.py'", 10 * "deep"),
    ],
)
def test_an_entrant_goes_by_the_file_that_it_names_without_folders(tmp_path: Path, entrant: str, name: str) -> None:
    (tmp_path / "deep").mkdir()
    for path in ("bot.js", "deep/bot.js", "mybot", "one.py", "deep/one.py", f"deep/{12 * 'deep'}.py"):
        (tmp_path / path).write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    rivals = "[[entrant]]\nexec = 'python3 deep/bot.js'\n" * ("bot.js" not in entrant) + "[[entrant]]\nbot = 'random'\n"
    plan = parse(f"{MAZE}[[entrant]]\n{entrant}\n{rivals}", str(tmp_path))
    assert plan.entrants[0].name == name


def test_a_program_that_cannot_be_run_is_told_why(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text("#!/bin/sh\n")
    line, why = refused(f"{MAZE}[[entrant]]\nbot = './bot.js'\n[[entrant]]\nbot = 'random'\n", str(tmp_path))
    assert line == 4
    assert '"./bot.js" is no file that may be run: it is there, but not executable (chmod +x ./bot.js)' in why


@pytest.mark.parametrize("name", ["x" * 400 + ".py", "./" + "x" * 400, "x" * 5000 + ".py:Bot"])
def test_a_name_that_no_file_can_have_is_told_with_its_line(name: str) -> None:
    line, why = refused(f'{MAZE}[[entrant]]\nbot = "{name}"\n{ENTRANTS}')
    assert line == 4
    assert "there is no file" in why


def test_a_number_with_more_digits_than_python_reads_is_refused() -> None:
    assert refused(f"seed = {'9' * 5000}\n{FINE}") == (
        0,
        "this is not the TOML of a tournament: a number in it has too many digits",
    )
