"""A match of the other thread is the same match here, whatever happens in it, and shares no position with it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.screen.mirror import ABORTED, adopted
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import HIDDEN, Face, ToDraw, ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import write
from quadrille.rules.registry import game, keys

SMALL = {"barons": {"width": 4, "height": 4}, "maze": {"size": 3}, "dollar-draw": {"width": 4, "height": 4}}


def same(mine: Match, theirs: Match) -> None:
    assert mine.entries == theirs.entries and mine.opening == theirs.opening and mine.over == theirs.over
    assert mine.state == theirs.state and mine.state is not theirs.state and mine.state.board is not theirs.state.board
    assert [line for line in write(mine).splitlines()[1:] if "seed" not in line]


@settings(max_examples=60, deadline=None)
@given(
    key=st.sampled_from(keys()),
    hidden=st.booleans(),
    deeds=st.lists(st.sampled_from(["move"] * 6 + ["undo", "leave", "agree", "look"]), max_size=30),
    seed=st.integers(0, 99),
)
def test_a_mirror_shows_what_is_there(key: str, hidden: bool, deeds: list[str], seed: int) -> None:
    played, dice = game(key), Stream(str(seed), "mirror")
    viewer = {"viewer": None} if played.hidden and hidden else {"deal": Deal(str(seed))}
    theirs = Match(played, SMALL.get(key), **viewer)  # type: ignore[arg-type]
    dealer = SeedDealer(str(seed))
    mine = adopted(None, theirs)
    for deed in deeds:
        pending = theirs.pending
        theirs = theirs.copy()
        if isinstance(pending, ToDraw) and deed in ("move", "look"):
            face = dealer.face(pending.pile.name, pending.pile.faces, pending.position)
            theirs.answer(HIDDEN if pending.owner is not None else Face(face))
        elif isinstance(pending, ToMove) and deed == "move":
            theirs.play(theirs.state.moves.sample(dice))
        elif deed == "undo" and theirs.ply:
            theirs.undo()
        elif isinstance(pending, ToMove) and deed == "leave":
            theirs.leave(pending.seat)
        elif isinstance(pending, ToMove) and deed == "agree":
            theirs.agree()
        before, mine = mine, adopted(mine, theirs)
        same(mine, theirs)
        assert adopted(mine, theirs) is mine
        assert before is mine or before.entries != mine.entries or before.opening != mine.opening


def test_an_aborted_game_is_over() -> None:
    theirs = Match(game("maze"), {"size": 3}, deal=Deal("s"))
    theirs.play(next(iter(theirs.state.moves)))
    mine = adopted(adopted(None, theirs), theirs, aborted=True)
    assert mine.over and mine.over.reason == ABORTED and theirs.over is None
    assert adopted(mine, theirs, aborted=True).over == mine.over
