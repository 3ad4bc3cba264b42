"""The examples of the protocols, replayed against the code."""

import re

from quadrille.ai.engine import Engine
from quadrille.rules import record
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, games
from tests.documents import block, section


def test_chance_vectors() -> None:
    told = dict(re.findall(r"^(words|below 6:|layout|round 1) (.*)$", block("chance"), re.MULTILINE))
    words, dice, dealer = Stream("quadrille"), Stream("quadrille"), SeedDealer("quadrille")
    assert told["words"].split() == [f"{words.word():016x}" for _ in range(5)]
    assert told["below 6:"].split() == [str(dice.randrange(6)) for _ in range(12)]
    coins = game("coin-isolation").start(None, 2).pending.pile.faces
    assert told["layout"] == "".join(dealer.face("layout", coins, place) for place in range(64))
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    suits = [rank + suit for suit in "SHDC" for rank in ranks]
    cards = [*suits, "JK1", "JK2"]
    assert told["round 1"].split() == [dealer.face("round 1", cards, place) for place in range(54)]


def test_the_stream_throws_away_words_that_would_be_unfair() -> None:
    stop = (1 << 63) + 1  # nearly half of all words are too large
    fair, words = Stream("quadrille"), Stream("quadrille")
    drawn = [fair.randrange(stop) for _ in range(20)]
    assert drawn == [word for word in (words.word() for _ in range(60)) if word < stop][:20]


def test_the_record_reads_and_writes_itself() -> None:
    assert record.write(record.read(block("record"))) == block("record")


def test_the_session_with_the_engine() -> None:
    lines = [line for line in block("engine").splitlines() if not line.startswith("#")]
    engine = Engine()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        assert (asked[:2], told[:2]) == ("> ", "< ")
        assert engine.answer(asked[2:].encode()).decode() == told[2:] + "\n"


def test_every_game_has_its_notation_and_the_engine_its_codes() -> None:
    for played in games():
        assert f"### {played.title}" in section("Notation")
    codes = {kind.code for kind in RulesError.__subclasses__()} | {RulesError.code}
    assert codes <= set(re.findall(r"`([a-z-]+)`", section("The engine")))
