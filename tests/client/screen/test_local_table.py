"""A table of this program's alone: whose turn, what is granted, whose cards are shown, what is asked of bots."""

from dataclasses import replace

import pytest

from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.local import record_of
from quadrille.client.screen.table.model import Model, Replay
from quadrille.client.screen.table.terminal import Click, Entitle, Ring, Tick
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings
from quadrille.client.table.effects import Advise, Keep, OfferDraw, Quit, Settled, Think, Wake
from quadrille.client.table.local import Cover
from quadrille.client.table.wishes import Answered, Faulted, Hinted, Kept, Loaded, Moved, Slow, WrittenDown
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Left, Match, Played
from quadrille.rules.record import write
from quadrille.rules.registry import game
from tests.client.screen.keyboard import after, begun, moved_to, pasted, press
from tests.client.screen.positions import match_of


def table(key: str, bots: list[str], options: dict[str, object] | None = None) -> Model:
    """A table at its start."""
    match = Match(game(key), options, len(bots), deal=Deal("s"))
    return begun(replace(begin_model(match, bots, Settings()), notice=""))


def moves(model: Model) -> list[str]:
    return [str(entry.move) for entry in model.table.match.entries if isinstance(entry, Played)]


def text(model: Model) -> str:
    return "\n".join(draw(model).lines)


def face_down(model: Model) -> int:
    """How many cards show their backs; in these positions they are drawn seven lines high."""
    return text(model).count("░░░░░░░░░") // 5


def test_a_move_asks_the_bot_whose_turn_it_is_then() -> None:
    model, effects = pasted(table("maze", ["", "random"]), "b6")
    [think] = [effect for effect in effects if isinstance(effect, Think)]
    assert (think.seat, think.bot, think.ticket) == (1, "random", model.ticket)
    assert model.thinking and "Ben is thinking" in text(model)
    model, effects = after(model, Moved(model.ticket, "b6-c6"))
    assert moves(model) == ["a6-b6", "b6-c6"]
    assert Ring() in effects and "YOUR TURN" in text(model)
    assert effects[-1] == Entitle("* your turn: Maze")


def test_a_bot_that_begins_is_asked_at_once() -> None:
    match = Match(game("maze"), deal=Deal("s"))
    _, effects = after(begin_model(match, ["random", ""], Settings()), *[])
    assert effects == []
    from quadrille.client.screen.table.terminal import Begun

    _, effects = update(begin_model(match, ["random", ""], Settings()), Begun())
    assert [type(effect) for effect in effects] == [Think, Entitle]


def test_a_late_answer_of_a_bot_is_forgotten() -> None:
    model = pasted(table("maze", ["", "random"]), "b6")[0]
    back = press(model, "f3")[0]
    assert moves(back) == []
    assert after(back, Moved(model.ticket, "b6-c6"))[0] == back


def test_what_is_typed_while_a_bot_thinks_is_kept() -> None:
    model = pasted(table("barons", ["", "random"]), "a1")[0]
    model, effects = pasted(model, "c3")
    assert not effects and model.line.text == "c3" and "not your turn" in model.notice
    model = after(model, Moved(model.ticket, "b2"))[0]
    assert model.line.text == "c3" and "c3 is legal" in text(model)
    assert moves(press(model, "enter")[0]) == ["a1", "b2", "c3"]


def test_a_refusal_is_said_at_once_with_its_reason() -> None:
    model = pasted(table("barons", ["", ""]), "a1")[0]
    assert "a1 belongs to player 1" in text(press(model, "a", "1")[0])
    refused, effects = pasted(model, "a1")
    assert not effects and refused.alarm and moves(refused) == ["a1"]


def test_a_bot_that_fails_can_be_replaced() -> None:
    model = pasted(table("maze", ["", "mcts:5"]), "b6")[0]
    model = after(model, Faulted(model.ticket, "ended", bot="mcts 5"))[0]
    assert "Choose: wait, stand-in 2 (another bot) or quit. Ben ended." in text(model) and not model.thinking
    model = press(model, "x", "escape")[0]
    assert "Ben ended." in text(model)  # until something is done
    model, effects = pasted(model, "stand-in random")
    assert [effect.bot for effect in effects if isinstance(effect, Think)] == ["random"]
    assert moves(model) == ["a6-b6"]


