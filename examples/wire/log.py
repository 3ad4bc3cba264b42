"""The signed log of a table of Maze: which entry may stand where, and what all of them come to.

Specification: protocols.md, "Terms", "Chance", "Gathering" (entry 0), "The log", "Archives".
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

from ed25519 import verified
from maze import RULES_VERSION, Maze
from messages import NOBODY, Entry, hashed, pack, short

#: How a seat goes by its own word where no clock runs.
BY_ITSELF = ("resigned", "crash", "illegal", "stall", "protocol")


class Cheated(ValueError):
    """ "Two different entries of one author with the same place and the same `before` prove cheating"."""


def is_playable(terms: Any) -> bool:
    """ "Terms" that this peer plays: Maze for two, of a size there is; no clock, and no arbiter above the seats."""
    game, rules, options, seats, clock, _, _, _, _, arbiter = terms
    sizes = [(("size", size),) for size in range(2, 27)]
    return (game, rules, seats, clock, arbiter) == ("maze", RULES_VERSION, 2, None, None) and options in sizes


def proposal_hash(terms: Any, chairs: Any) -> bytes:
    """ "Gathering": what is accepted."""
    return short("proposal", pack(terms), pack(chairs))


def acceptance(table: bytes, turn: int, proposal: bytes, commitment: bytes) -> bytes:
    """ "Gathering": what a chair signs when it accepts."""
    return b"quadrille/accept" + short("accept", table, turn.to_bytes(4, "big"), proposal, commitment)


def committed(table: bytes, turn: int, chair: int, secret: bytes) -> bytes:
    """ "Gathering": a chair's commitment to its secret."""
    return short("cr/commit", table, str(turn).encode(), bytes([chair]), secret)


def resignation(table: bytes, seat: int) -> bytes:
    """ "The log", left: what a seat signs when it resigns. It has no key for cards, so its secret is empty."""
    return b"quadrille/resign" + short("resign", table, bytes([seat]), b"")


