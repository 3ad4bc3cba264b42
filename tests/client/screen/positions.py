"""Positions that screens are drawn of: a game, so many moves at random from one seed, and who sits where."""

from collections.abc import Sequence
from dataclasses import replace

from quadrille.client.screen.table.local import table_model
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Look
from quadrille.client.settings import Settings
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Match, Played
from quadrille.rules.registry import game

#: Of so many random moves the shortest is made (more rows before the players of Dotter), or the longest path.
_TRIES = {"dotter": 3, "coin-isolation": 4}


def match_of(key: str, seats: int, moves: int, options: dict[str, object] | None = None, seed: str = "s") -> Match:
    match = Match(game(key), options, seats, deal=Deal(seed))
    dice = Stream(seed, f"moves of {key}")
    for _ in range(moves):
        if match.over:
            break
        found = [match.state.moves.sample(dice) for _ in range(_TRIES.get(key, 1))]
        match.play((max if key == "coin-isolation" else min)(found, key=lambda move: len(str(move))))
    return match


def played(key: str, moves: str = "", options: dict[str, object] | None = None, seats: int | None = None) -> Match:
    """A match after these moves, with a comma between each two."""
    match = Match(game(key), options, seats, deal=Deal("s"))
    for move in filter(None, moves.split(", ")):
        match.play(move)
    return match


def moves_of(match: Match) -> list[str]:
    return [str(entry.move) for entry in match.entries if isinstance(entry, Played)]


def begin_model(match: Match, bots: Sequence[str], clock: TimeControl | None = None) -> Model:
    """The first model of a local table; `bots` has the bot of each seat, "" for a person."""
    return replace(table_model(GameSetup.of(match, bots, clock)), bot=Settings().hints)


def model_of(match: Match, *, bots: str = "mcts:2", plain: bool = False, people: bool = False) -> Model:
    """A screen for the person whose turn it is; the others are bots, or people, too."""
    pending = match.pending
    seat = pending.seat if isinstance(pending, ToMove) else 0
    seats = range(match.state.seats)
    model = begin_model(match, ["" if people or at == seat else bots for at in seats])
    return replace(model, look=Look(plain=plain), notice="")
