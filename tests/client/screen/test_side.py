"""The column beside the board: notes are whole, and by the names of those who sit there."""

import re
from dataclasses import replace

from quadrille.client.reports import seen
from quadrille.client.screen.draw.cards import face
from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draft import draft
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model, Replay, ShownChair, shown_state
from quadrille.client.settings import Settings
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.keyboard import begun
from tests.client.screen.positions import match_of


def text(match: Match, *names: str, start: int = 54) -> str:
    return " ".join(" ".join(line[start:] for line in draw(seated(match, *names)).lines).split())


def seated(match: Match, *names: str) -> Model:
    model: Model = begin_model(match, [""] * match.state.seats, Settings())
    chairs = tuple(map(ShownChair, names))
    return begun(replace(model, table=replace(model.table, chairs=chairs, local=False, viewer=0), notice=""))


def test_all_four_starts_of_coin_isolation_are_told() -> None:
    match = Match(game("coin-isolation"), None, 4, deal=Deal("s"))
    for side in ("south", "west", "east"):
        move = game("coin-isolation").parse(f"side {side}", match.state)
        if match.state.objection(move) is None:
            match.play(move)
    starts = text(match, "Ann", "Ben", "Cid", "Dot").split("Starts: ")[1]
    told = dict(re.findall("([A-D]) (south|north|west|east)", starts.split("Moves")[0]))
    assert sorted(told) == ["A", "B", "C", "D"] and sorted(told.values()) == ["east", "north", "south", "west"]


def test_who_looked_at_cards_is_told_by_name() -> None:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    for move in ("draw", "draw", "peek p1 1a 1b"):
        match.play(move)
    assert "A Ann has looked at p1 1a 1b" in text(match, "Ann", "Ben", start=53)
    assert "You have looked at p1 1a 1b" in text(match, "you", "Ben", start=53)
    assert "B has" not in text(match, "Ann", "you", start=53)
    assert "Player 1" not in text(match, "Ann", "Ben")


def test_every_seat_shows_its_clock() -> None:
    """Only whose turn it was had one, in the first line."""
    for key in ("barons", "dotter"):
        model = begin_model(match_of(key, 2, 0), ["", "random"], Settings(), clock=TimeControl(300_000, 0))
        lines = draw(replace(model, notice="")).lines[1:]
        assert len([line for line in lines if "5:00" in line]) == 2, key


def test_a_choice_under_the_cursor_keeps_its_brackets() -> None:
    model = begun(begin_model(match_of("dotter", 2, 0), ["", "random"], Settings()))
    assert "[▸draw ]" in "\n".join(draw(replace(model, cursor="draw", focus="board")).lines)


def test_a_look_is_to_be_remembered_where_memory_is_not_open() -> None:
    """On the board, in the list of moves, in the preview of a score and in the replay; after the game all is shown."""
    for open_memory in (True, False):
        match = Match(game("dotter"), {"open_memory": open_memory, "laps": 1}, 2, deal=Deal("s"))
        for move in ("draw", "draw", "peek p1 1a 1b"):
            match.play(move)
        saw = " ".join(face(str(card)) for card in seen(match, 2, 0))
        assert saw in text(match, "you", "Ben")
        for move in ("draw", "peek p1 1b 1c", "draw"):
            match.play(move)
        model = begin_model(match, ["", "random"], Settings())
        assert isinstance(shown_state(model).viewer, int)
        told = " ".join(draw(begun(model)).lines)
        preview = draft(shown_state(model), "score p1 1a 1b 1c").after
        again = " ".join(draw(begun(replace(model, replay=Replay(3)))).lines)
        assert [saw in told, preview is not None, saw in again] == [open_memory] * 3
        match.leave(1)
        ended = begin_model(match, ["", "random"], Settings())
        assert saw in " ".join(draw(begun(replace(ended, notice=""))).lines)


def scored() -> Match:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    for move in ("draw", "draw", "score p1 1a 1b 1c", "score p2 1a 1b 1c", "draw", "draw", "peek p1 2a 2b"):
        match.play(move)
    return match


def test_the_reason_of_a_score_is_told_whole_in_the_list_of_moves() -> None:
    """Lines after the first were wrapped two columns too wide, and cut."""
    for columns in range(80, 121, 4):
        model = begun(begin_model(scored(), ["", "random"], Settings()))
        lines = draw(replace(model, notice="", columns=columns, rows=40)).lines
        moves = next(number for number, line in enumerate(lines) if line.endswith("Moves"))
        assert not any("…" in line for line in lines[moves:-3]), columns
