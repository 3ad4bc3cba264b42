"""Files: written whole or not at all, never over what is no ordinary file, and homes for their owners alone."""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.client.files import path_of, read_text, write_file
from quadrille.client.kept.games import locked
from quadrille.client.screen.draw.theme import THEMES as DRAWN
from quadrille.client.settings import THEMES, Settings, ascii_choice, read_settings, wants_ascii, write_settings
from quadrille.net.program.station import Station
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.match import Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from tests.ai.tournament.programs import league


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_a_new_file() -> None:
    before = os.umask(0o027)
    try:
        assert write_file("f", "é\n") == Path("f").resolve()
    finally:
        os.umask(before)
    assert Path("f").read_bytes() == "é\n".encode()
    assert stat.S_IMODE(Path("f").stat().st_mode) == 0o640
    assert names() == ["f", "home"]


def test_an_old_file_is_kept_unless_told_otherwise() -> None:
    Path("f").write_text("old")
    Path("f").chmod(0o600)
    with pytest.raises(RulesError, match="there is a file f already"):
        write_file("f", "new")
    assert Path("f").read_text() == "old"
    write_file("f", "new", over=True)
    assert Path("f").read_text() == "new"
    assert stat.S_IMODE(Path("f").stat().st_mode) == 0o600


def test_when_writing_fails_the_old_file_is_whole_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    Path("f").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device: 'f'"):
        write_file("f", "new", over=True)
    assert Path("f").read_text() == "old"
    assert names() == ["f", "home"]


def test_home_and_links() -> None:
    write_file("~/f", "one")
    assert Path("home/f").read_text() == "one"
    Path("link").symlink_to("home/f")
    write_file("link", "two", over=True)
    assert Path("link").is_symlink() and Path("home/f").read_text() == "two"
    assert path_of("~nobody-of-this-name/f") == Path("~nobody-of-this-name/f").resolve()


def test_names_that_are_refused() -> None:
    for name, says in {
        "": "can't be the name of a file",
        "a\0b": "can't be the name of a file",
        os.devnull: "is no ordinary file",
        "home": "is no ordinary file",
    }.items():
        with pytest.raises(RulesError, match=says):
            write_file(name, "x", over=True)
        assert names() == ["home"]


@pytest.mark.parametrize(("name", "missing"), [("no/where", "no"), ("x" * 1000, "x" * 1000)])
def test_places_where_nothing_can_be_written(name: str, missing: str) -> None:
    with pytest.raises(OSError) as caught:
        write_file(name, "x")
    assert caught.value.filename == missing
    assert names() == ["home"]


def test_reading() -> None:
    record = write(Match(game("barons")))
    write_file("f", record)
    assert write(read(read_text("f"))) == record
    with pytest.raises(FileNotFoundError) as caught:
        read_text("~/none")
    assert caught.value.filename == "~/none"
    write_file("f", record[:-1], over=True)
    with pytest.raises(BadRecord):
        read(read_text("f"))


def test_an_endless_file_is_read_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.client.files.MOST_CHARACTERS", 1000)
    with pytest.raises(BadRecord):
        read(read_text("/dev/zero"))


# What is for its owner alone is so under any umask


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture
def careless() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The wrong ones."""
    found = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    return {name: mode for name, mode in found.items() if mode != (0o700 if (folder / name).is_dir() else 0o600)}


@on_posix
@pytest.mark.usefixtures("careless")
def test_a_home_and_its_files_are_their_owners_alone_under_any_umask(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir(0o700)
    home = own / "home"
    write_settings(Settings(bell=False), home / "settings.toml")
    locked(str(home), bytes(16)).close()
    Station("Ann", "bot", folder=home / "one").close()
    assert len(list(home.rglob("*"))) > 6 and not modes(own)


@on_posix
@pytest.mark.usefixtures("careless")
def test_a_journal_is_its_owners_alone_under_any_umask(tmp_path: Path) -> None:
    with league(tmp_path):
        kept = list(tmp_path.glob("one.sqlite*"))
        assert len(kept) > 1 and all(stat.S_IMODE(one.stat().st_mode) == 0o600 for one in kept)


# Settings: read from the platform's place, written by hand; whatever is in the file, the program starts


texts = st.text("aZ 0é漢\"'\\#=[]😀", max_size=20)


@given(
    st.builds(
        Settings,
        st.sampled_from(THEMES),
        st.sampled_from(["auto", "yes", "no"]),
        st.booleans(),
        st.booleans(),
        texts,
        texts,
    )
)
def test_what_is_written_is_read(settings: Settings) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "settings.toml"
        write_settings(settings, path)
        assert read_settings(path) == (settings, "")


@pytest.mark.parametrize(
    "text",
    [
        "theme = ",
        "theme = 3",
        'theme = "pink"',
        "bell = 1",
        "[bell]",
        'colour = "red"',
        'name = "a\\u001bb"',
        "\x00",
        "=" * 9,
    ],
)
def test_a_broken_file_is_told_in_one_line_and_stays(text: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    settings, remark = read_settings(path)
    assert settings == Settings()
    assert remark.startswith("the settings are not read: ") and remark.endswith(f"The usual ones hold ({path})")
    assert "\n" not in remark
    with pytest.raises(RulesError, match="is not remembered"):
        write_settings(Settings(bell=False), path)
    assert path.read_text() == text


@given(st.binary(max_size=60))
def test_any_bytes_are_settings_or_told(tmp_path_factory: pytest.TempPathFactory, found: bytes) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    path.write_bytes(found)
    settings, remark = read_settings(path)
    assert remark or all(getattr(settings, field.name) is not None for field in fields(settings))


def test_no_file_is_fine_and_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml") == (Settings(), "")
    assert f"({tmp_path})" in read_settings(tmp_path)[1]
    assert set(THEMES) == set(DRAWN)


@pytest.mark.parametrize(
    ("environment", "ascii"),
    [
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "de_DE.utf8"}, False),
        ({"LC_ALL": "C", "LANG": "C.UTF-8"}, True),
        ({"LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, True),
        ({}, True),
    ],
)
def test_the_locale_decides_about_letters(
    environment: dict[str, str], ascii: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert wants_ascii(Settings(), environment) == ascii
    assert wants_ascii(Settings(ascii="yes"), environment)
    assert not wants_ascii(Settings(ascii="no"), environment)


@pytest.mark.parametrize("lang", ["C", "C.UTF-8"])
def test_ascii_typed_twice_leaves_the_choice_to_the_locale(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", lang)
    usual = Settings()
    plain = wants_ascii(usual)
    once = replace(usual, ascii=ascii_choice(usual, plain=not plain))
    assert once.ascii == ("no" if plain else "yes") and wants_ascii(once) is not plain
    assert ascii_choice(once, plain=plain) == "auto"
    assert ascii_choice(once, plain=not plain) == once.ascii
    set_by_hand = Settings(ascii="yes" if plain else "no")  # what the locale would give, too
    assert ascii_choice(set_by_hand, plain=plain) == set_by_hand.ascii
