"""The line at the prompt: typing goes there whatever the board does; editing, completion, lines from before."""

from dataclasses import replace
from functools import reduce
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.table.draw import current_draft, draw
from quadrille.client.screen.table.model import Model, draft, drop, pick, preview
from quadrille.client.screen.table.terminal import Line, Pasted, Wheel, edited
from quadrille.rules.chance import Stream
from quadrille.rules.core import State, ToMove
from tests.client.screen.keyboard import (
    after,
    begun,
    front_of,
    match_of,
    model_of,
    pasted,
    picture,
    played,
    press,
    text,
    typed,
)
from tests.client.screen.network.scenes import ROOM, evening


def maze() -> Model:
    """Two people at the start of a game in which "c3" is refused."""
    return begun(model_of(match_of("maze", 2, 0), people=True))


#: The keys that edit a line; in an empty one of the lobby Del is for the list.
EDITING = ["backspace", "c-d", "home", "end", "c-b", "c-left", "c-f", "c-right", "c-u", "c-k", "c-w"]


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        (["a", "4"], "a4", 2),
        (["a", "4", "backspace"], "a", 1),
        (["a", "b", "c", "c-b", "c-b", "delete"], "ac", 1),
        (["a", "b", "home", "c"], "cab", 1),
        (["a", "b", "c-a", "c-f", "x", "c-e", "y"], "axby", 4),
        (["a", "b", "c-b", "c-u"], "b", 0),
        (["a", "b", "c-b", "c-k"], "a", 1),
        (["o", "n", "e", " ", "t", "w", "o", "c-w"], "one ", 4),
        (["c-left", "backspace", "delete", "c-right"], "", 0),
    ],
)
def test_editing(keys: list[str], text: str, at: int) -> None:
    assert reduce(edited, keys, Line()) == Line(text, at)


def test_tab_completes_moves_and_words() -> None:
    model = begun(model_of(match_of("dotter", 2, 0), people=True))
    assert press(model, "d", "tab")[0].line.text == "draw"
    assert "Tab: takeback, theme, title" in text(press(model, "t")[0])
    assert press(model, "t", "a", "tab")[0].line.text == "takeback"
    assert press(model, "z", "tab")[0].line.text == "z"
    model = begun(model_of(match_of("dotter", 2, 19, {"looks": 0}, "a"), people=True))
    for line in ("score p2 2a", "score p2, 2a,", "SCORE  p 2 2A "):
        assert press(model, *line, "tab")[0].line.text in ("score p2 2a 2", "score p2 2a 2b")


#: A prompt in the lobby, before a game and at a table: the same keys mean the same at each.
PROMPTS = {"lobby": evening(), "room": replace(evening(), front=WaitingRoomScreen(ROOM)), "table": maze()}
at_any_prompt = pytest.mark.parametrize("place", PROMPTS)


def line_at(there: Any) -> Line:
    found: Line = (front_of(there) or there.lobby).line
    return found


@at_any_prompt
@settings(deadline=None)
@given(keys=st.lists(st.sampled_from([*"abc 7-", *EDITING])))
def test_every_prompt_is_edited_by_the_same_keys(place: str, keys: list[str]) -> None:
    there = press(PROMPTS[place], *keys)[0]
    assert line_at(there) == reduce(lambda line, key: edited(line, key) or line, keys, Line())
    assert line_at(press(there, "x", "escape")[0]) == Line()
    assert line_at(after(PROMPTS[place], Pasted("resign\ny\ny"))[0]).text == "resign", "the first line alone"


@at_any_prompt
@settings(deadline=None)
@given(st.lists(st.sampled_from(["zzz", "xxx 1", "block Ben"])), st.lists(st.sampled_from(["c-p", "c-n"]), min_size=1))
def test_lines_from_before_come_back_whether_they_were_granted_or_not(
    place: str, lines: list[str], keys: list[str]
) -> None:
    there, before = PROMPTS[place], [line for line, _ in groupby(lines)]
    for line in lines:
        there = pasted(there, line)[0]
    at = reduce(lambda at, key: min(max(at + (1 if key == "c-n" else -1), 0), len(before)), keys, len(before))
    assert line_at(press(there, *keys)[0]).text == [*before, ""][at]


@pytest.mark.parametrize(
    ("place", "begun", "line"),
    [("lobby", "play ba", "play barons"), ("room", "next ba", "next barons"), ("table", "theme pa", "theme paper")],
)
def test_tab_completes_what_a_word_takes(place: str, begun: str, line: str) -> None:
    assert line_at(press(PROMPTS[place], *begun, "tab")[0]).text == line


@at_any_prompt
def test_a_refused_line_is_seen_to_be_replaced_by_the_next_letter(place: str) -> None:
    for line in ["zzz", *["c3"] * (place == "table")]:  # neither a word nor a move, and a move against the rules
        there = pasted(PROMPTS[place], line)[0]
        assert ("chosen", line) in [(style, text.strip()) for style, text in picture(there).rows[-2]]
        assert line_at(press(there, "b")[0]) == line_at(after(there, Pasted("b"))[0]) == Line.of("b")


def test_the_wheel_turns_pages_and_goes_through_a_game() -> None:
    model = begun(model_of(match_of("barons", 2, 4), people=True))
    assert after(press(model, "f1")[0], Wheel(up=False))[0].overlay.top == 3
    assert after(press(model, "f5")[0], Wheel(up=True))[0].replay.at == 3
    assert after(model, Wheel(up=True)) == (model, [])


def test_arrows_are_the_board_s_and_leave_a_refused_line_as_it_is() -> None:
    letters = press(maze(), "down", "h", "j", "k", "l", "left")[0]
    assert letters.line.text == "hjkl" and letters.focus == "board"
    model = press(typed(maze(), "c3")[0], "down")[0]
    assert model.line.text == "c3" and model.cursor
    edited = press(model, "backspace")[0]
    assert edited.line.text == "c" and "chosen" not in [style for style, _ in draw(edited).rows[-2]]
    assert press(model, *"b6", "enter")[0].table.match.ply == 1


def test_a_letter_after_a_whole_move_was_picked_begins_another_and_other_signs_go_on() -> None:
    model = press(begun(model_of(match_of("barons", 2, 0), people=True)), "right", "enter")[0]
    assert current_draft(model).stage == "legal" and model.line.text
    assert press(model, "a", "1")[0].line.text == "a1"
    model = press(begun(model_of(match_of("dotter", 2, 9, {"looks": 0}), people=True)), "right", "enter")[0]
    assert current_draft(model).stage == "begun"
    assert press(model, "a")[0].line.text == f"{model.line.text}a"


# Half-made moves: what they mean, what can come next; picking what is offered always leads to a legal move


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
