"""The engagement in the chapter "Runners" of the protocols: a game that a runner plays with a served bot, told again.

Both ends are the code's own; only the network between them is left out, which loses one message.
"""

from pathlib import Path
from typing import Any

from extras.league.tests.test_peers import Owner, folder
from quadrille.ai.checks.bundle import kept_bundle
from quadrille.extras.league.peers.reliable_stream import AGAIN, ReliableStream
from quadrille.net.core.machine import drain
from quadrille.net.entries.wire import Engage, Engaged, Gone, Words
from tests.ai.inside import First
from tests.documents import block
from tests.net.tables import TABLE, terms

__all__ = ["folder"]
TOLD = (
    b'{"do": "hello", "protocol": 1, "rules": 1}\n',
    b'{"do": "start", "table": "spring", "game": "maze", "options": {"size": 2}, "seats": 2, "seat": 1, "names":'
    b' ["greedy", "ada"], "clock": null, "seed": "7", "news": []}\n',
    b'{"do": "turn", "turn": 1, "news": [{"seat": 0, "move": "a2-a1"}], "clock": null, "patience": 60000, "budget":'
    b' 1000, "moves": ["a1-b1"], "more": false}\n',
    b'{"do": "over", "places": [1, 2], "figures": {}, "reason": "all is drawn", "news": [{"seat": 1, "move": "a1-b1"},'
    b' {"seat": 0, "move": "b1-b2"}]}\n',
)


class Told:
    """A runner's end and a bot's, and what they say to each other."""

    def __init__(self, folder: Path) -> None:
        ada = First()
        ada.name = "ada"
        self.owner = Owner(folder, [ada])
        self.runner = ReliableStream(TABLE)
        self.lines: list[str] = []

    def write(self, way: str, message: Any, note: str = "") -> None:
        match message:
            case Engage(_, agreed, fresh):
                what = f"Engage: a game of {agreed.game}{', a fresh program' if fresh else ''}"
            case Engaged(_, reply, why, said):
                what = f"Engaged: {reply}{why and ', ' + why}"
            case Words(_, start, heard, said):
                what = f"Words from {start}, heard {heard}: {said.decode().rstrip() or 'nothing new'}"
            case Gone():
                what = "Gone"
        self.lines.append(f"{self.owner.now:5} ms  {way}  {what}{note}")

    def ask(self, message: Any) -> None:
        """The runner says something that is no Words."""
        self.write("runner -> bot", message)
        for answer in self.owner.hear(message):
            self.write("bot -> runner", answer)

    def carry(self, *, loses: bool = False) -> None:
        """What the runner has to say goes to the bot, and what that says comes back, or is lost."""
        for words in drain(self.runner.outgoing):
            self.write("runner -> bot", words)
            for answer in self.owner.hear(words):
                self.write("bot -> runner", answer, "  (lost)" if loses else "")
                if not loses:
                    self.runner.receive(b"", answer, self.owner.now)

    def wait(self) -> None:
        self.owner.now += AGAIN
        self.runner.wake(self.owner.now)
        self.owner.engagements.act(self.owner.now)


def engagement(folder: Path) -> list[str]:
    told = Told(folder)
    told.ask(Engage(TABLE, terms("maze", options={"size": 2}), False))
    for line in TOLD:
        told.runner.say(line, told.owner.now)
        told.carry(loses=b'"turn"' in line)
        if b'"turn"' in line:
            told.wait()
            told.carry()
        told.owner.now += 10
    told.carry()
    told.ask(Gone(TABLE))
    return told.lines


def test_the_engagement_in_the_document(folder: Path) -> None:
    shown = [line for line in block("engagement").splitlines() if not line.startswith("#")]
    assert shown == engagement(folder)


def test_the_kept_game_in_the_document_is_that_engagement(folder: Path) -> None:
    told = kept_bundle([line.encode() for line in block("kept").splitlines()])
    engagement(folder)
    [path] = (path for path in folder.rglob("*.jsonl") if path.is_file())
    kept = kept_bundle(path.read_bytes().splitlines())
    assert [(line.told, line.said) for line in told.lines] == [(line.told, line.said) for line in kept.lines]
    assert (told.command, told.rules, told.fault) == (kept.command, kept.rules, kept.fault)


if __name__ == "__main__":
    import tempfile

    print("\n".join(engagement(Path(tempfile.mkdtemp()))))
