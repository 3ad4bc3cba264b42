"""Names of peers: cleaning for display, and a test whether two look alike.

A name is a claim of its sender, so it may try to be invisible, to fill a screen, or to pass for another name. Pure
functions that refuse nothing and never fail. In the spirit of UTS 39, with what Python knows of Unicode.
Specification: docs/protocols/identity.md, "Names".
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from quadrille.net.trust.lookalikes import LOOKS, PAIRS
from quadrille.rules.squares import JOINERS

#: Maximum columns and characters of a name: letters of double width take two columns.
LONGEST_NAME: Final = 40
NAMELESS: Final = "nameless"
#: The name of a program that shows tables on televisions, and to guests without a chair: with a new key each time.
SCREEN: Final = "a screen"
#: Replaces what a name may not hold.
SPOILT: Final = "?"
#: Letters without ink that no program shows, and invisible marks. The ranges are variation selectors, joiners, and
#: marks of direction, which applications put around a name that is copied.
_UNSEEN: Final = frozenset(
    chr(number)
    for first, last in (
        *((code, code) for code in (0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)),
        *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
    )
    for number in range(first, last + 1)
)
_WITHOUT_INK: Final = "".join(_UNSEEN)
#: The combining class of a virama, which takes the vowel from a letter of an Indic script.
_VIRAMA: Final = 9
#: Letters wider than two columns: three-em dashes, ligatures of whole sentences, cuneiform and hieroglyphs.
_HUGE: Final = ((0x2E3A, 0x2E3B), (0xFBC2, 0xFBC2), (0xFDF0, 0xFDFF), (0x12000, 0x1254F), (0x13000, 0x1467F))
#: Maximum letters in the decomposition of one; above it the letter is a sentence.
_MOST_LETTERS: Final = 4
#: Maximum marks on a letter, and of those that stack on any letter, such as accents: a Vietnamese vowel has two, and
#: more are a tower. A Burmese or a pointed Hebrew letter has three marks of its own script.
_MOST_MARKS: Final = 3
_MOST_STACKED: Final = 2
_STACKED: Final = frozenset({1, *range(200, 241)})
#: Lookalikes that NFKD would map to other letters.
_BEFORE: Final = {
    letter: like
    for letter, like in LOOKS.items()
    if unicodedata.category(chr(letter))[0] == "L" and unicodedata.normalize("NFKD", chr(letter)) != chr(letter)
}
#: Canonical combining classes of marks that a hasty reader overlooks: strokes, points of Hebrew and Arabic, accents.
#: The vowels of many scripts are marks too, and kana has voice marks; nobody overlooks these.
_OVERLOOKED: Final = _STACKED | frozenset(range(10, 37))
#: Unicode's names of Latin letters with a stroke, a hook or a tail, and of small capitals.
_LATIN: Final = re.compile(r"LATIN (?:(?:SMALL|CAPITAL) LETTER (.) .+|LETTER SMALL CAPITAL (.))")
#: Scripts that are written together in a word; any other word keeps to one.
_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
#: First words of letters' Unicode names that are no script; None means that any script has the letter.
_WORDS: Final = {
    "CJK": "HAN",
    "IDEOGRAPHIC": "HAN",
    "KANGXI": "HAN",
    "HENTAIGANA": "HIRAGANA",
    "MODIFIER": None,
    "DIGIT": None,
    "FEMININE": None,
    "MASCULINE": None,
}


def tidy(name: str) -> str:
    """Reduce blanks to single ones, and each letter to one normal form."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


@lru_cache(maxsize=1024)
def plain_name(name: str) -> str:
    """Make a name fit a line of text: visible, not too long, each word in one script.

    Leave out invisible characters; replace any other letter that a name may not hold by SPOILT.
    """
    before, shown = None, tidy(name)
    while shown != before:  # a removed letter may leave a mark alone or bring two together
        words = "".join(_visible(shown)).split(" ")
        before, shown = shown, tidy("".join(_narrow(" ".join(map(_in_one_script, words)))))
    return shown if any(_is_sign(letter) for letter in shown) else NAMELESS


def _is_sign(letter: str) -> bool:
    """Pass what is visible: a name of points, accents and SPOILT alone is empty."""
    if letter == SPOILT or not _bare(letter):
        return False
    return letter.isalnum() or letter.isascii() or unicodedata.category(letter)[0] == "S"


def _visible(name: str) -> Iterator[str]:
    """Yield the letters, without invisible ones, marks without a base, and towers of marks."""
    marks: list[bool] | None = None  # which of those on the last letter stack; None: there is no letter to bear one
    for at, letter in enumerate(name):
        kind = unicodedata.category(letter)
        if letter in _UNSEEN:
            if letter in JOINERS and _joins(name[:at], letter, name[at + 1 :]):
                yield letter
            continue
        if kind in ("Mn", "Me"):
            if marks is not None:
                marks.append(unicodedata.combining(letter) in _STACKED)
                if len(marks) <= _MOST_MARKS and sum(marks) <= _MOST_STACKED and kind == "Mn":
                    yield letter
            continue
        marks = [] if kind[0] in "LN" or (marks is not None and kind == "Mc") else None
        if kind != "Mc" or marks is not None:
            yield letter if letter.isprintable() and not _is_huge(letter) else SPOILT