def test_a_bot_that_moves_what_is_not_legal_is_told_of() -> None:
    model = pasted(table("maze", ["", "random"]), "b6")[0]
    model = after(model, Moved(model.ticket, "a1-a2"))[0]
    assert "made an illegal move" in " ".join(text(model).split()) and "stand-in 2" in text(model)


def test_takeback_goes_to_where_a_person_had_to_choose() -> None:
    model = pasted(table("barons", ["", "random"]), "a1")[0]
    model = pasted(after(model, Moved(model.ticket, "b2"))[0], "c3")[0]
    model = after(model, Moved(model.ticket, "d4"))[0]
    assert moves(press(model, "f3")[0]) == ["a1", "b2"]
    assert moves(pasted(model, "takeback 2")[0]) == []
    assert pasted(model, "undo 3")[0].notice == "You have not made that many moves."
    assert "takes the number" in pasted(model, "takeback x")[0].notice


def test_a_draw_among_people_is_agreed_by_a_yes() -> None:
    model = press(table("barons", ["", ""]), "f4", "y")[0]
    assert model.table.match.over is not None and model.table.match.over.reason == "a draw was agreed"


@pytest.mark.parametrize("agrees", [True, False])
def test_a_draw_is_offered_to_every_bot(agrees: bool) -> None:
    model, effects = press(table("barons", ["", "random", "greedy"]), "f4", "enter")
    offers = [effect for effect in effects if isinstance(effect, OfferDraw)]
    assert [(offer.seat, offer.by) for offer in offers] == [(1, 0), (2, 0)]
    model = after(model, Answered(model.ticket, 1, agrees=True))[0]
    assert model.table.match.over is None
    model = after(model, Answered(model.ticket, 2, agrees=agrees))[0]
    assert (model.table.match.over is not None) == agrees
    assert agrees or "Cleo declines the draw" in model.notice


def test_resign_asks_once() -> None:
    model = press(table("barons", ["", "random", "random"]), "f9")[0]
    assert "Resign?" in text(model)
    assert press(model, "n")[0].table.match.entries == ()
    resigned, effects = press(model, "y")
    assert resigned.table.match.state.board.left[0]
    assert any(isinstance(effect, Think) for effect in effects)  # the bots play on


def test_a_person_who_has_resigned_is_told_so_and_what_the_keys_do_now() -> None:
    model = press(press(table("barons", ["", "random", "random"]), "f9")[0], "y")[0]
    told = "You have resigned. The others play on: F6 begins a new game, Ctrl-Q leaves."
    assert told in " ".join(text(model).split()) and "F9" not in text(model) and "Offer draw" not in text(model)
    refused = pasted(model, "a1")[0]
    refused = press(refused, "enter")[0]
    assert refused.notice == told and refused.alarm
    anew = press(model, "f6")[0]
    assert anew.table.match.entries == () and not anew.table.match.state.board.left[0]


def test_pause_asks_no_bot_and_goes_on_later() -> None:
    model = pasted(table("barons", ["", "random"]), "a1")[0]
    paused = press(model, "f8")[0]
    assert after(paused, Moved(model.ticket, "b2"))[0] == paused
    assert "PAUSED" in text(paused)
    going_on, effects = press(paused, "f8")
    assert [effect.ticket for effect in effects if isinstance(effect, Think)] == [going_on.ticket]


