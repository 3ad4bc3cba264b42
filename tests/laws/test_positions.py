"""What is true of every position of every game, as any viewer knows it.

Each law below takes a step of a random game, a position and what happened in it, and is tried at many of them.
"""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from quadrille.laws.order import order
from quadrille.laws.settings import GAMES, TEXTS, Setting, combined, everywhere, plugged, quick, usual
from quadrille.laws.walks import Step, choice, flat, frozen, slots, thinned, viewers, walk, walk_on
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import HIDDEN, WHOLE, Over, State, ToDraw, ToMove
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.match import mask

LISTED = 400  # of the moves of a position; there can be millions
READ = 12  # of those


def texts(state: State[Any, Any], most: int = LISTED) -> list[str]:
    return [str(move) for move in itertools.islice(state.moves, most)]


def one_thing_is_owed(step: Step) -> None:
    """A move of a seat that is in the game and has one; or a face of a pile; or nothing, for the game is over."""
    state = step.state
    match state.pending:
        case ToMove(seat):
            assert 0 <= seat < state.seats
            assert not state.board.left[seat]
            assert state.moves
            assert state.moves.count() if state.moves.count(LISTED) < LISTED else True
        case ToDraw(pile, position, owner):
            assert 0 <= position < len(pile.faces)
            assert owner is None or 0 <= owner < state.seats
        case Over(places, figures, reason):
            assert not state.moves
            assert state.moves.count() == 0
            assert texts(state) == []
            assert reason
            assert figures == state.figures()
            for seat in (seats := range(state.seats)):
                assert places[seat] == 1 + sum(state.board.order(b, seat) > 0 for b in seats if b != seat)
            for refused in (lambda: state.moves.sample(Stream("")), lambda: state.leave(0)):
                with pytest.raises(GameOver):
                    refused()


def listed_moves_are_legal(step: Step) -> None:
    """And distinct, in canonical order, as many as counted."""
    state = step.state
    moves = list(itertools.islice(state.moves, LISTED))
    assert state.moves.count(LISTED) == len(moves)
    assert len(set(map(str, moves))) == len(set(moves)) == len(moves)
    assert bool(state.moves) == bool(moves)
    for move in thinned(moves, READ):
        assert state.objection(move) is None
        assert move in state.moves
    if isinstance(state.pending, ToMove):
        found = list(map(str, moves))
        assert found == sorted(found, key=lambda text: order(state.game.key, text))


def moves_are_read_as_they_are_written(step: Step) -> None:
    """Also in upper case, with blanks around and between."""
    state = step.state
    if isinstance(state.pending, ToMove):
        for move in thinned(list(itertools.islice(state.moves, LISTED)), READ):
            text = str(move)
            assert text == " ".join(text.lower().split())
            for written in (text, text.upper(), f"  {text.replace(' ', '   ')}\t"):
                assert state.game.parse(written, state) == move


def samples_are_listed(step: Step) -> None:
    state = step.state
    if isinstance(state.pending, ToMove):
        count, rng = state.moves.count(LISTED), Stream("sample")
        listed = set(texts(state)) if count < LISTED else None
        for _ in range(3):
            move = state.moves.sample(rng)
            assert state.objection(move) is None
            assert listed is None or str(move) in listed


def playing_leaves_the_position_alone(step: Step) -> None:
    """A State never changes, whatever is done with it; what is played is another State."""
    state = step.state
    before, digest, seen = frozen(state), state.digest(), hash(state)
    if step.move is not None:
        assert state.play(step.move) != state
        assert state.play(step.move) == state.play(step.move)
        after = state.play(step.move)
        follow = choice(after, SeedDealer(""), Stream("")) if isinstance(after.pending, ToMove) else None
        if follow is not None:
            after.play(follow)
    for refused in ("", "z99", "no such move", "\0", None):
        with pytest.raises(RulesError):
            state.play(state.game.parse(refused, state))
    with pytest.raises(RulesError):
        state.leave(state.seats)
    assert (frozen(state), state.digest(), hash(state)) == (before, digest, seen)


