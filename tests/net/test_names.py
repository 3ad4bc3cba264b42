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
from quadrille.rules.squares import is_line
from tests.net.stores import OWNER

ANN, BOB = (Identity(bytes([number]) * 32).key for number in (1, 2))
#: What has no ink: fillers and blank letters, joiners, variation selectors, marks of Khmer and Mongolian.
INKLESS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u200b\u2800\u3164\ufe0f\uffa0\U000e0100"
#: Names as a stranger may write them.
LOOKALIKES = [
    ("Ann", "A n n", "A\u0301nn", "\u0410nn", "\u0391nn", "\uff21nn", "\U0001d400nn"),
    ("Ann", *(f"A{letter}nn" for letter in INKLESS)),
    ("Alice", "AIice", "A1ice", "A|ice", "Al\u0456ce"),
    ("Ivan", "1van", "lvan"),
    ("Bob", "B0b", "B\u0585b", "BOB"),
    ("coco", "\u0441\u043e\u0441\u043e"),
    ("HOPE", "\u041d\u041e\u0420\u0415", "\u0397\u039f\u03a1\u0395"),
    ("Marnie", "Mamie"),
    ("Owen", "Ovven"),
    ("Tom 3", "Tom \u0663"),
    ("Ted", "T\u0435\u0501"),
    ("Zo\u00eb", "Zoe"),
    ("Lukas", "\u0141ukas", "L\u0335ukas"),
    ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd"),
    ("\u0639\u0644\u06cc\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),
    ("\U0001f468\U0001f467", "\U0001f468\u200d\U0001f467"),
]


@pytest.mark.parametrize("names", LOOKALIKES, ids=lambda names: ascii(names[0]))
def test_a_name_that_looks_like_a_known_one_is_told_of(tmp_path: Path, names: tuple[str, ...]) -> None:
    name, *others = names
    with Store(tmp_path, OWNER) as store:
        known.meet(store, ANN, name, 1)
        known.rename(store, ANN, name)
        for other in others:
            assert "whom you know" in known.meet(store, BOB, other, 2)[-1], ascii(other)
            if plain_name(other) == other:
                with pytest.raises(known.LocalError, match="you call "):
                    known.rename(store, BOB, other)


@pytest.mark.parametrize(
    "pair", ["Ann Anna", "Al Ai", "Bob Rob", "張三 李四", "Bot2 Bot3", "สวั สวิ", "กุ กู", "タロ ダロ", "Оля Юля"]
)
def test_names_that_look_different_are_different(pair: str) -> None:
    assert not are_alike(*pair.split())


@pytest.mark.parametrize(
    "names",
    [
        "Ann|ann 2|O'Brien-Smith|C++|bot.c|Vic (level 2 of Ann)|Vic (level 2 of Дора)|mybot of דנה",
        "Zoë|João|Nguyễn Văn|Иван П.|Γιώργος",
        "山田たろう|ヤマダ Taro|김철수 Kim|李小龍 Bruce",
        "שלום|أحمد 3|नमस्ते|สวัสดี",
        "♥|👩 dev|Иван Lee|김 Дора",
        "علی\u200cرضا|می\u200cخواهم|क्\u200dषमा|ශ්\u200dරී|🏳\u200d🌈|👨\u200d👩\u200d👧|👩🏽\u200d🚀",
        "น้ำทิพย์|မြို့|שָּׁלוֹם|Nguyễn",
    ],
)
def test_honest_names_stay_as_they_are(names: str) -> None:
    for name in names.split("|"):
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
        ("\u0418\u0432\u0430\u043di", "\u0418\u0432\u0430\u043d?"),
        ("A\u200dn\u200cn", "Ann"),
        ("\u0639\u0644\u06cc\u200c\u200c\u200c", "\u0639\u0644\u06cc"),
        ("\u0639\u0644\u06cc\u200c\u200d\u0631", "\u0639\u0644\u06cc\u200c\u0631"),
        ("$\u200d$", "$$"),
        ("\u2068\u05d3\u05e0\u05d4\u2069", "\u05d3\u05e0\u05d4"),
        ("\u05d0\u05b0\u05b1\u05b2\u05b3", "\u05d0\u05b0\u05b1\u05b2"),
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
    assert is_line(name) and 1 <= len(name) <= LONGEST_NAME and name == name.strip()
    assert sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name) <= 2 * LONGEST_NAME
    assert plain_name(name) == name
    assert all(skeleton.encode() for skeleton in looks(text)) and looks(name)
    assert are_alike(name, name.swapcase()) or not name.isascii()


def test_every_letter_of_the_table_looks_like_its_latin_one() -> None:
    assert [chr(letter) for letter, like in LOOKS.items() if not are_alike(f"x{chr(letter)}x", f"x{like}x")] == []


def test_names_of_many_lookalikes_have_few_skeletons() -> None:
    letters = ("A\u0410\u0391", "n\u0578", "n\u0578")
    assert {frozenset(looks("".join(word))) for word in itertools.product(*letters)} == {frozenset({"ann"})}