def test_a_rematch_rotates_the_seats_and_has_another_deal() -> None:
    model = press(table("barons", ["", "random", "greedy"]), "f9", "y")[0]
    assert press(table("barons", ["", ""]), "f6")[0].alarm
    while model.table.match.over is None:
        move = next(iter(model.table.match.state.moves))
        model = after(model, Moved(model.ticket, str(move)))[0]
    again, effects = press(model, "f6")
    assert [chair.bot for chair in again.table.chairs] == ["greedy", "", "random"]
    assert again.table.match.deal == Deal("s-2") and again.table.mine == (1,)
    assert any(isinstance(effect, Settled) for effect in effects)
    assert again.table.match.state.options == model.table.match.state.options


def test_a_hint_is_put_at_the_prompt() -> None:
    model, effects = press(table("barons", ["", "random"]), "f2")
    [asked] = [effect for effect in effects if isinstance(effect, Advise)]
    model = after(model, Hinted(asked.ticket, "c3"))[0]
    assert model.line.text == "c3" and "would play c3" in text(model)
    assert moves(press(model, "enter")[0]) == ["c3"]
    assert moves(press(model, *"d4", "enter")[0]) == ["d4"]  # a letter begins another line
    assert after(press(table("barons", ["", ""]), "a")[0], Hinted(0, "c3"))[0].line.text == "a"


def test_enter_after_a_hint_plays_it_wherever_the_cursor_stayed() -> None:
    """Enter picked the square under the cursor once more, and the hint was gone."""
    model = press(moved_to(table("barons", ["", ""]), "b2"), "enter", "enter")[0]
    model = press(model, "f2")[0]
    hint = str(next(iter(model.table.match.state.moves)))
    assert model.cursor == "b2" != hint
    model = after(model, Hinted(model.ticket, hint))[0]
    assert model.line.text == hint
    model = press(model, "enter")[0]
    assert str(model.table.match.entries[-1].move) == hint  # type: ignore[union-attr]


def test_the_only_move_is_made_by_itself() -> None:
    match = match_of("coin-isolation", 2, 17, seed="d")
    assert [str(move) for move in match.state.moves] == ["pass"]
    model = begun(begin_model(match, ["", ""], Settings()))
    assert "passes: there is no other move" in model.notice


def test_a_bot_that_thinks_long_is_told_of_until_it_moves() -> None:
    model = pasted(table("maze", ["", "mcts:5"]), "b6")[0]
    model = after(model, Slow(model.ticket, 15))[0]
    assert "Ben has been thinking for 15 s. Choose: wait, stand-in 2" in text(model)
    assert model.thinking and "thinking for 15" not in text(pasted(model, "wait")[0])
    assert after(model, Slow(model.ticket - 1, 30))[0] == model
    moved = after(model, Moved(model.ticket, "b6-c6"))[0]
    assert "stand-in" not in text(moved) and "YOUR TURN" in text(moved)
    assert pasted(moved, "wait")[0].notice == pasted(moved, "stand-in 2")[0].notice == "No bot is to move here."
    assert "such as stand-in 2" in pasted(model, "stand-in 2,3")[0].notice
    assert 'There is no bot "x"' in pasted(model, "stand-in x")[0].notice


def test_a_bot_stands_in_for_one_and_the_others_stay() -> None:
    model = pasted(table("barons", ["", "random", "greedy"]), "a1")[0]
    model = after(model, Faulted(model.ticket, "random ended"))[0]
    model, effects = pasted(model, "stand-in mcts:1")
    assert [chair.bot for chair in model.table.chairs] == ["", "mcts:1", "greedy"]
    assert [effect.bot for effect in effects if isinstance(effect, Think)] == ["mcts:1"]
    again = after(model, Faulted(model.ticket, "mcts:1 ended"))[0]
    again, effects = pasted(again, "wait")
    assert [effect.ticket for effect in effects if isinstance(effect, Think)] == [again.ticket]


def test_each_of_the_others_can_be_given_a_bot() -> None:
    model = pasted(table("barons", ["", "", ""]), "against 2,greedy:3")[0]
    assert [chair.bot for chair in model.table.chairs] == ["", "2", "greedy:3"]
    assert "Level 2, greedy 3 have the other seats" in model.notice
    assert "3 bots have no room" in pasted(model, "against 1,2,3")[0].notice
    assert [chair.bot for chair in pasted(model, "against people")[0].table.chairs] == ["", "", ""]
    assert [chair.bot for chair in pasted(model, "against 1")[0].table.chairs] == ["", "1", "1"]


