"""`quadrille resume` where several games were left: a choice on a terminal, else the list of them."""

import sys
from contextlib import closing
from pathlib import Path

import pytest

from quadrille.client.cli import main
from quadrille.client.network.unfinished_games import choices
from quadrille.client.plain.choice import choose
from quadrille.client.table.notices import Refused, Seats
from quadrille.client.words.kept import moves_made
from quadrille.client.words.table import by_name
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import own_folder
from quadrille.net.game_log.log import Log
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.net.ports import udp_port
from tests.net.tables import beginning, identity, terms

if sys.platform == "win32":
    pytest.skip("there are no terminals of this kind", allow_module_level=True)


from tests.client.programs import COMMAND, at_home
from tests.client.screen.pseudo_terminal import Program


def leave(home: Path, *keys: str) -> list[str]:
    """Leave a game of each of these names in the middle; return the first digits of their tables."""
    folder = own_folder(home)
    mine = Identity.open(folder)
    with closing(Store(folder, mine.key)) as store:
        shelf = StoredTables(store, mine)
        for number, key in enumerate(keys):
            table = bytes([0xA0 + number]) * 16
            log = Log(table)
            agreed = terms(key, lot=False)
            body = beginning(agreed, table, sitting=(mine, identity(2 + number)))
            log.take(entry := log.write(body, None))
            shelf.keep_entry(entry)
    return [bytes([0xA0 + number]).hex() * 4 for number in range(len(keys))]


def resume(home: Path, *words: str) -> Program:
    return Program(*COMMAND, "resume", *words, *at_home(home, udp_port(), "Ann"), home=home)


@pytest.mark.parametrize("plain", [(), ("--plain",)])
@pytest.mark.slow
def test_a_terminal_lets_choose_one_of_several_games(tmp_path: Path, plain: tuple[str, ...]) -> None:
    """The last one stands first; Enter alone takes it."""
    barons, maze = leave(tmp_path, "barons", "maze")
    with resume(tmp_path, *plain) as shown:
        shown.sees(f"1  {maze}  Maze", f"2  {barons}  Barons", "Enter for 1")
        shown.press("3", "enter")
        shown.sees('There is no "3" in this list.')
        shown.press("2", "enter")
        shown.sees("columns" if plain else "Barons, 2 players")


def test_elsewhere_the_list_stands_below_the_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    barons, maze = leave(tmp_path, "barons", "maze")
    assert main(["resume", "--home", str(tmp_path), "--interface", "127.0.0.1", "--port", str(udp_port())]) == 1
    told = capsys.readouterr().err
    assert "these games are unfinished; each continues by its command, and --forget after it " in told
    assert f"  quadrille resume {maze}  Maze, 2 players" in told
    assert f"  quadrille resume {barons}  Barons, 2 players" in told
    assert [moves_made(count) for count in (0, 1, 2)] == ["0 moves", "1 move", "2 moves"]
    assert all("; 0 moves; with" in line for _, _, line in choices(str(tmp_path), ""))
    why = LocalError("several games were left; name one of these:\n  one\n  two")
    assert by_name(Refused(why), Seats((), ())) == "Several games were left; name one of these:\n  one\n  two"


@pytest.mark.parametrize(
    ("typed", "place"),
    [(("",), 0), (("1",), 0), ((" 2 ",), 1), (("q",), None), (("Quit",), None), (("\x1b",), None), ((None,), None),
     (("0", "3", "1x", "²", "9" * 99, "2"), 1)],
)  # fmt: skip
def test_what_is_typed_chooses_and_what_is_no_number_of_the_list_is_asked_again(
    typed: tuple[str | None, ...], place: int | None
) -> None:
    said, lines = list[str](), iter(typed)
    assert choose(["one", "two"], lambda _: next(lines), said.append) == place
    assert said[:2] == ["  1  one", "  2  two"] and len(said) == 1 + len(typed)


def test_a_game_goes_on_under_the_name_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    monkeypatch.setattr("quadrille.client.commands.resume.spend", lambda settings, _: names.append(settings.name) or 0)
    [barons] = leave(tmp_path, "barons")
    for words in (["resume"], ["resume", barons], ["resume", "--name", "Eve"], ["resume", "beef"]):
        assert main([*words, "--home", str(tmp_path)]) == 0
    assert names == ["name 0", "name 0", "Eve", None]
