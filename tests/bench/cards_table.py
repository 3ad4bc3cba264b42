"""How long a table of Dotter computes: to set up, to look at two cards, to check a whole game that was recorded.

    python -m tests.bench.cards_table [--seats N] [--recorded N] [--laps N] [--json]

Everything is done as at a table, entries signed and taken by a log for each seat, and in time of the processor, in
milliseconds. `a seat` is what one seat computes, its own entries and the checks of all others'. `in turn` is what the
table waits for when every seat has a machine: each entry made, and checked by the seat that goes on. A network comes on
top. A recorded game is that of `--recorded` seats with random moves, read from its archive. The aims: 10 for a look of
two cards at a table of six, in turn; 2000 to check a game of four.
"""

import argparse
import json
from dataclasses import dataclass, field
from statistics import mean

from quadrille.net.entries.bodies import EntryBody, MoveBody
from quadrille.net.entries.entry import Entry, read_entry
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.rules.chance import Stream
from tests.bench.cards import took
from tests.net.cards.by_hand import dotter, owner
from tests.net.simulation import MemoryShelf
from tests.net.tables import begun, terms


@dataclass
class Times:
    """What some entries took: each seat in all, and in turn; and how many bytes they have."""

    seats: list[float]
    in_turn: float = 0
    size: int = 0
    entries: int = 0

    def add(self, entry: Entry, turn: int, made: float, checked: list[float]) -> None:
        """One entry more, made by that seat, checked by each of the others."""
        self.entries += 1
        self.size += len(entry.data)
        self.in_turn += made + max(checked)
        others = iter(checked)
        self.seats = [time + (made if seat == turn else next(others)) for seat, time in enumerate(self.seats)]


@dataclass
class Bench:
    """A log for each seat."""

    seats: int
    logs: list[Log] = field(init=False)
    hands: list[OwnCards] = field(init=False)

    def __post_init__(self) -> None:
        self.logs = [dotter(self.seats) for _ in range(self.seats)]
        self.hands = [OwnCards(log, owner(seat), MemoryShelf(owner(seat).key)) for seat, log in enumerate(self.logs)]

    def entry(self, body: EntryBody | None, times: Times) -> None:
        """The next entry, written by whose turn it is (what it owes the deck if no body is given), taken by all."""
        turn = self.logs[0].now.turn
        assert turn is not None
        own, log, written = owner(turn), self.logs[turn], []

        def write() -> None:
            owed = body or self.hands[turn].owed()
            assert owed is not None
            entry = log.write(owed, own)
            log.take(entry)
            written.append(entry)

        made = took(write)
        [entry] = written
        others = [other for seat, other in enumerate(self.logs) if seat != turn]
        checked = [took(lambda log=other: log.take(read_entry(entry.data))) for other in others]  # type: ignore[misc]
        times.add(entry, turn, made, checked)

    def served(self) -> Times:
        """All that the deck waits for."""
        times = Times([0.0] * len(self.logs))
        while self.logs[0].now.owed != "move":
            self.entry(None, times)
        return times

    def looked(self) -> Times:
        """A look at two cards: from the move until who looked knows them."""
        nothing = Times([0.0] * len(self.logs))
        self.entry(MoveBody("draw"), nothing)
        looker = self.logs[0].now.turn
        assert looker is not None
        self.entry(MoveBody("peek p1 1a 1b"), nothing)
        times = self.served()
        seen = took(lambda: self.hands[looker].view)
        times.seats[looker] += seen
        times.in_turn += seen
        return times


def recorded(seats: int, laps: int) -> Log:
    """A whole game with random moves."""
    log = begun(terms("dotter", seats, {"laps": laps}, takebacks=False, lot=False))
    dice = Stream("bench", "dotter")
    hands = [OwnCards(log, owner(seat), MemoryShelf(owner(seat).key)) for seat in range(seats)]
    while log.now.over is None:
        turn = log.now.turn or 0
        owed = hands[turn].owed() or MoveBody(str(log.now.match.state.moves.sample(dice)))
        log.take(log.write(owed, owner(turn)))
    return log


def measured(seats: int, players: int, laps: int) -> dict[str, float]:
    """All of it, in milliseconds."""
    bench = Bench(seats)
    setup, look = bench.served(), bench.looked()
    log = recorded(players, laps)
    text = archive.write(log)
    verified = took(lambda: archive.read(text))
    return {
        "seats": seats,
        "setup_seat": round(mean(setup.seats), 2),
        "setup_turn": round(setup.in_turn, 2),
        "setup_bytes": setup.size,
        "look_seat": round(mean(look.seats), 2),
        "look_turn": round(look.in_turn, 2),
        "look_bytes": look.size,
        "players": players,
        "entries": len(log.entries),
        "rounds": log.now.match.state.board.round + 1,
        "verified": round(verified, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--recorded", type=int, default=4)
    parser.add_argument("--laps", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.seats, given.recorded, given.laps)
    if given.json:
        print(json.dumps(found))
        return
    print(f"{given.seats} seats, milliseconds of the processor")
    print(f"  keys and shuffles    {found['setup_seat']:8.1f} a seat, {found['setup_turn']:8.1f} in turn")
    print(f"  a look at two cards  {found['look_seat']:8.1f} a seat, {found['look_turn']:8.1f} in turn")
    print(f"  {given.recorded} seats, {found['rounds']} rounds, {found['entries']} entries")
    print(f"  to check it all      {found['verified']:8.1f}")


if __name__ == "__main__":
    main()