# Clocks


def clocked(bots: list[str], key: str = "barons") -> Model:
    """A table with a minute for each, at its start; it is 0:01."""
    match = Match(game(key), None, len(bots), deal=Deal("s"))
    model = replace(begin_model(match, bots, Settings(), clock=TimeControl(60_000, 5000)), notice="")
    return after(begun(model), Tick(1000))[0]


def left(model: Model) -> list[int | None]:
    return [model.table.time_left(seat, model.now) for seat in range(len(model.table.chairs))]


def test_a_clock_runs_for_whose_turn_it_is() -> None:
    model, effects = after(clocked(["", ""]), Tick(21_000))
    assert effects == [Wake(1000)] and "TURN OF A  0:40  local" in text(model)
    model, effects = pasted(model, "a1")
    assert Wake(0) in effects  # who moved pays when it is known what time it is
    model = after(model, Tick(21_500))[0]
    assert left(model) == [44_500, 60_000] and "TURN OF B  1:00" in text(model)
    back = after(press(after(model, Tick(31_500))[0], "f3")[0], Tick(31_500))[0]
    assert left(back) == [44_500, 50_000]  # no time is taken back


def test_whose_time_is_up_has_lost() -> None:
    model, effects = after(clocked(["", ""]), Tick(60_500))
    assert effects == [Wake(501)] and model.table.match.over is None
    model = after(model, Tick(61_001))[0]
    assert model.table.match.entries == (Left(0, "time"),)
    assert "Player 1 has run out of time" in text(model) and "OVER" in text(model)
    assert "1 p1 time" in write(model.table.match)


def test_a_bot_is_told_what_all_have_left() -> None:
    model, effects = pasted(after(clocked(["", "random"]), Tick(11_000))[0], "a1")
    [think] = [effect for effect in effects if isinstance(effect, Think)]
    assert think.timer and [think.timer.at(seat, 11_000) for seat in (0, 1)] == [55_000, 60_000]
    model = after(model, Tick(11_000), Faulted(model.ticket, "random ran out of time", late=True))[0]
    assert model.table.match.entries[-1] == Left(1, "time")


def test_a_pause_and_a_covered_hand_cost_no_time() -> None:
    model = press(after(clocked(["", ""]), Tick(11_000))[0], "f8")[0]
    model = after(model, Tick(11_000), Tick(500_000))[0]
    assert left(model) == [50_000, 60_000] and "PAUSED  0:50" in text(model)
    model = after(press(model, "f8")[0], Tick(500_000), Tick(501_000))[0]
    assert left(model) == [49_000, 60_000]
    model = pasted(pasted(clocked(["", ""], "dotter"), "draw")[0], "peek p1 1a 1b")[0]
    model = after(model, Tick(2000), Tick(300_000))[0]
    assert isinstance(model.overlay, Cover) and left(model) == [64_000, 65_000]
    model = after(press(model, "enter", "enter")[0], Tick(300_000), Tick(301_000))[0]
    assert left(model) == [63_000, 65_000]


def test_clocks_are_full_again_for_another_game_only() -> None:
    model = after(pasted(clocked(["", "", ""]), "a1")[0], Tick(11_000))[0]
    assert left(after(pasted(model, "against random")[0], Tick(11_000))[0]) == [55_000, 60_000, 60_000]
    over = after(press(model, "f4", "y")[0], Tick(11_000))[0]
    assert left(after(press(over, "f6")[0], Tick(11_000))[0]) == [60_000, 60_000, 60_000]


def test_a_clock_runs_on_after_a_replay() -> None:
    model = press(after(pasted(clocked(["", ""]), "a1")[0], Tick(2000))[0], "f5", "home", " ")[0]
    model, effects = after(model, Tick(2700))
    assert model.replay == Replay(1) and isinstance(effects[-1], Wake)