def _joins(before: str, joiner: str, after: str) -> bool:
    """Pass a joiner that changes how its neighbours are written (RFC 5892, A.1 and A.2, and pictures of families).
    Elsewhere it would only make a lookalike.
    """
    first, last = before[-1:] or " ", after.lstrip(_WITHOUT_INK)[:1] or " "
    if first in JOINERS or last == " ":
        return False
    if unicodedata.combining(first) == _VIRAMA:
        return True
    base = next((letter for letter in reversed(before) if unicodedata.category(letter) not in ("Mn", "Cf")), " ")
    if joiner == "\u200d" and unicodedata.category(base) in ("So", "Sk") and unicodedata.category(last) == "So":
        return True
    return _script(base) == _script(last) == "ARABIC"


def _is_huge(letter: str) -> bool:
    if any(first <= ord(letter) <= last for first, last in _HUGE):
        return True
    return len(unicodedata.normalize("NFKC", letter)) > _MOST_LETTERS


def _in_one_script(name: str) -> str:
    """Keep the most frequent script of a word, or the most frequent scripts that are written together."""
    scripts_of = [_script(letter) for letter in name]
    scripts = list(dict.fromkeys(script for script in scripts_of if script is not None))
    choices: list[frozenset[str]] = [*_TOGETHER, *(frozenset({script}) for script in scripts)]
    if len(scripts) < 2 or any(set(scripts) <= choice for choice in _TOGETHER):
        return name
    kept = max(choices, key=lambda choice: (sum(script_of in choice for script_of in scripts_of), scripts[0] in choice))
    return "".join(
        SPOILT if script_of is not None and script_of not in kept else letter
        for script_of, letter in zip(scripts_of, name, strict=True)
    )


@lru_cache(maxsize=4096)
def _script(letter: str) -> str | None:
    """Return the script of a letter, or of a digit that has one; None for letters that all scripts share."""
    base = unicodedata.normalize("NFKD", letter)[0]
    if base.isascii():
        return "LATIN" if base.isalpha() else None
    if unicodedata.category(base)[0] != "L" and unicodedata.category(base) != "Nd":
        return None
    words = unicodedata.name(base, "UNKNOWN").split()
    first = words[0].partition("-")[0]
    if first in ("HALFWIDTH", "FULLWIDTH", "SMALL", "OLD", "NEW") and len(words) > 1:
        first = words[1]
    return _WORDS.get(first, first)


def _narrow(name: str) -> Iterator[str]:
    columns = 0
    for count, letter in enumerate(name, 1):
        if unicodedata.category(letter) not in ("Mn", "Cf"):
            columns += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if columns > LONGEST_NAME or count > LONGEST_NAME:
            return
        yield letter


@lru_cache(maxsize=1024)
def looks(name: str) -> frozenset[str]:
    """Return all skeletons of a name: two names look alike if they share one.

    There are two, because a letter's look depends on its case, while a hasty reader overlooks case: `PauI` is both
    `Pauı` in capitals and `Paul`.
    """
    bare = _bare(name)
    drawn = (_drawn(bare), _drawn(bare.casefold()))
    return frozenset(_joined(drawing) for drawing in drawn) - {""}


def are_alike(name: str, other: str) -> bool:
    return bool(looks(name) & looks(other))


def _bare(name: str) -> str:
    """Remove marks, widths, styles, blanks and invisible characters."""
    spread = unicodedata.normalize("NFKD", name.encode(errors="replace").decode().translate(_BEFORE))
    return "".join(str(unicodedata.digit(letter, letter)) for letter in spread if not _is_overlooked(letter))


def _is_overlooked(letter: str) -> bool:
    if letter in _UNSEEN or letter.isspace() or unicodedata.category(letter) in ("Me", "Cf", "Cc"):
        return True
    return unicodedata.combining(letter) in _OVERLOOKED


def _drawn(name: str) -> str:
    return "".join(_look(letter) for letter in name).casefold().translate(LOOKS)


def _look(letter: str) -> str:
    if letter == "I":
        return "l"
    if (look := LOOKS.get(ord(letter))) is not None:
        return look
    latin = _LATIN.fullmatch(unicodedata.name(letter, ""))
    return (latin[1] or latin[2]).lower() if latin else letter


def _joined(name: str) -> str:
    for pair, letter in PAIRS:
        name = name.replace(pair, letter)
    return name