def views_agree_with_the_whole(step: Step) -> None:
    """The law: to play and look is to look and play. Compared slot by slot: what a seat may not know is nowhere."""
    state, move = step.state, step.move
    for viewer in viewers(state):
        view = state.view(viewer)
        assert view.pending == state.pending
        assert view.view(viewer) == view
        assert view.view(None) == state.view(None)
        assert view.digest() == state.digest()
        assert len(view.digest()) == 32
        if isinstance(state.pending, ToMove):
            assert view.moves.count(LISTED) == state.moves.count(LISTED)
            assert texts(view, READ) == texts(state, READ)
        if move is not None:
            masked = mask(state, move, viewer)
            assert mask(view, masked, viewer) == masked
            after, played = state.play(move).view(viewer), view.play(masked)
            assert after == played
            assert hash(after) == hash(played)
            assert frozen(after) == frozen(played)


def only_the_owner_sees_a_face(step: Step) -> None:
    state, move = step.state, step.move
    pending = state.pending
    if isinstance(pending, ToDraw):
        with pytest.raises(RulesError):
            state.play(HIDDEN)
    if move is None:
        return
    for viewer in viewers(state):
        hidden = isinstance(pending, ToDraw) and pending.owner not in (None, viewer)
        assert mask(state, move, viewer) == (HIDDEN if hidden else move)


def guesses_fit_the_view(step: Step) -> None:
    """A guess is a whole that the view could be of: from the same seat nothing tells it from the true one. The view's
    board has the `faces` that the seat has seen, which bots are told.
    """
    state = step.state
    for viewer in viewers(state):
        view = state.view(viewer)
        if (sealed := state.sealed()) is not None and isinstance(viewer, int):
            assert all(view.board.faces[at] in range(len(sealed.pile.faces)) for at in sealed.looks[viewer])
        guess = view.guess(Stream("guess"))
        assert guess.viewer == WHOLE
        assert guess == view.guess(Stream("guess"))
        assert guess.pending == state.pending
        seen = guess.view(viewer)
        assert seen == view
        assert frozen(seen) == frozen(view)
        assert seen.scene() == view.scene()


def guesses_can_be_played(step: Step) -> None:
    """Whoever searches over guesses can play them on, and what they would see there has an answer."""
    state = step.state
    if isinstance(state.pending, ToMove) and state.game.hidden:
        guess = state.view(state.pending.seat).guess(Stream("guess"))
        assert list(walk_on(guess, "on", 12, known=True))


def no_fraction_anywhere(step: Step) -> None:
    def look(value: object) -> None:
        assert not isinstance(value, float | complex)
        if isinstance(value, list | tuple | set | frozenset):
            for item in () if flat(value) else value:
                look(item)
        elif isinstance(value, dict):
            look(list(value.items()))
        elif not isinstance(value, int | str | bytes | type | range | None):
            look([item for name, item in slots(value) if name not in ("game", "worth")])

    look([step.state, step.state.plain(), step.state.figures(), step.state.scene(), step.move])


def payoffs_are_the_places(step: Step) -> None:
    """Who is ahead of how many, less who is behind: together 0."""
    board, seats = step.state.board, range(step.state.seats)
    places = [board.place(seat) for seat in seats]
    payoffs = [sum((b > a) - (b < a) for b in places) for a in places]
    assert [board.payoff(seat) for seat in seats] == payoffs
    assert sum(payoffs) == 0
    assert min(places) == 1


def pictures_name_what_is_there(step: Step) -> None:
    """A scene has a panel a seat, names no cell twice, and its labels are short."""
    state = step.state
    for viewer in viewers(state):
        scene = state.view(viewer).scene()
        assert scene.game == state.game.key
        assert [panel.seat for panel in scene.panels] == list(range(state.seats))
        to_move = [panel.seat for panel in scene.panels if panel.to_move]
        match state.pending:
            case ToMove(seat):
                assert to_move == [seat]
            case Over():
                assert to_move == []
        assert [bool(state.board.left[panel.seat]) for panel in scene.panels] == [panel.left for panel in scene.panels]
        marks = [mark for row in scene.rows for mark in row.marks if mark is not None]
        if scene.sheet:
            names = [cell.name for cell in scene.sheet.cells]
            assert len(set(names)) == len(names) == scene.sheet.width * scene.sheet.height
            assert {end for link in scene.sheet.links or () for end in (link.start, link.end)} <= set(names)
            marks += [mark for cell in scene.sheet.cells for mark in cell.marks]
        assert all(mark.kind and len(mark.label) <= 4 for mark in marks)


