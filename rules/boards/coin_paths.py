"""Whole paths of Coin Isolation, walked over a board without changing it.

In canonical order, lazily, and only one of the paths that do the same thing: the first that a depth-first walk finds.
"""

from collections.abc import Iterator

from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.boards.coin_terms import BARE, COINS
from quadrille.rules.ints import i64, vec

#: How many squares may be tried for the first path over the same squares before the path stays as it was walked.
PATIENCE = 4000


def paths(board: CoinBoard, path: vec[i64]) -> Iterator[i64]:
    """Fill `path` with one path of the seat to move after another, and yield the bits that its squares have in common.

    Two paths over the same squares to the same target go on alike, so whatever follows from the second one has been
    found when the second is met: it is left out with all that begins with it.
    """
    at, ways, near = board.at, board.ways, board.terms.near
    met: set[int] = set()
    masks = [COINS]
    stack = [iter(board.starts(board.turn))]
    walked = 0
    path.clear()
    while stack:
        mask = masks[-1]
        for q in stack[-1]:
            common = mask & at[ways + q]
            if not common or walked >> q & 1:
                continue
            squares = walked | 1 << q
            key = squares << 8 | q
            if key in met:
                continue
            met.add(key)
            walked = squares
            path.append(q)
            yield common
            masks.append(common)
            stack.append(iter(near[q]))
            break
        else:
            stack.pop()
            if path:
                walked ^= 1 << path.pop()
                masks.pop()


def renegade_paths(board: CoinBoard) -> list[vec[i64]]:
    """A shortest path to each target that a renegade can reach, the first of those, in canonical order."""
    best: dict[int, vec[i64]] = {}
    for kind in (1, 2, 4, 8, BARE):
        for path in _shortest(board, kind):
            known = best.get(path[-1])
            if known is None or (len(path), path) < (len(known), known):
                best[path[-1]] = path
    return sorted(best.values())


def _shortest(board: CoinBoard, kind: i64) -> Iterator[vec[i64]]:
    """Breadth first over squares of one kind: met in canonical order, each first by its first shortest path."""
    at, ways, near = board.at, board.ways, board.terms.near
    queue: list[vec[i64]] = []
    met: set[int] = set()
    steps: vec[i64] = board.starts(board.turn)
    path: vec[i64] = []
    done = 0
    while True:
        for q in steps:
            if q not in met and at[ways + q] & kind:
                met.add(q)
                queue.append([*path, q])
        if done == len(queue):
            return
        path = queue[done]
        done += 1
        yield path
        steps = near[path[-1]]


def first_alike(board: CoinBoard, path: vec[i64]) -> vec[i64]:
    """The path that the list has for all those over the same squares to the same target.

    Depth first, left as soon as the squares still to walk fall apart; a path that is still not found after PATIENCE
    squares is given back as it is (it is as legal as the other).
    """
    near, target = board.terms.near, path[-1]
    rest = set(path)
    found: vec[i64] = []
    tried = 0

    def connected(start: i64) -> bool:
        reached, edge = {start}, [start]
        while edge:
            for q in near[edge.pop()]:
                if q in rest and q not in reached:
                    reached.add(q)
                    edge.append(q)
        return len(reached) == len(rest) + (start not in rest)

    def walk(steps: vec[i64]) -> bool:
        nonlocal tried
        for q in steps:
            if q not in rest or (q == target and len(rest) > 1):
                continue
            tried += 1
            if tried > PATIENCE:
                return False
            rest.discard(q)
            found.append(q)
            if not rest or (connected(q) and walk(near[q])):
                return True
            rest.add(q)
            found.pop()
        return False

    return found if len(path) > 1 and walk(board.starts(board.turn)) else path
