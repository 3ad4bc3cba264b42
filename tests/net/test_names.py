"""Names of peers: what is shown of them, and which of them look alike."""

import itertools
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quadrille.net.trust import known
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.lookalikes import LOOKS
from quadrille.net.trust.names import LONGEST_NAME, NAMELESS, are_alike, looks, plain_name
from quadrille.net.trust.store import Store
from tests.net.stores import OWNER

ANN, BOB = (Identity(bytes([number]) * 32).key for number in (1, 2))
#: Ann, Alice and Bob as a stranger may write them.
LOOKALIKES = [
    ("Ann", "\u0410nn"),
    ("Ann", "\u0391nn"),
    ("Ann", "A\u034fnn"),
    ("Ann", "Ann\ufe0f"),
    ("Ann", "Ann\U000e0100"),
    ("Ann", "Ann\u3164"),
    ("Ann", "A\u3164nn"),
    ("Ann", "\u2800Ann"),
    ("Ann", "A\u115fnn"),
    ("Ann", "Ann\u1160"),
    ("Ann", "Ann\uffa0"),
    ("Ann", "Ann\u17b4"),
    ("Ann", "Ann\u17b5"),
    ("Ann", "A\u180bnn"),
    ("Ann", "Ann\u200b"),
    ("Ann", "\uff21nn"),
    ("Ann", "\U0001d400nn"),
    ("Ann", "A\u0301nn"),
    ("Ann", "A n n"),
    ("Alice", "AIice"),
    ("Alice", "A1ice"),
    ("Alice", "A|ice"),
    ("Alice", "Al\u0456ce"),
    ("Ivan", "1van"),
    ("Ivan", "lvan"),
    ("Bob", "B0b"),
    ("BOB", "b\u043eb"),
    ("Bob", "B\u0585b"),
    ("coco", "\u0441\u043e\u0441\u043e"),
    ("HOPE", "\u041d\u041e\u0420\u0415"),
    ("HOPE", "\u0397\u039f\u03a1\u0395"),
    ("Marnie", "Mamie"),
    ("Owen", "Ovven"),
    ("Tom 3", "Tom \u0663"),
    ("Ted", "T\u0435\u0501"),
    ("Sister", "SISTER"),
    ("Zo\u00eb", "Zoe"),
    ("Lukas", "\u0141ukas"),
]


@pytest.mark.parametrize(("name", "other"), LOOKALIKES, ids=lambda name: ascii(name))
def test_a_name_that_looks_like_a_known_one_is_told_of(tmp_path: Path, name: str, other: str) -> None:
    with Store(tmp_path, OWNER) as store:
        known.meet(store, ANN, name, 1)
        assert [one.key for one in known.meet(store, BOB, other, 2).namesakes] == [ANN]
        assert known.find(store, ANN.hex()).key == ANN
        known.rename(store, ANN, name)
        if plain_name(other) == other:
            with pytest.raises(known.LocalError, match="you call "):
                known.rename(store, BOB, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anna"),
        ("Al", "Ai"),
        ("Ivan", "Evan"),
        ("Bob", "Rob"),
        ("張三", "李四"),
        ("Bot 2", "Bot 3"),
        ("สวั", "สวิ"),
        ("タロ", "ダロ"),
        ("Оля", "Юля"),
    ],
)
def test_names_that_look_different_are_different(one: str, other: str) -> None:
    assert not are_alike(one, other)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "ann 2",
        "O'Brien-Smith",
        "Zoë",
        "João",
        "Nguyễn Văn",
        "Иван П.",
        "Γιώργος",
        "山田たろう",
        "ヤマダ Taro",
        "김철수 Kim",
        "李小龍 Bruce",
        "שלום",
        "أحمد 3",
        "नमस्ते",
        "สวัสดี",
        "C++",
        "♥",
        "👩 dev",
        "Vic (level 2 of Ann)",
        "ann (looking)",
        "Ann, guest",
        "bot.c",
    ],
)
def test_honest_names_stay_as_they_are(name: str) -> None:
    assert plain_name(name) == name


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("\u3164\u3164", NAMELESS),
        ("\u2800", NAMELESS),
        ("\u0301\u0302", NAMELESS),
        ("\u20dd", NAMELESS),
        ("\ufe0f\U000e0100\u034f", NAMELESS),
        ("\ufdfd\ufdfd", NAMELESS),
        ("???", NAMELESS),
        ("\u200b\u202e", NAMELESS),
        ("Ann \ufdfa", "Ann ?"),
        ("\U00012031Ann\u2e3b", "?Ann?"),
        ("\u0410nn", "?nn"),
        ("Paypa\u04cf", "Paypa?"),
        ("\u0418\u0432\u0430\u043d i", "\u0418\u0432\u0430\u043d ?"),
        ("\u03b1bc", "?bc"),
        ("An\u3164n", "Ann"),
        ("\u0301Ann", "Ann"),
        ("a" + "\u0335" * 30 + "b", "a\u0335\u0335b"),
        ("\u674e" * 30, "\u674e" * 20),
        ("a\u0301\u0323" * 40, plain_name("a\u0301\u0323" * 40)),
    ],
)
def test_what_is_no_name_is_not_shown(told: str, shown: str) -> None:
    assert plain_name(told) == shown


@example("\u00af")
@settings(max_examples=20)
@given(st.text(max_size=60) | st.text(alphabet=st.characters(min_codepoint=0x250, max_codepoint=0xFFFF), max_size=60))
def test_any_text_has_a_name_that_can_stand_in_a_line(text: str) -> None:
    name = plain_name(text)
    assert name.isprintable() and 1 <= len(name) <= LONGEST_NAME and name == name.strip()
    assert sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name) <= 2 * LONGEST_NAME
    assert plain_name(name) == name
    assert all(skeleton.encode() for skeleton in looks(text)) and looks(name)
    assert are_alike(name, name.swapcase()) or not name.isascii()


def test_every_letter_of_the_table_looks_like_its_latin_one() -> None:
    assert [chr(letter) for letter, like in LOOKS.items() if not are_alike(f"x{chr(letter)}x", f"x{like}x")] == []


def test_names_of_many_lookalikes_have_few_skeletons() -> None:
    letters = ("A\u0410\u0391", "n\u0578", "n\u0578")
    assert {frozenset(looks("".join(word))) for word in itertools.product(*letters)} == {frozenset({"ann"})}
