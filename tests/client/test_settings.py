"""Settings: read from the platform's place, written by hand; whatever is in the file, the program starts."""

from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.client.screen.draw.theme import THEMES as DRAWN
from quadrille.client.settings import THEMES, Settings, ascii_choice, read_settings, wants_ascii, write_settings
from quadrille.rules.errors import RulesError

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
