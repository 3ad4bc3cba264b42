"""Tables that are not this program's alone: what a person wishes is handed on, what comes back is shown."""

from dataclasses import replace

from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.line_keys import Line
from quadrille.client.screen.table.local import shown
from quadrille.client.screen.table.model import Changed, Model, ShownTable
from quadrille.client.screen.table.terminal import Begun, Ring, Tick
from quadrille.client.table.effects import Quit, Wake
from quadrille.client.table.local import LocalTable
from quadrille.client.table.wishes import PlayMove, ProposeMotion, Rematch, ResignSeat, Say, Takeback
from quadrille.client.words.commands import by_word
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.keyboard import after, pasted, press

TIME = TimeControl(65_000, 0)


def remote(match: Match, **more: object) -> ShownTable:
    """A table on the network at which the first seat is ours."""
    table = shown(LocalTable.of(match, ["", *["x"] * (match.state.seats - 1)]))
    names = ("Ann", "Ben", "Cid", "Dot")
    chairs = tuple(replace(chair, name=name, bot="") for chair, name in zip(table.chairs, names, strict=False))
    return replace(table, chairs=chairs, mine=(0,), local=False, link="3 of 3 here", **more)  # type: ignore[arg-type]


def barons(moves: str = "", **more: object) -> ShownTable:
    match = Match(game("barons"), None, 3, deal=Deal("s"))
    for move in moves.split():
        match.play(move)
    return remote(match, **more)


def text(model: Model) -> str:
    return "\n".join(draw(model).lines)


def test_wishes_are_handed_on() -> None:
    model = Model(barons())
    assert pasted(model, "e4")[1] == [PlayMove("e4")]
    assert pasted(model, "takeback 2")[1] == [Takeback(2)]
    assert pasted(model, "say good luck")[1] == [Say("good luck")]
    assert press(model, "f4", "y")[1] == [ProposeMotion("draw")]
    assert press(model, "f8")[1] == [ProposeMotion("pause")]
    assert press(model, "f9", "y")[1] == [ResignSeat()]
    assert press(model, "c-q")[1] == [Quit()]
    assert press(Model(barons("a1")), "f6")[1] == [Rematch()]


def test_what_is_local_is_on_no_menu() -> None:
    words = set(by_word(Model(barons()).table.place))
    assert "say" in words and not words & {"against", "load"}


def test_a_change_is_shown_and_calls_the_one_whose_turn_it_is() -> None:
    model = replace(Model(barons("a1")), line=Line.of("c3"))
    model, effects = after(model, Changed(barons("a1 b1 d1"), "Cid: d1"))
    assert effects == [Ring()]
    assert model.line.text == "c3" and model.notice == "Cid: d1" and "last: C d1" in text(model)
    assert after(model, Changed(barons("a1 b1 d1")))[1] == []


def test_what_was_told_before_the_others_moved_goes_when_it_is_my_turn() -> None:
    model = after(Model(barons("a1")), Changed(barons("a1"), "You see Q♦ and A♥."))[0]
    model = after(model, Changed(barons("a1 b1")))[0]
    assert "You see Q♦ and A♥." in text(model)
    assert "You see" not in text(after(model, Changed(barons("a1 b1 d1")))[0])


def test_the_first_line_tells_clock_and_connection() -> None:
    model = Model(barons(clocks=Clocks(TIME, (65_000, 30_000, 5_000), 0, 1000)), now=1000)
    assert "YOUR TURN  1:05  3 of 3 here" in text(model)
    assert after(model, Begun())[1] == [Wake(1000)]
    model, effects = after(model, Tick(3000))
    assert effects == [Wake(1000)] and "YOUR TURN  1:03" in text(model)
    assert "B Ben moves  0:28" in text(Model(replace(barons("a1"), clocks=Clocks(TIME, (9, 30_000, 9), 1)), now=2000))


def test_a_long_line_keeps_its_sender() -> None:
    long = " ".join(f"word{number}" for number in range(90))
    for chat in ((f"Ben: {long}",), ("Ann: hello", f"Ben: {long}"), (f"Ben: {long}", "Ann: hello")):
        shown = text(Model(barons("a1", chat=chat)))
        part = shown[shown.index("Chat") :]
        assert "word0" not in part or "Ben: word0" in part
        assert f"{chat[-1][:11]}" in part


def test_one_who_looks_on_moves_nothing() -> None:
    model = Model(replace(barons(), mine=(), viewer=None))
    assert "A Ann moves" in text(model)
    assert pasted(model, "e4")[1] == []
    assert press(model, "down", "enter", "enter")[1] == []


def test_a_spectators_record_can_be_looked_back_upon() -> None:
    match = Match(game("dotter"), None, 2, viewer=None)
    match.play("draw")
    model = press(Model(replace(remote(match), view=match.state)), "f5", "left")[0]
    assert "REPLAY 0 of 1" in text(model)
