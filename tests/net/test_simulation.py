"""Whole games over a simulated network with bad weather, from one seed each; see simulation.py for what is checked."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import LeftBody, MoveBody
from quadrille.net.entries.entry import read_entry
from quadrille.net.entries.motions import DrawMotion
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.entries.wire import Entries, Head, Message, Motion
from quadrille.net.game_log.log import replayed
from tests.net.simulation import Peer, Weather, World, gather
from tests.net.tables import terms

CALM = Weather()
LOSSY = Weather(loss=100, twice=50, delay=300)
CUTS = Weather(loss=20, delay=100, cuts=5)
CRASHES = Weather(loss=20, delay=100, crashes=5)
STORM = Weather(loss=50, twice=50, delay=200, cuts=3, crashes=3)
DEATHS = Weather(loss=20, delay=100, cuts=2, deaths=5)
POWER = Weather(loss=50, twice=20, delay=200, cuts=4, crashes=8, power=True)
CLOCKS = Weather(loss=20, delay=100, cuts=3, crashes=2, clocks=(1100, 900, 1000), jumps=4)
GRACE = 5000

GAMES = {
    "barons-2": terms("barons", 2, {"width": 3, "height": 3}, grace=GRACE),
    "barons-4": terms("barons", 4, {"width": 4, "height": 3}, grace=GRACE),
    "barons-6": terms("barons", 6, {"width": 4, "height": 4}, grace=GRACE),
    "coin-isolation-3": terms("coin-isolation", 3, grace=GRACE),
    "coin-isolation-4": terms("coin-isolation", 4, {"renegade": True, "idle_rounds": 2}, grace=GRACE),
    "maze-2": terms("maze", 2, {"size": 4}, grace=GRACE),
    "dollar-draw-2": terms("dollar-draw", 2, {"width": 4, "height": 4}, grace=GRACE),
    "clocks-2": terms("maze", 2, {"size": 3}, grace=GRACE, clock=TimeControl(60_000, 1000)),
}
WEATHERS = {"calm": CALM, "lossy": LOSSY, "cuts": CUTS, "crashes": CRASHES, "storm": STORM, "deaths": DEATHS}
WEATHERS |= {"power": POWER, "clocks": CLOCKS}


def played(seed: str, agreed: Terms, weather: Weather) -> World:
    """A game to its end; nobody honest is blamed."""
    world = World(seed, agreed, weather)
    gather(world)
    world.run(world.settled)
    assert world.blamed == []
    return world


def cases(first: int, last: int) -> list[tuple[str, str, int]]:
    return [
        (game, weather, number)
        for game, agreed in GAMES.items()
        for weather in WEATHERS
        for number in range(first, last)
        if agreed.seats > 2 or weather != "deaths"  # two seats can't tell who is gone: they wait
    ]


@pytest.mark.parametrize(("game", "weather", "number"), cases(0, 1)[::5])
def test_every_game_comes_to_the_same_end_everywhere(game: str, weather: str, number: int) -> None:
    played(f"{game}/{weather}/{number}", GAMES[game], WEATHERS[weather])


@pytest.mark.parametrize("weather", [Weather(loss=200, delay=600), Weather(delay=1400)], ids=["n7", "n19"])
@pytest.mark.parametrize("game", ["barons-2", "barons-4"])
def test_a_table_begins_and_ends_in_weather_of_a_bad_day(game: str, weather: Weather) -> None:
    """A fifth of all messages lost at up to 600 ms each way, and up to 1.4 s without loss: patience counts answers."""
    world = World(f"bad day/{game}", GAMES[game], weather)
    gather(world)
    world.run(lambda: all(world.begun(peer) for peer in world.peers.values()))
    assert world.now < 60_000
    world.run(world.settled)
    assert world.blamed == []


def test_the_same_seed_is_the_same_game() -> None:
    heads = {played("again", GAMES["barons-4"], STORM).logs()[0].head for _ in range(2)}
    assert len(heads) == 1


def test_a_dead_seat_is_dropped_by_all_the_others() -> None:
    world = World("death", GAMES["barons-4"], Weather())
    gather(world)
    world.run(lambda: all(world.begun(peer) for peer in world.peers.values()))
    world.crash(next(iter(world.peers.values())), None)
    world.run(world.settled)
    kinds = [entry.kind for entry in world.logs()[0].entries]
    assert kinds.count("motion") == 1
    assert len(world.logs()[0].now.seats_in()) == 3


def test_two_seats_wait_for_each_other_for_ever() -> None:
    world = World("wait", GAMES["barons-2"], Weather())
    gather(world)
    world.run(lambda: all(world.begun(peer) for peer in world.peers.values()))
    lost = next(iter(world.peers.values()))
    world.crash(lost, None)
    end = world.now + 120_000
    world.run(lambda: world.now > end)
    assert world.logs()[0].now.over is None
    world.start(lost)
    lost.dead = False
    world.run(world.settled)


def test_a_flag_falls_by_its_owner_s_own_word() -> None:
    world = World("flag", GAMES["clocks-2"], Weather())
    world.act = lambda peer: None  # type: ignore[method-assign]  # nobody moves
    gather(world)
    world.run(world.settled)
    assert [entry.kind for entry in world.logs()[0].entries] == ["begin", "left"]
    assert world.logs()[0].entries[1].body == LeftBody(0, "time")


class TestLiars:
    """One peer of four lies; the others are never blamed, never differ, and come to an end without it."""

    def lied(
        self, seed: str, lie: Callable[[World, Peer, bytes, Message], list[Message]], weather: Weather = CALM
    ) -> World:
        world = World(seed, GAMES["barons-4"], weather)
        gather(world)
        world.run(lambda: all(world.begun(peer) for peer in world.peers.values()))
        world.liar = list(world.peers.values())[2]
        world.lies = lambda peer, key, message: lie(world, peer, key, message)
        return world

    def test_two_entries_in_one_place_are_kept_and_shown_as_proof(self) -> None:
        def fork(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
            """To the last peer it tells another move than to the others."""
            match message:
                case Entries(table, (entry,)) if key == list(world.peers)[-1]:
                    if isinstance(entry.body, MoveBody) and entry.author == peer.identity.key:
                        log = replayed(table, peer.lobby.tables[table].log.entries[: entry.index])
                        other = [str(move) for move in log.now.match.state.moves if str(move) != entry.body.move]
                        if other:
                            return [Entries(table, (log.write(MoveBody(other[0]), peer.identity),))]
            return [message]

        world = self.lied("fork", fork)
        world.check_step = lambda: None  # type: ignore[method-assign]  # until the proof is found, two stories are told
        honest = world.honest()
        world.run(world.settled)
        assert {found.culprit for found in world.blamed} == {world.liar.identity.key}
        excluded = [entry for entry in world.logs()[0].entries if entry.kind == "excluded"]
        assert len(excluded) == 1, "it costs the liar the game, and nobody else"
        assert all(not table.stopped for table in world.tables())
        for peer in honest:
            [kept] = [data for (_, label), data in peer.shelf.secrets.items() if label == "proof"]
            one, other = (read_entry(data) for data in unpack(kept)[2])
            assert one.author == other.author == world.liar.identity.key
            assert one.index == other.index
            assert one.hash != other.hash
            assert one.is_signed()
            assert other.is_signed()

    def test_who_withholds_its_move_is_dropped_when_it_goes(self) -> None:
        def withhold(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
            return [] if isinstance(message, Entries | Head) else [message]

        world = self.lied("withhold", withhold)
        world.later(20_000, lambda: world.crash(world.liar, None))
        world.run(world.settled)
        assert world.blamed == []
        assert len(world.logs()[0].now.seats_in()) == 3

    def test_a_flood_of_motions_of_others_is_blamed(self) -> None:
        def flood(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
            table = next(iter(peer.lobby.tables))
            log = peer.lobby.tables[table].log
            return [message, Motion(table, log.head, DrawMotion(), 0, bytes(64))]

        world = self.lied("flood", flood)
        world.run(world.settled)
        assert {found.culprit for found in world.blamed} == {world.liar.identity.key}

    def test_entries_of_others_that_it_made_up_are_blamed_on_it(self) -> None:
        def forge(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
            match message:
                case Entries(table, (entry,)):
                    other = next(iter(world.peers))
                    return [Entries(table, (replace(entry, author=other),)), message]
            return [message]

        world = self.lied("forge", forge)
        world.run(world.settled)
        assert {found.culprit for found in world.blamed} == {world.liar.identity.key}
