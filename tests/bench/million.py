"""A directory for a million players, on paper: how many questions a search by key takes, also among liars.

    python -m tests.bench.million [--peers 1000 100000 1000000] [--liars 10] [--searches 400]

No such directory is built (ARCHITECTURE.md, "net"). Peers are random numbers of 64 bits. Each knows 8 others
in each part of the ring that its key leaves open (those with j equal first bits and another next one). A search asks
the 3 nearest known peers at a time, and ends when the 8 nearest it heard of are all asked. A posting is kept by the 8
honest peers nearest to its key that were found when it was posted. Liars name nobody and keep nothing.
"""

import argparse
from bisect import bisect_left
from heapq import nsmallest
from random import Random
from typing import Any

BITS = 64
KNOWN_OF_EACH = 8
KEEPERS = 8
AT_A_TIME = 3
#: Bytes of a posting without a table (docs/protocols/hall.md), and of a question or an answer about 8 peers.
POSTING = 155
QUESTION = 60
ANSWER = KNOWN_OF_EACH * 38
#: Seconds between two postings of a peer; each is told to all its keepers.
RENEWED = 3600


class PaperDirectory:
    """Peers in the order of their numbers; what each knows follows from its number and a seed."""

    def __init__(self, count: int, liars: int, seed: str = "million") -> None:
        dice = Random(seed)
        self.peers = sorted({dice.getrandbits(BITS) for _ in range(count)})
        self.lies = {peer for peer in self.peers if Random(peer).randrange(100) < liars}
        self.questions = 0

    def known_near(self, peer: int, target: int) -> list[int]:
        """The peers that it names: those it knows in the part where the target is."""
        self.questions += 1
        if peer in self.lies:
            return []
        shared = BITS - (peer ^ target).bit_length()
        if shared == BITS:
            return self._part(peer, target, BITS - 1)
        found = self._part(peer, target, shared)
        while not found and shared < BITS - 1:  # nobody is there: the parts beside it
            shared += 1
            found = self._part(peer, peer ^ (1 << (BITS - 1 - shared)), shared)
        return found

    def _part(self, peer: int, target: int, shared: int) -> list[int]:
        """Some of those who have one more bit than `shared` in common with the target."""
        width = BITS - 1 - shared
        low = (target >> width) << width
        start, end = bisect_left(self.peers, low), bisect_left(self.peers, low + (1 << width))
        if end - start <= KNOWN_OF_EACH:
            return self.peers[start:end]
        dice = Random(peer ^ low)
        return [self.peers[dice.randrange(start, end)] for _ in range(KNOWN_OF_EACH)]

    def search(self, start: int, target: int) -> tuple[list[int], int, int]:
        """The honest peers nearest to a number, the questions asked, and the rounds that they took."""
        before, rounds = self.questions, 0
        heard, asked = set(self.known_near(start, target)), {start}
        while waiting := [one for one in self._nearest(heard, target) if one not in asked][:AT_A_TIME]:
            rounds += 1
            for one in waiting:
                asked.add(one)
                answer = self.known_near(one, target)
                heard.update(answer)
                if one in self.lies:
                    heard.discard(one)
        return self._nearest(heard - self.lies, target), self.questions - before, rounds

    def _nearest(self, heard: set[int], target: int) -> list[int]:
        return nsmallest(KEEPERS, heard, key=lambda one: one ^ target)


def measured(count: int, liars: int, searches: int) -> dict[str, Any]:
    """Postings that are told to their keepers, and found from somewhere else."""
    directory, dice = PaperDirectory(count, liars), Random("searches")
    honest = [peer for peer in dice.sample(directory.peers, min(count, 4 * searches)) if peer not in directory.lies]
    found = questions = rounds = 0
    for author, seeker in list(zip(honest[::2], honest[1::2], strict=False))[:searches]:
        keepers, _, _ = directory.search(author, author)
        there, asked, took = directory.search(seeker, author)
        found += bool(set(keepers) & set(there))
        questions += asked
        rounds += took
    done = min(searches, len(honest) // 2)
    told = KEEPERS * (POSTING + QUESTION) + questions / done * (QUESTION + ANSWER)
    return {
        "peers": count,
        "liars %": liars,
        "found %": round(100 * found / done, 1),
        "questions": round(questions / done, 1),
        "rounds": round(rounds / done, 1),
        "bytes a posting": round(told),
        "bytes/s of each": round(2 * told / RENEWED, 1),
        "kept postings KiB": round(KEEPERS * POSTING / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", type=int, nargs="*", default=[1000, 100_000, 1_000_000])
    parser.add_argument("--liars", type=int, default=10)
    parser.add_argument("--searches", type=int, default=400)
    given = parser.parse_args()
    for count in given.peers:
        print(", ".join(f"{name} {value}" for name, value in measured(count, given.liars, given.searches).items()))


if __name__ == "__main__":
    main()