def stream(seed: str, label: str) -> Iterator[int]:
    """ "Chance": the words of a seed and a label."""
    key = hashlib.sha256(b"quadrille/chance/1" + len(seed).to_bytes(8, "big") + (seed + label).encode()).digest()
    block = 0
    while True:
        data = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(data[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def shuffled(row: list[Any], words: Iterator[int]) -> list[Any]:
    """ "Chance": for last = m - 1 down to 1, draw a number c below last + 1 and swap places last and c."""
    row = row[:]
    for last in range(len(row) - 1, 0, -1):
        n = last + 1
        c = next(word for word in words if word < 2**64 - 2**64 % n) % n
        row[last], row[c] = row[c], row[last]
    return row


class Log:
    """All entries so far, each checked before it was taken."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.entries: list[Entry] = []
        self.terms: Any = None
        self.keys: list[bytes] = []  # who writes for each seat
        self.maze = Maze(2)
        self.left = (0, 0)

    @property
    def head(self) -> bytes:
        """The hash that the next entry names."""
        return self.entries[-1].hash if self.entries else short("genesis", self.table)

    @property
    def over(self) -> bool:
        """When all squares are taken, or a player has left, and so lost."""
        return any(self.left) or (bool(self.entries) and not self.maze.moves)

    @property
    def winner(self) -> int:
        """The seat that has won; seat 0 if the number of dead ends is odd."""
        return self.left.index(0) if any(self.left) else 1 - self.maze.crosses % 2

    def take(self, entry: Entry) -> bool:
        """Check an entry and add it. False if it is here already, or those before it are missing; a ValueError says why
        it can't stand.
        """
        here = len(self.entries)
        if entry.index > here or entry.hash in [old.hash for old in self.entries[entry.index : entry.index + 1]]:
            return False
        if entry.table != self.table or not entry.is_signed:
            raise ValueError(f"entry {entry.index} is of another table, or not signed by its author")
        if entry.index < here:
            old = self.entries[entry.index]
            if (entry.author, entry.before) == (old.author, old.before) and entry.author != NOBODY:
                raise Cheated(f"two entries {entry.index} of one author: {old.data.hex()} {entry.data.hex()}")
            raise ValueError(f"entry {entry.index} is another one here")
        if entry.before != self.head:
            raise ValueError(f"entry {here} does not follow the one before it here")
        if here == 0:
            self._begin(entry)
        else:
            self._go_on(entry)
        self.entries.append(entry)
        return True

    def draft(self, author: bytes, kind: str, body: Any, used: int, digest: bytes) -> Entry:
        """The next entry, to be signed by its author; not if that is nobody."""
        return Entry(self.table, len(self.entries), self.head, author, kind, body, used, digest)

    def _begin(self, entry: Entry) -> None:
        """Entry 0 proves that both chairs signed these terms, and drew the joint seed together."""
        if (entry.kind, entry.author, entry.used) != ("begin", NOBODY, 0):
            raise ValueError("a log begins with what all made together")
        terms, chairs, turn, commitments, signatures, secrets = entry.body
        if not is_playable(terms) or turn > 1000 or {len(row) for row in entry.body[1:2] + entry.body[3:]} != {2}:
            raise ValueError("a table that begins with other terms, or without all its seats")
        for place, (key, _, _) in enumerate(chairs):
            said = acceptance(self.table, turn, proposal_hash(terms, chairs), commitments[place])
            is_kept = committed(self.table, turn, place, secrets[place]) == commitments[place]
            if not is_kept or not verified(key, signatures[place], said):
                raise ValueError("a chair did not sign these terms, or revealed what it had not committed to")
        if chairs[0][0] == chairs[1][0] or commitments[0] == commitments[1]:
            raise ValueError("two chairs with one key, or one commitment")
        maze = Maze(terms[2][0][1])
        if entry.digest != maze.digest():
            raise ValueError("another position at the start")
        seed = hashed("cr/out", self.table, str(turn).encode(), *secrets).hex()
        keys, is_by_lot = [key for key, _, _ in chairs], terms[7]
        self.keys = shuffled(keys, stream(seed, "seats")) if is_by_lot else keys
        self.terms, self.maze = terms, maze

    def _go_on(self, entry: Entry) -> None:
        """ "The order of turns is the order of the log": the seat whose turn it is writes the next entry."""
        if self.over or entry.author != self.keys[self.maze.turn]:
            raise ValueError(f"entry {entry.index} was not its author's to write")
        if entry.kind == "move":
            maze, left = self._moved(*entry.body), self.left
        elif entry.kind == "left":
            maze, left = self.maze, self._gone(entry.author, *entry.body)
        else:  # at a table of two a motion needs both seats, and this peer signs none
            raise ValueError(f"entry {entry.index} is a {entry.kind} without my signature")
        if entry.digest != maze.digest(left):
            raise ValueError(f"entry {entry.index} leads to another position there")
        self.maze, self.left = maze, left

    def _moved(self, text: str) -> Maze:
        for move in self.maze.moves:
            if self.maze.text(move) == text:
                return self.maze.after(move)
        raise ValueError(f"{text!r} is no legal move")

    def _gone(self, author: bytes, seat: int, how: str, signature: bytes, secret: bytes) -> tuple[int, int]:
        """A seat goes by its own word; or it has signed that it resigns, and the other carries that."""
        if seat > 1 or secret or how not in BY_ITSELF:
            raise ValueError("nobody leaves so")
        is_carried = how == "resigned" and verified(self.keys[seat], signature, resignation(self.table, seat))
        if self.keys[seat] != author and not is_carried:
            raise ValueError(f"player {seat + 1} did not sign that it leaves")
        return (1, 0) if seat == 0 else (0, 1)

    def archive(self) -> str:
        """ "Archives": the log as a file."""
        lines = [base64.b64encode(entry.data).decode() for entry in self.entries]
        return "\n".join(["quadrille log 1", *lines, ""])