def a_seat_can_leave(step: Step) -> None:
    """It goes behind those who stay, before those who left earlier; play goes on without it, and laws hold."""
    state = step.state
    if isinstance(state.pending, Over):
        return
    staying = [seat for seat in range(state.seats) if not state.board.left[seat]]
    for seat in staying:
        after = state.leave(seat)
        assert after.board.left[seat] == state.seats - len(staying) + 1
        assert isinstance(after.pending, Over) or len(staying) > 2
        assert [after.board.place(other) < after.board.place(seat) for other in staying if other != seat]
        assert after.board.place(seat) == len(staying)
        with pytest.raises(RulesError):
            after.leave(seat)
        for viewer in viewers(state):
            assert frozen(after.view(viewer)) == frozen(state.view(viewer).leave(seat))
        if len(staying) == 2:
            assert after.board.place(sum(staying) - seat) == 1
            assert after.pending.reason == "everybody else has left"  # type: ignore[union-attr]


LAWS: tuple[Callable[[Step], None], ...] = (
    one_thing_is_owed,
    listed_moves_are_legal,
    moves_are_read_as_they_are_written,
    samples_are_listed,
    playing_leaves_the_position_alone,
    views_agree_with_the_whole,
    only_the_owner_sees_a_face,
    guesses_fit_the_view,
    guesses_can_be_played,
    no_fraction_anywhere,
    payoffs_are_the_places,
    pictures_name_what_is_there,
    a_seat_can_leave,
)


def keep(steps: list[Step]) -> None:
    for step in steps:
        for law in LAWS:
            law(step)


def with_leavers(setting: Setting, seed: str, most: int) -> list[Step]:
    """A walk in which seats leave one after another, early, at any point: also while a face is owed."""
    state, rng, steps = setting.start(), Stream(seed, "leavers"), []
    for _ in range(setting.seats - 1):
        walked = list(walk_on(state, seed, 2 + rng.randrange(most)))
        steps += walked[:-1]
        state = walked[-1].state
        if isinstance(state.pending, Over):
            break
        staying = [seat for seat in range(state.seats) if not state.board.left[seat]]
        state = state.leave(staying[rng.randrange(len(staying))])
    return [*steps, *walk_on(state, seed, most)]


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_laws(setting: Setting) -> None:
    keep(thinned(list(walk(setting, "laws")), 4))


@pytest.mark.parametrize("setting", quick(setting for key in GAMES for setting in usual(key)), ids=str)
def test_laws_when_seats_leave(setting: Setting) -> None:
    keep(thinned(with_leavers(setting, "a", 15), 5))


@pytest.mark.slow
@pytest.mark.parametrize("setting", everywhere(), ids=str)
def test_laws_all_along(setting: Setting) -> None:
    keep(thinned(list(walk(setting, "1", 2000)), 16))
    keep(thinned(with_leavers(setting, "2", 40), 8))


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_laws_in_many_variants(key: str) -> None:
    """Every 13th combination of the words among the options: no word comes back so often."""
    for setting in combined(key)[::13]:
        keep(thinned(list(walk(setting, "variant")), 3))
        keep(thinned(with_leavers(setting, "variant", 10), 2))


def test_every_text_option_has_examples() -> None:
    options = {(key, spec.name) for key in GAMES for spec in usual(key)[0].game.Options.specs() if spec.kind == "text"}
    assert {(key, name) for key, name in options if not plugged(key)} == set(TEXTS)
    assert all(name in told.texts for key, name in options if (told := plugged(key)))
