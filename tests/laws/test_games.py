"""What is true of whole games: they end, they can be told again, and they are the same on every machine."""

from collections import Counter
from typing import Any

import pytest

from quadrille.laws.settings import GAMES, GUIDE, Setting, everywhere, plugged, tried, usual
from quadrille.laws.walks import Step, frozen, random_match, thinned, walk, walk_on
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN, WHOLE, Face, Over, Pile, ToDraw, Viewer
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match


def most_moves(setting: Setting) -> Any:
    """A number of moves that no game at this table can exceed."""
    options: Any = setting.game.read_options(dict(setting.options))
    if told := plugged(setting.key):
        longest = setting.start().longest
        return told.most_moves(options, setting.seats) if told.most_moves else longest
    match setting.key:
        case "barons" | "chomp":
            # Each move claims a square, and nothing is given up; each bite takes a square at least.
            return options.width * options.height
        case "dollar-draw":
            # A square goes from blank to claimed to dollar to captured, one step a move, and no way leads back.
            return 3 * options.width * options.height
        case "maze":
            # Each move takes a square, and the first one is taken before.
            return options.size**2 - 1
        case "coin-isolation":
            # A coin kept is out of the game; `idle_rounds` rounds without one end it. At most two sides are picked.
            coins = sum(letter in "pndq" for letter in options.layout) or 64
            return 2 + (coins + 1) * options.idle_rounds * setting.seats
        case "dotter":
            # In a round each row is drawn once, each card is scored once, and each player looks at each card once.
            cards = 52 + options.jokers
            return options.max_rounds * (cards // 3 * 2 + cards * setting.seats)
    raise AssertionError(f"why does a game of {setting.key} end? {GUIDE}: most_moves in tests/laws/test_games.py")


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
@pytest.mark.parametrize("leaving", [False, True])
def test_games_end_within_their_bound(setting: Setting, leaving: bool) -> None:
    """Dotter of many laps is left alone after a while: it may go on, and the bound says for how long."""
    match = random_match(setting, "to the end", 1000, leaving=leaving)
    assert match.over is not None or match.ply == 1000 < most_moves(setting)
    assert match.ply <= most_moves(setting)


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_undo_takes_back(setting: Setting) -> None:
    """Also what happened since; afterwards the game goes on as if nothing had been."""
    match = random_match(setting, "undo", 20, leaving=True)
    states, rng = [match.before(number).state for number in range(len(match.entries) + 1)], Stream("undo")
    while match.ply:
        plies = 1 + rng.randrange(min(3, match.ply))
        wanted = match.ply - plies
        match.undo(plies)
        assert match.ply == wanted
        assert frozen(match.state) == frozen(states[len(match.entries)])
        if wanted and rng.randrange(2):
            match.play(match.state.moves.sample(rng))
            match.undo()
    wrong: tuple[Any, ...] = (0, 1, -1, True, "1")
    for count in wrong:
        with pytest.raises(RulesError):
            match.undo(count)


@pytest.mark.parametrize("setting", tried(table for key in GAMES for table in usual(key)), ids=str)
def test_a_match_refuses_and_stays(setting: Setting) -> None:
    match = random_match(setting, "stays", 6)
    if match.over is None:
        seen, entries = frozen(match.state), match.entries
        seat = match.state.board.turn
        for refused in (
            lambda: match.play("z99"),
            lambda: match.leave(setting.seats),
            lambda: match.leave(seat, "bored"),
            lambda: match.adjudicate([2] * setting.seats, "x"),
            lambda: match.adjudicate([1], "x"),
            lambda: match.undo(match.ply + 1),
        ):
            with pytest.raises(RulesError):
                refused()
        assert (frozen(match.state), match.entries) == (seen, entries)


@pytest.mark.parametrize("setting", tried(table for key in GAMES for table in usual(key)), ids=str)
@pytest.mark.parametrize("end", ["draw", "adjudication", "leaving"])
def test_a_match_ends_by_agreement_and_by_verdict(setting: Setting, end: str) -> None:
    match = random_match(setting, "ends", 5)
    if match.over is not None:
        return
    seats = setting.seats
    if seats > 2:
        match.leave(0)
    left = seats > 2
    match end:
        case "draw":
            match.agree()
            expected = ((seats,) if left else (1,)) + (1,) * (seats - 1)
        case "adjudication":
            expected = tuple(range(1, seats + 1))
            match.adjudicate(list(expected), "the lamp fell over")
        case "leaving":
            for seat in range(1 if left else 0, seats - 1):
                match.leave(seat)
            expected = tuple(range(seats, 0, -1))
    over = match.pending
    assert isinstance(over, Over) and over.places == expected
    assert over.reason == "the lamp fell over" or end != "adjudication"
    # nothing more can happen; a move can still be taken back, and then it goes on
    for refused in (lambda: match.play("a1"), match.agree, lambda: match.leave(1), lambda: match.adjudicate([1], "")):
        with pytest.raises(RulesError, match="over"):
            refused()
    match.undo()
    assert match.over is None
    match.play(match.state.moves.sample(Stream("on")))


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_what_was_drawn_is_told_to_those_who_may_know(setting: Setting) -> None:
    """A match of one viewer, fed with the masked faces, goes the way of the whole; one without a dealer waits."""
    steps = list(walk(setting, "told", 60))
    for viewer in (None, *range(setting.seats)):
        told = Match(setting.game, dict(setting.options), setting.seats, viewer=viewer)
        for step in steps:
            assert told.state == step.state.view(viewer)
            if step.move is None:
                break
            if isinstance(step.state.pending, ToDraw):
                with pytest.raises(RulesError):
                    told.play("draw")
            step.tell(told, viewer)


HIDDEN_TABLES = [table for table in everywhere() if table.game.hidden]


@pytest.mark.parametrize("setting", tried(HIDDEN_TABLES), ids=str)
def test_a_guess_deals_each_face_once(setting: Setting) -> None:
    """What a viewer has seen, and what a guess of that view goes on to show, are faces of the pile, no face twice."""
    steps = list(walk(setting, "guesses", 120))
    for viewer in (None, 0):
        for at in thinned(range(len(steps)), 6):
            seen = drawn(steps[:at], viewer)
            guess = steps[at].state.view(viewer).guess(Stream("guess"))
            found = drawn(list(walk_on(guess, "on", 60, known=True)), WHOLE)
            assert all(seen.get(place, face) == face for place, face in found.items())
            seen |= found
            for pile in {pile for pile, _ in seen}:
                faces = [face for (other, _), face in seen.items() if other == pile]
                assert not Counter(faces) - Counter(pile.faces)


def drawn(steps: list[Step], viewer: Viewer) -> dict[tuple[Pile, int], str]:
    """The faces that a viewer saw in a walk, by pile and position."""
    found = {}
    for step in steps:
        pending = step.state.pending
        if isinstance(pending, ToDraw) and isinstance(step.move, Face):
            face = step.seen(viewer)
            if face != HIDDEN:
                found[pending.pile, pending.position] = str(face)
    return found


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", tried(HIDDEN_TABLES), ids=str)
def test_a_guess_can_be_any_whole(setting: Setting) -> None:
    """Where a face is to be turned up that a spectator has not seen, guesses have all that are left there."""
    for step in (step for seed in range(20) for step in walk(setting, f"any {seed}", 40)):
        if isinstance(step.state.pending, ToDraw):
            view, rng = step.state.view(None), Stream("any")
            if view.moves.count() > 1:
                found = {str(next(iter(view.guess(rng).moves))) for _ in range(700)}
                assert found == set(map(str, view.moves))
                return
    pytest.skip("no face was turned up for all within 40 moves of 20 random games")
