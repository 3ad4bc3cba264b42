"""What people type beside what is meant: every word of every face, with arguments that no word takes."""

from typing import Final

from quadrille.client.words.commands import COMMANDS

#: Each word that any place knows, with its other names.
WORDS: Final = tuple(dict.fromkeys(word for one in COMMANDS.values() for word in (one.word, *one.same)))
#: Typos of bots, names, numbers, files and moves; and texts at which a reader of words may stumble.
WRONG: Final = (
    "", "bob", "9", "easy", "0", "-1", "2 2", "1,2,3,4,5,6,7,8,9", ",", "3:3", "mcts:99", "./nowhere", "none.py",
    '"', "node 'bot.js", "~nobody/x", "people 2", "Дора", "\u05d3\u05e0\u05d4", "علی\u200cرضا", "\u0661", "%s", "{}",
    "1" * 60, "a" * 400, "--help", "\\", "nowhere/x.txt", "b1:b1", "[::1]:99999", "..",
)  # fmt: skip


def lines(every: int = 1, first: int = 0) -> list[str]:
    """Return each word with each wrong argument, or with every so many of them, another row of them for each word."""
    found = [f"{word} {wrong}".strip() for word in (*WORDS, "zzz") for wrong in WRONG]
    return found[first::every]
