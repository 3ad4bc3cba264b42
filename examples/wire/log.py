"""The signed log of a table of Maze: which entry may stand where, and what all of them come to.

Specification: docs/protocols/tables.md, "Terms", games.md, "Chance", gathering.md, "Entry 0", log.md, and records.md,
"Archives".
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

from ed25519 import verified
from maze import RULES_VERSION, Maze
from messages import NOBODY, TERMS, Entry, fits, hashed, pack, short

#: How a seat goes by its own word where no clock runs.
BY_ITSELF = ("resigned", "crash", "illegal", "stall", "protocol")


def is_playable(terms: Any) -> bool:
    """Return whether this peer plays such "Terms": Maze for two of a possible size, no clock."""
    if not fits(terms, TERMS):
        return False
    game, rules, options, seats, clock, *_ = terms
    sizes = [(("size", size),) for size in range(2, 27)]
    return (game, rules, seats, clock) == ("maze", RULES_VERSION, 2, None) and options in sizes


def proposal_hash(terms: Any, chairs: Any) -> bytes:
    """Hash what is accepted ("Gathering")."""
    return short("proposal", pack(terms), pack(chairs))


def acceptance(table: bytes, turn: int, proposal: bytes, commitment: bytes) -> bytes:
    """Return what a chair signs when it accepts ("Gathering")."""
    return b"quadrille/accept" + short("accept/2", table, turn.to_bytes(4, "big"), proposal, commitment)


def committed(table: bytes, turn: int, key: bytes, secret: bytes) -> bytes:
    """Return the commitment of a chair with that key to its secret ("Gathering")."""
    return short("cr/commit", table, str(turn).encode(), key, secret)


def revelation(table: bytes, turn: int, proposal: bytes, commitments: tuple[bytes, ...], secret: bytes) -> bytes:
    """Return what a chair signs when it reveals its secret ("Gathering")."""
    parts = (table, turn.to_bytes(4, "big"), proposal, *commitments, secret)
    return b"quadrille/reveal" + short("reveal", *parts)


def resignation(table: bytes, seat: int) -> bytes:
    """Return what a seat signs when it resigns ("The log", left). It has no key for cards, so its secret is empty."""
    return b"quadrille/resign" + short("resign", table, bytes([seat]), b"")


def stream(seed: str, label: str) -> Iterator[int]:
    """Yield the words of a seed and a label ("Chance")."""
    key = hashlib.sha256(b"quadrille/chance/1" + len(seed).to_bytes(8, "big") + (seed + label).encode()).digest()
    block = 0
    while True:
        data = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(data[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def shuffled(row: list[Any], words: Iterator[int]) -> list[Any]:
    """Shuffle ("Chance"): for last = m - 1 down to 1, draw c below last + 1 and swap places last and c."""
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
        self.positions: list[tuple[Maze, tuple[int, int]]] = []  # after each entry, with the seats that have left
        self.terms: Any = None
        self.keys: list[bytes] = []  # the key that writes for each seat

    @property
    def head(self) -> bytes:
        """The hash that the next entry names."""
        return self.entries[-1].hash if self.entries else short("genesis", self.table)

    @property
    def maze(self) -> Maze:
        """The position."""
        return self.positions[-1][0] if self.positions else Maze(2)

    @property
    def left(self) -> tuple[int, int]:
        """The seats that have left: 1 stands for yes."""
        return self.positions[-1][1] if self.positions else (0, 0)

    @property
    def over(self) -> bool:
        """When all squares are taken, or a player has left, and so lost."""
        return any(self.left) or (bool(self.entries) and not self.maze.moves)

    @property
    def winner(self) -> int:
        """The seat that has won; seat 0 if the number of dead ends is odd."""
        return self.left.index(0) if any(self.left) else 1 - self.maze.crosses % 2

    def take(self, entry: Entry) -> bool:
        """Check an entry and add it. Return False if it is here already, or those before it are missing; a ValueError
        says why it can't stand.
        """
        here = len(self.entries)
        if entry.index > here or entry.hash in [old.hash for old in self.entries[entry.index : entry.index + 1]]:
            return False
        if entry.table != self.table or not entry.is_signed:
            raise ValueError(f"entry {entry.index} is of another table, or not signed by its author")
        before = self.entries[entry.index - 1].hash if entry.index else short("genesis", self.table)
        if entry.before != before:
            raise ValueError(f"entry {entry.index} does not follow the one before it here")
        if entry.index < here:  # a real program judges two entries in one place ("Precedence")
            raise ValueError(f"entry {entry.index} is another one here")
        position = self._after(entry)
        if entry.index == 0:
            self._seat(entry)
        self.entries.append(entry)
        self.positions.append(position)
        return True

    def draft(self, author: bytes, kind: str, body: Any, used: int, digest: bytes) -> Entry:
        """Draft the next entry, to be signed by its author; nobody's is not signed."""
        return Entry(self.table, len(self.entries), self.head, author, kind, body, used, digest)

    def _begin(self, entry: Entry) -> tuple[Maze, tuple[int, int]]:
        """Check entry 0, which proves that both chairs signed these terms, and drew the joint seed together."""
        if (entry.kind, entry.author, entry.used) != ("begin", NOBODY, 0):
            raise ValueError("a log begins with what all made together")
        terms, chairs, turn, commitments, signatures, secrets, revelations = entry.body
        if not is_playable(terms) or turn > 1000 or {len(row) for row in entry.body[1:2] + entry.body[3:]} != {2}:
            raise ValueError("a table that begins with other terms, or without all its seats")
        proposal = proposal_hash(terms, chairs)
        for place, (key, *_) in enumerate(chairs):
            accepted = acceptance(self.table, turn, proposal, commitments[place])
            revealed = revelation(self.table, turn, proposal, commitments, secrets[place])
            if not verified(key, signatures[place], accepted) or not verified(key, revelations[place], revealed):
                raise ValueError("a chair did not sign these terms, these commitments, or its secret")
            if committed(self.table, turn, key, secrets[place]) != commitments[place]:
                raise ValueError("a chair revealed what it had not committed to")
        if chairs[0][0] == chairs[1][0]:
            raise ValueError("two chairs with one key")
        maze = Maze(terms[2][0][1])
        if entry.digest != maze.digest():
            raise ValueError("another position at the start")
        return maze, (0, 0)

    def _seat(self, entry: Entry) -> None:
        """Seat the keys in the order of the chairs, or by lot from the joint seed ("Gathering")."""
        self.terms, chairs, turn, _, _, secrets, _ = entry.body
        seed = hashed("cr/out", self.table, str(turn).encode(), *secrets).hex()
        keys = [key for key, *_ in chairs]
        self.keys = shuffled(keys, stream(seed, "seats")) if self.terms[7] else keys

    def _after(self, entry: Entry) -> tuple[Maze, tuple[int, int]]:
        """Return the position that an entry leads to, if it is right in its place.

        "The order of turns is the order of the log": the seat whose turn it is writes the next entry.
        """
        if entry.index == 0:
            return self._begin(entry)
        maze, left = self.positions[entry.index - 1]
        if any(left) or not maze.moves:
            raise ValueError(f"entry {entry.index} comes after the end of the game")
        if entry.author != self.keys[maze.turn]:
            raise ValueError(f"entry {entry.index} was not its author's to write")
        if entry.kind == "move":
            maze = self._moved(maze, *entry.body)
        elif entry.kind == "left":
            left = self._gone(entry.author, *entry.body)
        else:  # at a table of two a motion needs both seats, and this peer signs none
            raise ValueError(f"entry {entry.index} is a {entry.kind} without my signature")
        if entry.digest != maze.digest(left):
            raise ValueError(f"entry {entry.index} leads to another position there")
        return maze, left

    def _moved(self, maze: Maze, text: str) -> Maze:
        for move in maze.moves:
            if maze.text(move) == text:
                return maze.after(move)
        raise ValueError(f"{text!r} is no legal move")

    def _gone(self, author: bytes, seat: int, how: str, signature: bytes, secret: bytes) -> tuple[int, int]:
        """Let a seat go by its own word; or the other carries what it has signed to resign."""
        if seat > 1 or secret or how not in BY_ITSELF:
            raise ValueError("nobody leaves so")
        is_carried = how == "resigned" and verified(self.keys[seat], signature, resignation(self.table, seat))
        if self.keys[seat] != author and not is_carried:
            raise ValueError(f"player {seat + 1} did not sign that it leaves")
        return (1, 0) if seat == 0 else (0, 1)

    def archive(self) -> str:
        """Write the log as a file ("Archives")."""
        lines = [base64.b64encode(entry.data).decode() for entry in self.entries]
        return "\n".join(["quadrille log 1", *lines, ""])
