"""A game under other names: the same rules in words and squares that nobody has read before.

A skin is drawn from a seed. It renames columns and rows, the title and the terms that the page of the rules sets in
bold or italics, and moves are read back. It is made of the texts alone, so any game has skins. A term keeps its length,
so that drawings stay straight.
"""

import random
import re
from string import ascii_lowercase
from typing import Any, Final

from quadrille.client.words.rules import about_text, rules_text
from quadrille.rules.core import Game

#: Terms of all games, and words that also say where something is.
_KEPT: Final = frozenset(
    {"best", "column", "diagonal", "down", "left", "player", "point", "right", "row", "square", "up"}
)
_TERM: Final = re.compile(r"\*+([A-Za-z ]+?)\*+")
_SQUARE: Final = re.compile(r"\b([a-z])(\d{1,2})\b")
#: The letters below or above a board, in order, and the number before one of its rows.
_COLUMNS: Final = re.compile(r"\ba(?: {2,}[a-z])+\b")
_ROW: Final = re.compile(r"^( *) (\d{1,2})(?=  | \|)", re.MULTILINE)
_VOWELS: Final = "aeiou"


class Skin:
    """Another name for each square and each term."""

    def __init__(self, game: Game[Any, Any], seed: str) -> None:
        dice = random.Random(f"{seed} {game.key}")  # noqa: S311 - a disguise, no secret
        page = rules_text(game)
        #: Lines by which a reader could recognise the game, such as its credits.
        self._names = (game.credit, about_text(game))
        self._has_board = game.start().scene().sheet is not None
        letters = [*ascii_lowercase]
        dice.shuffle(letters)
        self._columns = dict(zip(ascii_lowercase, letters, strict=True))
        self._up = dice.randrange(11, 60)
        taken = set(re.findall(r"\w+", page.lower()))
        self._terms: dict[str, str] = {}
        for word in sorted(_terms(game.title, page)):
            while (other := re.sub("[a-z]+", lambda match: _invented(len(match[0]), dice), word)) in taken:
                pass
            taken.add(other)
            self._terms[word] = other

    def told(self, text: str) -> str:
        """Put a text of the game under this skin."""
        for line in self._names:
            text = text.replace(line, "")
        if self._has_board:
            text = _COLUMNS.sub(self._header, text)
            text = _ROW.sub(lambda name: f"{name[1]}{int(name[2]) + self._up}", text)
            text = _SQUARE.sub(lambda name: f"{self._columns[name[1]]}{int(name[2]) + self._up}", text)
        return _renamed(text, self._terms)

    def read(self, move: str) -> str:
        """Write a move under this skin as the game writes it."""
        back = {other: letter for letter, other in self._columns.items()}

        def square(name: re.Match[str]) -> str:
            row = int(name[2]) - self._up
            return f"{back[name[1]]}{row}" if row > 0 else f"{name[0]}_"  # which no game reads, and no skin tells

        if self._has_board:
            move = _SQUARE.sub(square, move)
        return _renamed(move, {other: word for word, other in self._terms.items()})

    def _header(self, header: re.Match[str]) -> str:
        letters = header[0].replace(" ", "")
        if not ascii_lowercase.startswith(letters):
            return header[0]
        return re.sub("[a-z]", lambda letter: self._columns[letter[0]], header[0])


def _terms(title: str, page: str) -> set[str]:
    """Find the words of the title and the terms to rename, without an s at the end."""
    terms = {term.lower().strip().removesuffix("s") for term in (*title.split(), *_TERM.findall(page))}
    return {term for term in terms if len(term) > 2} - _KEPT


def _invented(length: int, dice: random.Random) -> str:
    """Draw a word of consonants and vowels in turn."""
    consonants = [letter for letter in ascii_lowercase if letter not in _VOWELS]
    return "".join(dice.choice(consonants if at % 2 == 0 else _VOWELS) for at in range(length))


def _renamed(text: str, names: dict[str, str]) -> str:
    """Put other words in place of those, also with a capital or an s; the longest first, which may hold another."""

    def other(name_found: re.Match[str]) -> str:
        name = names[name_found[1].lower()]
        return name.capitalize() if name_found[1][0].isupper() else name

    words = "|".join(sorted(names, key=len, reverse=True))
    return re.sub(rf"\b({words})(?=s?\b)", other, text, flags=re.IGNORECASE) if names else text
