"""The dialogue of one game with all its bots, kept on request: each line with its time, in the order of the lines.

It is text, a JSON object a line. A seat has a bounded part of it. Each line belongs to the seat that was told it or
said it. So hidden cards stand only in the lines of those who knew them. Format: docs/protocols/journal.md, "Dialogues".
"""

import json
from collections.abc import Mapping
from typing import Final

from quadrille.ai.bots.talk import Heard, Talk
from quadrille.ai.json_lines import encode

#: Maximum characters of a seat in a game.
MOST_OF_SEAT: Final = 1 << 20


class SpokenLines:
    """Hears all bots of a table, until it is closed."""

    def __init__(self, talks: Mapping[int, Talk]) -> None:
        self._talks = talks
        self._rows: list[str] = []
        self._room = dict.fromkeys(talks, MOST_OF_SEAT)
        self._began: int | None = None
        for seat, talk in talks.items():
            hears = self._of(seat)
            for from_table, line in talk.opening:
                hears(0, from_table, line)
            self._began = None
            talk.listen(hears)

    def _of(self, seat: int) -> Heard:
        def heard(now: int, from_table: bool, line: bytes) -> None:
            if self._room[seat] < 0:
                return
            self._began = now if self._began is None else self._began
            text = line.removesuffix(b"\n").decode("utf-8", "surrogateescape")
            row = f'{{"seat": {seat}, "at": {now - self._began}, '
            row += f'"told": {text}}}' if from_table else f'"said": {json.dumps(text)}}}'
            self._room[seat] -= len(row)
            if self._room[seat] < 0:
                row = encode({"seat": seat, "cut": f"a seat has at most {MOST_OF_SEAT} characters"}).decode().strip()
            self._rows.append(row)

        return heard

    def close(self) -> str:
        """Stop listening; return all lines."""
        for talk in self._talks.values():
            talk.listen(None)
        return "".join(f"{row}\n" for row in self._rows)
