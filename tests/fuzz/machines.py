"""Whatever is well formed, rightly signed and senseless, said to whole machines: nothing ends, nothing is lost.

    python -m tests.fuzz.machines [--messages 2000000] [--seed night] [--world SEED]

A world (tests/fuzz/worlds.py) has a lobby of ours with tables and gatherings of all kinds, and on top of it a person or
a bot (programs.py). After each message the promises are checked: no exception, no memory and no work without bounds,
logs that are what they say, and never two of our own entries in one place. A run is told by its seed; one that fails
names the world, which is repeated alone by `--world`. CI says 4,000 messages in all, the command above two million,
for the night.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import Any, Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.machine import drain
from quadrille.net.entries.wire import Entries, Message, opened, sealed
from quadrille.net.game_log.log import replayed
from quadrille.net.trust.identity import Identity
from tests.fuzz.liar import FOES
from tests.fuzz.programs import Attendant, Person, Served, virtual_time
from tests.fuzz.worlds import World
from tests.net.cards.stub import stubbed

#: Messages that one world gets.
A_WORLD: Final = 200
#: What a lobby may remember beside its logs.
MOST_HELD: Final = 4000


class Failed(AssertionError):
    """A promise is broken, or something else was raised than a refusal: where, and how to see it again."""


def held(thing: Any, depth: int = 4) -> int:
    """How many things are kept in the lists and tables of a machine; logs and the rules are left out."""
    if depth == 0 or isinstance(thing, str | bytes | int | None):
        return 0
    if isinstance(thing, Mapping):
        return len(thing) + sum(held(one, depth - 1) for one in thing.values())
    if isinstance(thing, list | Set | tuple):
        return len(thing) + sum(held(one, depth - 1) for one in thing)
    name = type(thing).__module__
    if not name.startswith("quadrille.net.") or name.endswith(
        (".log", ".identity", ".terms", ".hand", ".own_cards", ".entry")
    ):
        return 0
    slots = [slot for part in type(thing).__mro__ for slot in getattr(part, "__slots__", ())]
    return sum(held(getattr(thing, name, None), depth - 1) for name in (*slots, *getattr(thing, "__dict__", ())))


#: Chooses who sits on top of a world's lobby, with a folder for what it keeps.
Attend = Callable[[World, Path], Attendant | None]


def attendant(world: World, folder: Path) -> Attendant | None:
    clock = lambda: world.now  # noqa: E731
    match world.dice.randrange(6):
        case 0 | 1:
            return Person(world.lobby, world.dice, clock, draws=world.dice.random() < 0.5)
        case 2 | 3:
            return Served(world.lobby, world.dice, clock)
    return None


class Run:
    """One world, and what is said in it."""

    def __init__(self, seed: str, folder: Path, attend: Attend) -> None:
        self.seed = seed
        self.step = 0
        self.said: Counter[str] = Counter()
        self.world = world = World(seed)
        self.dice = self.world.dice
        self.attendant = attend(world, folder)
        self._tell()

    def go_on(self, messages: int) -> None:
        """Until so many messages of the liar's were said."""
        said, world = 0, self.world
        while said < messages:
            self.step += 1
            match self.dice.randrange(20):
                case 0:  # a moment, a second, or longer than anybody has patience
                    world.pass_time(self.dice.choice((1, 20, 300, 1100, 1100, 3000, 11_000)))
                case 1:
                    world.come_or_go()
                case 2:
                    world.do(world.me, lambda *_: world.act(world.me))
                case 3 | 4 | 5 | 6 | 7:  # what honest ones said arrives
                    world.pass_time(self.dice.randrange(100))
                case _:
                    self._lie()
                    said += 1
            self._tell()
            if self.step % 64 == 0:
                self.check_memory()
        self.check_memory()
        self.check_logs()

    def _lie(self) -> None:
        author, message = self.world.lie()
        if self.attendant is not None:
            key, message = self.attendant.fitting(message, self.dice)
            author = FOES.get(key, author) if key else author
        self.said[type(message).__name__] += 1
        if self.dice.random() < 0.1:
            self._open(author, message)
        else:
            self.world.hear(author.key, message)
        self.world.learned(message)

    def _open(self, author: Identity, message: Message) -> None:
        """As bytes, in their envelope."""
        try:
            key, again = opened(sealed(message, author))
        except PeerError:
            return
        assert key == author.key or isinstance(again, Entries)
        self.world.hear(key, again)

    def _tell(self) -> None:
        """Whoever sits on top of the lobby is told what happened."""
        world, events = self.world, drain(self.world.told)
        if self.attendant is not None:
            for event in events:
                self.attendant.hear(event)
            if self.dice.random() < 0.3:
                self.attendant.act(world.now)
                world.after(world.me)

    # What has to hold

    def check_memory(self) -> None:
        found = held(self.world.lobby)
        assert found <= MOST_HELD, f"{found} things are remembered"

    def check_logs(self) -> None:
        """Each is what it says, by itself."""
        for table in self.world.lobby.tables.values():
            log = table.log
            assert replayed(log.table, log.entries).head == log.head
            assert log.now.match.state.digest() == log.entries[-1].digest

    def close(self) -> None:
        if self.attendant is not None:
            self.attendant.close()


def fuzzed(
    seed: str, messages: int, folder: Path, attend: Attend = attendant, clocks: tuple[str, ...] = ()
) -> Counter[str]:
    """One world, and so many messages; what was said. A `Failed` says how to see a failure again."""
    run: Run | None = None
    now = [1000]
    try:
        with stubbed(), virtual_time(lambda: run.world.now if run is not None else now[0], *clocks):
            run = Run(seed, folder, attend)
            run.go_on(messages)
            run.close()
    except Exception as error:
        step = run.step if run is not None else 0
        what = f"{type(error).__name__}: {error}"
        again = f"python -m tests.fuzz.machines --world {seed} --messages {messages}"
        raise Failed(f"world {seed}, step {step}: {what}; again by {again}") from error
    return run.said


def many(
    seed: str, messages: int, folder: Path, attend: Attend = attendant, clocks: tuple[str, ...] = ()
) -> Counter[str]:
    """World after world."""
    said: Counter[str] = Counter()
    for number in range(-(-messages // A_WORLD)):
        said += fuzzed(f"{seed}/{number}", A_WORLD, folder, attend, clocks)
    return said


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--messages", type=int, default=2_000_000)
    words.add_argument("--seed", default=str(time.time_ns()))
    words.add_argument("--world", help="the seed of one world, to see a failure again")
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.world:
            print(fuzzed(given.world, min(given.messages, A_WORLD), Path(folder)))
            return 0
        began, done, failures = time.monotonic(), 0, 0
        while done < given.messages:
            try:
                fuzzed(f"{given.seed}/{done // A_WORLD}", A_WORLD, Path(folder))
            except Failed as error:
                failures += 1
                print(error, flush=True)
            done += A_WORLD
            if done % 100_000 == 0:
                pace = done / (time.monotonic() - began)
                print(f"{done} messages, {pace:.0f} a second, {failures} failures", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