# Looking back


def test_a_replay_has_its_own_keys_and_marks_one_move() -> None:
    model = table("barons", ["", "random"])
    for at in ("a1", "b2", "c3", "d4", "e5"):
        turn = model.ticket
        model = pasted(model, at)[0] if model.table.is_mine else after(model, Moved(turn, at))[0]
    model = press(model, "f5", "left")[0]
    assert text(model).count("‹") == 2 and "‹ › the last move" in text(model)  # on the board, and in the legend
    foot = draw(model).lines[-1]
    assert "Left Back Right On Space Run" in foot and "Resign" not in foot
    back = next(spot for spot in draw(model).spots if spot.name == "left")
    assert after(model, Click(back.row, back.column))[0].replay == Replay(3)


def test_replay_steps_jumps_and_runs() -> None:
    model = begun(begin_model(match_of("barons", 2, 12), ["", ""], Settings()))
    looking = press(model, "f5", "left", "left")[0]
    assert looking.replay == Replay(10) and "REPLAY 10 of 12" in text(looking)
    assert press(looking, "home")[0].replay == Replay(0)
    assert press(looking, "pageup", "pagedown", "pagedown")[0].replay == Replay(12)
    running, effects = press(looking, " ")
    assert running.replay == Replay(10, runs=True) and isinstance(effects[0], Wake)
    running, effects = after(running, Tick(1))
    assert running.replay == Replay(11, runs=True) and isinstance(effects[0], Wake)
    assert after(running, Tick(2)) == (replace(running, now=2, replay=Replay(12)), [])
    assert press(running, "escape")[0].replay is None
    assert press(running, "f5")[0].replay is None


@pytest.mark.parametrize("is_record", [False, True])
def test_a19_a_number_goes_to_that_move_of_a_replay(is_record: bool) -> None:
    match = match_of("barons", 2, 12)
    model = begun(begin_model(match, ["", ""], Settings()))
    looking = press(model, "f5")[0]
    if is_record:
        looking = Model(record_of(match, ("Ann", "Ben"), "whole"), replay=Replay(0))
    assert "Enter goes to move 7 of 12." in text(press(looking, "7")[0])
    for number in (7, 0, 12, 1):
        there = press(looking, *f"{number}", "enter")[0]
        assert there.replay == Replay(number) and there.line.text == "" and not there.alarm
    there = press(looking, *"99", "enter")[0]
    assert there.replay == looking.replay and "There is no move 99: the last one is 12" in text(there)
    assert press(there, *"3", "enter")[0].replay == Replay(3)
    assert press(looking, *"9" * 5000, "enter")[0].alarm


def test_play_on_from_an_earlier_position_against_a_bot() -> None:
    model = begun(begin_model(match_of("barons", 2, 12), ["", "random"], Settings()))
    asked = press(model, "f5", "home", "right", "right", "enter")[0]
    assert "Play on from here?" in text(asked)
    assert press(asked, "escape")[0].replay == Replay(2)
    model = press(asked, "enter")[0]
    assert model.table.match.ply == 2 and model.replay is None
    assert any(isinstance(effect, Think) for effect in pasted(model, "e5")[1])


def test_replay_shows_no_card_that_the_viewer_may_not_see() -> None:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    for move in ("draw", "peek p1 1a 1b", "peek p1 1a 1b"):
        match.play(move)
    model = press(begun(begin_model(match, ["", "random"], Settings())), "f5", "left")[0]
    assert text(model).count("(") == 0 and face_down(model) == 3
    own = press(begun(begin_model(match, ["random", ""], Settings())), "f5", "left")[0]
    assert text(own).count("(") == 3, "two cards, and what brackets mean"


def test_in_the_end_all_is_shown() -> None:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    for move in ("draw", "peek p1 1a 1b", "peek p1 1a 1c"):
        match.play(move)
    model = begun(begin_model(match, ["random", ""], Settings()))
    assert face_down(model) == 1
    ended = press(model, "f9", "y")[0]
    assert "░░" not in text(ended)
    assert face_down(press(ended, "f3")[0]) == 1


