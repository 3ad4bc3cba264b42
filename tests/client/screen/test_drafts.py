"""Half-made moves: what they mean, what can come next; picking what is offered always leads to a legal move."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.screen.table.model import draft, drop, pick, preview
from quadrille.rules.chance import Stream
from quadrille.rules.core import State, ToMove
from quadrille.rules.core.talk import common_start
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.screen.positions import match_of, played

GAMES = [
    ("barons", 3, {}), ("maze", 2, {}), ("maze", 2, {"size": 3}), ("dollar-draw", 2, {"width": 4, "height": 4}),
    ("coin-isolation", 2, {}), ("coin-isolation", 4, {"adjacency": "diagonal"}),
    ("coin-isolation", 2, {"take": "semi-greedy", "mixed_change": True, "standing_still": True}),
    ("coin-isolation", 3, {"collect": "transplant", "renegade": True}),
    ("coin-isolation", 2, {"collect": "transplant-after", "mixed_change": True, "renegade": True}),
    ("dotter", 2, {}), ("dotter", 6, {"guess_nothing": True}),
]  # fmt: skip


#: Positions in which somebody is to move, each with the seed that led there.
positions = st.builds(
    lambda table, moves, seed: (match_of(table[0], table[1], moves, table[2], seed).state, seed),
    st.sampled_from(GAMES), st.integers(0, 25), st.integers(0, 10**6).map(str),
).filter(lambda found: isinstance(found[0].pending, ToMove))  # fmt: skip


@settings(deadline=None)
@given(positions)
def test_what_can_be_picked_leads_to_legal_moves(position: tuple[State, str]) -> None:
    """At random: places, choices and dropped squares; on the way nothing is ever wrong, and the end is a legal move."""
    state, seed = position
    dice, line = Stream(seed, "picks"), ""
    for _ in range(40):
        found = draft(state, line)
        assert found.stage in ("none", "begun", "legal"), (line, found)
        lines = [pick(state, line, place) for place in sorted(found.nexts)] + [text for _, text in found.choices]
        if found.stage == "legal":
            assert state.objection(state.game.parse(line, state)) is None
            if not dice.randrange(4) or not lines:
                return
        if found.path and not dice.randrange(5):
            lines = [drop(state, line)]
        assert lines, (line, found)
        line = lines[dice.randrange(len(lines))]


@settings(deadline=None)
@given(positions, st.data())
def test_every_beginning_of_a_legal_move_is_one(position: tuple[State, str], data: st.DataObject) -> None:
    """Typed letter by letter, a legal move is never refused before it is complete, and what it can become fits it."""
    state, seed = position
    text = str(state.moves.sample(Stream(seed, "typed")))
    at = data.draw(st.integers(1, len(text)))
    found = draft(state, text[:at])
    assert found.stage in ("begun", "legal"), (text[:at], found)
    assert all(word.startswith(" ".join(text[:at].split())) for word in found.words)
    assert draft(state, text).stage == "legal"


def test_a_preview_is_the_position_after_the_move_and_maze_takes_its_end_alone() -> None:
    state = match_of("barons", 3, 5).state
    assert preview(state, draft(state, "e5")) == state.play(state.game.parse("e5", state))
    state = Match(game("maze")).state
    assert pick(state, "", "b6") == "a6-b6"
    assert draft(state, "c6").says == "c6 is not next to a6, where the segment must start"


def test_maze_asks_for_the_start_where_there_are_several() -> None:
    match = match_of("maze", 2, 9, {"size": 4}, "b")
    state = match.state
    ends = [str(move).split("-")[1] for move in state.moves]
    several = next(end for end in ends if ends.count(end) > 1)
    line = pick(state, "", several)
    assert line == several and "can be reached from" in draft(state, line).says
    start = sorted(draft(state, line).nexts)[0]
    assert pick(state, line, start) == f"{start}-{several}"


def test_coin_paths_grow_are_cut_and_begin_anew() -> None:
    state = match_of("coin-isolation", 2, 17, seed="e").state
    line = pick(state, pick(state, pick(state, "", "f7"), "f6"), "f5")
    assert line == "f7-f6-f5"
    assert pick(state, line, "f6") == "f7-f6"
    assert drop(state, line) == "f7-f6" and drop(state, "f7") == ""
    assert pick(state, line, "d7") == "d7"
    assert draft(state, "f7-a1").stage == "wrong"


def test_dotter_is_made_of_cards() -> None:
    match = match_of("dotter", 2, 19, {"looks": 0}, "a")
    state = match.state.view(match.state.board.turn)
    assert pick(state, "", "p2 2b") == "peek p2 2b"
    assert pick(state, "peek p2 2b", "p2 2a") == "peek p2 2a 2b"
    assert pick(state, "peek p2 2a 2b", "p2 2c") == "score p2 2a 2b 2c"
    assert pick(state, "score p2 2a 2b 2c double", "p2 2a") == "peek p2 2b 2c"
    assert pick(state, "peek p2 2a 2b", "p1 4a") == "peek p1 4a"
    assert drop(state, "score p2 2a 2b 2c double") == "score p2 2a 2b 2c"
    assert dict(draft(state, "score p2 2a 2b 2c").choices)["double"] == "score p2 2a 2b 2c double"


def test_a_move_of_dotter_that_is_typed_with_commas_is_understood_from_its_first_letter_on() -> None:
    match = match_of("dotter", 2, 19, {"looks": 0}, "a")
    state = match.state.view(match.state.board.turn)
    line = "score p2, 2a, 2b,2c"
    assert {draft(state, line[:at]).stage for at in range(1, len(line) + 1)} == {"begun", "legal"}
    assert draft(state, line) == draft(state, line.replace(",", " "))
    assert draft(state, "score p2, 2a, 2 b") == draft(state, "score p2 2a 2b")


def test_what_a_score_is_worth_is_told_only_when_all_its_cards_are_known() -> None:
    match = played("dotter", "draw, draw, peek p1 1a 1b, draw")
    blind = draft(match.state.view(0), "score p1 1a 1b 1c")
    assert blind.stage == "legal" and preview(match.state.view(0), blind) is None
    for move in ("peek p1 1b 1c", "draw"):
        match.play(move)
    known = preview(match.state.view(0), blind)
    whole = match.copy()
    whole.play("score p1 1a 1b 1c")
    assert known is not None and known.figures() == whole.state.figures()


@pytest.mark.parametrize(
    ("words", "start"), [(["a1", "a10"], "a1"), (["ab", "cd"], ""), (["one"], "one"), (["a-b", "a-c"], "a-")]
)
def test_common_start(words: list[str], start: str) -> None:
    assert common_start(words) == start
