"""A game under other names: every move is read back, drawings stay straight, and the old names are gone."""

import random
import re

import pytest

from extras.models.tests.service import serving
from quadrille.ai.bot import Clock
from quadrille.client.words.rules import rules_text
from quadrille.extras.models.chat_bot import ChatBot, Manner
from quadrille.extras.models.chat_service import ChatService
from quadrille.extras.models.skin import Skin
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from quadrille.rules.registry import own_keys as keys

SEEDS = ("1", "night")


@pytest.mark.parametrize("key", keys())
def test_every_move_is_read_back(key: str) -> None:
    for seed in SEEDS:
        skin, dice, match = Skin(game(key), seed), random.Random(seed), Match(game(key), deal=Deal("s"))
        while not match.over and match.ply < 60:
            move = match.state.moves.sample(dice)
            assert skin.read(skin.told(str(move))) == str(move)
            match.play(move)


@pytest.mark.parametrize("key", keys())
def test_the_old_names_are_gone_and_drawings_stay_straight(key: str) -> None:
    chosen = game(key)
    for seed in SEEDS:
        skin = Skin(chosen, seed)
        told = skin.told(rules_text(chosen))
        for word in re.findall("[a-z]+", chosen.title.lower()):
            assert not re.search(rf"\b{word}\b", told, re.IGNORECASE)
        assert chosen.credit not in told and told == Skin(chosen, seed).told(rules_text(chosen))
        before = drawing(chosen.start().scene())
        lines = zip(before.split("\n"), skin.told(before).split("\n"), strict=True)
        assert all(len(one) == len(other) for one, other in lines if one.startswith(" "))
    assert len({Skin(chosen, seed).told(chosen.title) for seed in SEEDS}) == len(SEEDS)


def test_usual_words_of_a_term_of_several_keep_their_meaning() -> None:
    page = Skin(game("coin-isolation"), "1").told(rules_text(game("coin-isolation")))
    assert " after" in page and "diagonal" in page and "Transplant" not in page and "Standing still" not in page


def test_a_bot_under_a_skin_reads_answers_back_and_refuses_the_usual_names() -> None:
    view, chosen = game("maze").start({"size": 3}), game("maze")
    skin = Skin(chosen, "1")
    with serving() as service:
        service.said = ["MOVE: a3-a2", f"MOVE: {skin.told('b2-c2')}", f"MOVE: {skin.told('a3-a2')}"]
        bot = ChatBot(ChatService(service.url, "tiny"), Manner(2, 4000, 5, moves=False, skin="1"))
        bot.starts(view, 0)
        assert bot.choose(view, Clock(0, None, 0, 1000), random.Random(0)) == "a3-a2"
    system, user, said, refused, _, again = (one["content"] for one in service.asked[2][2]["messages"])
    assert not re.search("maze|a3", system + user, re.IGNORECASE) and skin.told("starts from a3") in user
    assert said == "MOVE: a3-a2" and refused.startswith("That is no legal move: ") and "Maze" not in refused
    assert '"a3-a2"' in refused and "_" not in refused, "the model's own words are quoted"
    assert skin.told("square, a3") in again and "a3" not in again