# Hot seat


def hot_seat() -> Model:
    """Two people at Dotter; the first has drawn, the second looks at two of the cards."""
    model = table("dotter", ["", ""])
    model = press(pasted(model, "draw")[0], "enter", "enter")[0]
    return pasted(model, "peek p1 1a 1b")[0]


def test_hands_are_covered_between_turns() -> None:
    model = hot_seat()
    assert model.overlay == Cover(0, 1)
    assert "You see " in text(model) and "Press Enter, then hand over to A player 1" in text(model)
    covered = press(model, "enter")[0]
    assert "You see" not in text(covered) and "░░" not in text(covered) and "It is the turn of A" in text(covered)
    shown = press(covered, "enter")[0]
    assert shown.table.viewer == 0 and face_down(shown) == 3
    assert "peek p1 1a 1b =" not in text(shown)


def test_nothing_but_enter_uncovers() -> None:
    model = press(hot_seat(), "enter")[0]
    assert press(model, "escape", "a", "f1", "f5", "left", " ", "tab")[0] == model


def test_a_question_about_leaving_uncovers_no_hand() -> None:
    """After a no, the cards of the one before lay open."""
    covered = after(press(hot_seat(), "enter")[0], WrittenDown("the disk is full"))[0]
    asked = press(covered, "c-q")[0]
    assert "Leave it?" in text(asked)
    assert press(asked, "escape")[0].overlay == Cover(0)
    assert press(asked, "escape", "c-q", "escape")[0].overlay == Cover(0)
    assert press(asked, "enter")[1]


def test_a_game_that_is_loaded_is_covered_first() -> None:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    match.play("draw")
    match.play("peek p1 1a 1b")
    model = after(table("barons", ["", ""]), Loaded("x.txt", match))[0]
    assert model.overlay == Cover(0) and "░░" not in text(model)


def test_open_games_are_never_covered() -> None:
    assert pasted(table("barons", ["", ""]), "a1")[0].overlay is None


# Files


def test_save_and_load() -> None:
    model = pasted(table("barons", ["", ""]), "a1")[0]
    [keep] = pasted(model, "save x.txt")[1]
    assert keep == Keep("x.txt", model.table.match)
    kept = after(model, Kept("x.txt", "/x.txt", model.table.match.entries))[0]
    assert "Saved to /x.txt" in text(kept)
    [keep] = press(kept, "f7", "enter")[1]
    assert isinstance(keep, Keep) and keep.over and keep.name == "x.txt"
    other = match_of("maze", 2, 3)
    loaded = after(kept, Loaded("y.txt", other))[0]
    assert loaded.table.match is other and loaded.file == "y.txt"


def test_the_first_save_that_fails_stays_on_the_screen_until_a_key_while_bots_move() -> None:
    model = pasted(table("barons", ["", "random"]), "a1")[0]
    failed = after(model, WrittenDown("the disk is full"), Moved(model.ticket, "b2"))[0]
    told = "This game isn't kept: save it elsewhere with save FILE. The disk is full."
    assert failed.table.is_mine and told in " ".join(text(failed).split())
    assert told not in " ".join(text(press(failed, "down")[0]).split())


def test_leaving_asks_only_when_something_would_be_lost() -> None:
    model = table("barons", ["", ""])
    assert press(model, "c-q")[1]
    kept = pasted(model, "a1")[0]
    assert press(kept, "c-q")[1] == [Quit()]
    moved = after(kept, WrittenDown("the disk is full"))[0]
    assert "This game isn't kept: save it elsewhere with save FILE. The disk is full." in " ".join(text(moved).split())
    assert not press(moved, "c-q")[1]
    assert press(moved, "c-c", "c-c")[1]
    assert press(after(moved, Kept("x", "/x", moved.table.match.entries))[0], "c-q")[1]
