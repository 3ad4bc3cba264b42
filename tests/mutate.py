"""Change single places of the code by seed, and see which changes the default suite catches.

`python -m tests.mutate --out FILE` clones a revision, installs the clone, and runs the suite with `-x` once for each
change: first the tests named after the floor, then all. FILE gets a line of JSON for each change, so a run that was
stopped goes on where it was. A seed draws the same kinds of change on the same floors, whatever else the house holds.
"""

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
COUNTS = {"rules": 30, "net": 40, "ai": 25, "client": 25}
#: The tests that most likely catch a change on a floor, which run before all others.
FIRST = {
    "rules": ["tests/rules", "tests/laws", "tests/perft", "tests/golden", "tests/search"],
    "net": ["tests/net"],
    "ai": ["tests/ai"],
    "client": ["tests/client"],
}
KINDS = ("comparison", "constant", "line")
OPPOSITES: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """Put `new` in place of the text from `start` to `end`, in bytes of the file."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    old: str
    new: str


def changes(root: Path, path: Path) -> Iterator[Change]:
    """List every single change that a file allows."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def change(kind: str, first: tuple[int, int], last: tuple[int, int], new: str) -> Change:
        start, end = starts[first[0] - 1] + first[1], starts[last[0] - 1] + last[1]
        return Change(str(path.relative_to(root)), first[0], kind, start, end, source[start:end].decode(), new)

    for node in _executed(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPPOSITES:
            left, right = node.left, node.comparators[0]
            between = (left.end_lineno or 0, left.end_col_offset or 0), (right.lineno, right.col_offset)
            found = change("comparison", *between, f" {OPPOSITES[type(node.ops[0])]} ")
            # A bracket or a line's end between the two operands is not part of the operator.
            if not set(found.old) & set("()\n#"):
                yield found
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
            yield change("constant", *_span(node), new)
        elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
            yield change("line", *_span(node), "pass")


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Walk the syntax without annotations, which are never run, and f-strings, which have no places in Python 3.11."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _executed(child)


def draw(root: Path, seed: int) -> list[Change]:
    """Draw the changes of all floors, kinds in turn: no place twice."""
    drawn = []
    for floor, count in COUNTS.items():
        rng = Random(f"{seed} {floor}")
        there = [found for path in sorted((root / floor).rglob("*.py")) for found in changes(root, path)]
        by_kind = {kind: [found for found in there if found.kind == kind] for kind in KINDS}
        for kind in KINDS:
            rng.shuffle(by_kind[kind])
        drawn += [by_kind[KINDS[number % len(KINDS)]].pop() for number in range(count)]
    return drawn


def suite(root: Path, tests: list[str], patience: float) -> str | None:
    """Run tests until the first failure: return what failed, or None where all passed."""
    command = [str(root / ".venv/bin/python"), "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", *tests]
    try:
        run = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=patience, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return "the suite took too long"
    if run.returncode == 0:
        return None
    lines = (run.stdout or run.stderr).strip().splitlines() or [f"exit code {run.returncode}"]
    return next((line for line in lines if line.startswith(("FAILED", "ERROR"))), lines[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rev", default="HEAD", help="the revision to change")
    parser.add_argument("--out", type=Path, required=True, help="a line of JSON for each change; goes on where it ends")
    parser.add_argument("--patience", type=float, default=1800, help="seconds for one run of the suite")
    parser.add_argument("--list", action="store_true", help="show the changes and run nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "clone"
        subprocess.run(["git", "clone", "-q", ROOT, root], check=True)
        subprocess.run(["git", "checkout", "-q", "--detach", given.rev], cwd=root, check=True)
        drawn = draw(root, given.seed)
        if given.list:
            for change in drawn:
                print(f"{change.path}:{change.line}: {change.kind}: {change.old!r} -> {change.new!r}")
            return
        subprocess.run([sys.executable, "-m", "venv", root / ".venv"], check=True)
        subprocess.run([root / ".venv/bin/pip", "install", "-q", "-e", ".[test]"], cwd=root, check=True)
        done = len(given.out.read_text().splitlines()) if given.out.exists() else 0
        if not done and (failed := suite(root, [], given.patience)) is not None:
            sys.exit(f"the suite fails before anything is changed: {failed}")
        for change in drawn[done:]:
            path = root / change.path
            before = path.read_bytes()
            path.write_bytes(before[: change.start] + change.new.encode() + before[change.end :])
            first = [name for name in FIRST[change.path.partition("/")[0]] if (root / name).exists()]
            caught = suite(root, first, given.patience) or suite(root, [], given.patience)
            path.write_bytes(before)
            with given.out.open("a") as out:
                out.write(json.dumps({**asdict(change), "caught": caught}) + "\n")
        outcomes = [json.loads(line)["caught"] for line in given.out.read_text().splitlines()]
        print(f"{sum(caught is not None for caught in outcomes)} of {len(outcomes)} changes were caught")


if __name__ == "__main__":
    main()
