"""Change single places of the code by seed, and see which changes the default suite catches.

`python -m tests.mutate FOLDER` clones a revision into a folder, and draws places there. The suite runs once with a note
at each of them: FOLDER/reached.tsv says which test reached which place, in its own process or in a program that it
started. Then each change is written into its file alone, and the tests that reach it run, the cheapest first, until one
fails. FOLDER/outcomes.jsonl gets a line for each change, so a run that was stopped goes on where it was. A seed draws
the same kinds of change on the same floors, whatever else the house holds. With `--since`, the places are on lines that
commits since then have written, and only the tests of their floors run.
"""

import argparse
import ast
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

HERE = Path(__file__).resolve()
COUNTS = {"rules": 30, "net": 40, "ai": 25, "client": 25}
#: The tests of a floor: any may depend on what is worked out only once, when a module is imported.
TESTS = {
    "rules": ("tests/rules", "tests/laws", "tests/perft", "tests/golden", "tests/search"),
    "net": ("tests/net",),
    "ai": ("tests/ai",),
    "client": ("tests/client",),
}
KINDS = ("comparison", "constant", "line")
#: Seconds for tests of no time: more than one waits for anything (tests/waiting.py), so that it fails by itself.
PATIENCE = 150
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
    #: From where to where the comparison, constant or statement goes.
    whole: tuple[int, int]
    #: It runs when its module is imported.
    imported: bool


def changes(root: Path, path: Path) -> Iterator[Change]:
    """List every single change that a file allows."""
    source = path.read_bytes()
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    called = {node for function in functions for part in function.body for node in ast.walk(part)}

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        last = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return starts[node.lineno - 1] + node.col_offset, last

    def change(node: ast.expr | ast.stmt, kind: str, start: int, end: int, new: str) -> Change:
        line, old, name = source.count(b"\n", 0, start) + 1, source[start:end].decode(), str(path.relative_to(root))
        return Change(name, line, kind, start, end, old, new, span(node), node not in called)

    for node in _executed(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPPOSITES:
            between = span(node.left)[1], span(node.comparators[0])[0]
            found = change(node, "comparison", *between, f" {OPPOSITES[type(node.ops[0])]} ")
            # A bracket or a line's end between the two operands is not part of the operator.
            if not set(found.old) & set("()\n#"):
                yield found
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
            yield change(node, "constant", *span(node), new)
        elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
            yield change(node, "line", *span(node), "pass")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Walk the syntax without annotations, which are never run, and f-strings, which have no places in Python 3.11."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _executed(child)


def draw(root: Path, seed: int, most: int, since: str | None) -> list[Change]:
    """Draw the changes of all floors, kinds in turn: no place twice."""
    drawn: list[Change] = []
    written = written_lines(root, since) if since else None
    for floor, count in COUNTS.items():
        rng = Random(f"{seed} {floor}")
        there = [found for path in sorted((root / floor).rglob("*.py")) for found in changes(root, path)]
        if written is not None:
            there = [found for found in there if (found.path, found.line) in written]
        by_kind = {kind: [found for found in there if found.kind == kind] for kind in KINDS}
        for kind in KINDS:
            rng.shuffle(by_kind[kind])
        kinds = (by_kind[KINDS[number % len(KINDS)]] for number in range(count))
        drawn += [kind.pop() for kind in kinds if kind]
    return drawn if len(drawn) <= most else Random(seed).sample(drawn, most)


def written_lines(root: Path, since: str) -> set[tuple[str, int]]:
    """Return the paths and numbers of the lines that commits since then have written."""
    command = ["git", "diff", "-U0", "--no-color", "--no-ext-diff", "--relative", since, "HEAD", "--", *COUNTS]
    diff = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    lines, path = set(), ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines |= {(path, number) for number in range(first, first + count)}
    return lines


# What runs in the processes of the tests and in programs that they start, where this file is called `mutations`.

#: What a clone's Python knows before any program of ours runs, and what stands for it where another Python runs that.
STARTED = "import builtins; builtins._noted = lambda place: __import__('mutations').noted(place)\n"
NOTED = '__import__("builtins").__dict__.get("_noted", lambda place: None)'
_told: set[tuple[int, str]] = set()


def noted(place: int) -> None:
    """Note that the test of the moment reached a place: a process that a test starts inherits the test's name."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if (place, test) not in _told:
        _told.add((place, test))
        # A bot may be kept from writing anything: tests that start programs are tried last.
        with contextlib.suppress(OSError):
            _note("reached.tsv", str(place), test)


def _note(file: str, *fields: str) -> None:
    with HERE.with_name(file).open("a") as out:
        out.write("\t".join(fields) + "\n")


def pytest_configure() -> None:
    def started(event: str, _: object) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.fork") and "PYTEST_CURRENT_TEST" in os.environ:
            noted(-1)

    sys.addaudithook(started)


def pytest_runtest_logreport(report: "pytest.TestReport") -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _note("ran.tsv", report.nodeid, report.outcome, f"{report.duration:.4f}")


# What runs here.


@dataclass(frozen=True, slots=True)
class Trial:
    """A change, and the tests that may catch it with the seconds that each takes; `reaching` of them reach it."""

    place: int
    tests: dict[str, float]
    reaching: int

    def outcome(self, first_failure: Callable[[list[str], int, float], str | None]) -> str:
        """Run the tests: a line of JSON says which one caught the change, or that none did."""
        left, caught = list(self.tests), None
        flaky: list[str] = []
        while left and caught is None and len(flaky) < 5:
            failed = first_failure(left, self.place, PATIENCE + 4 * sum(self.tests[test] for test in left))
            if failed is None:
                break
            # It counts if the test fails once more on the changed tree, and passes on the unchanged one.
            patience = PATIENCE + 10 * self.tests[failed]
            if first_failure([failed], self.place, patience) and not first_failure([failed], -1, patience):
                caught = failed
            else:
                flaky.append(failed)
            left = left[left.index(failed) + 1 :]
        return json.dumps({**asdict(self), "tests": len(self.tests), "caught": caught, "flaky": flaky}) + "\n"


def read_trials(folder: Path, drawn: list[Change], seconds: float, *, all_tests: bool) -> Iterator[Trial]:
    """Read which test reached which place, and list for each the tests that reach it: of those that take so many
    seconds together the cheapest, and `all_tests` that may reach it unseen behind them.
    """
    took: defaultdict[str, float] = defaultdict(float)
    failed: set[str] = set()
    for line in (folder / "ran.tsv").read_text().splitlines():
        test, outcome, time = line.split("\t")
        took[test] += float(time)
        failed |= {test} if outcome == "failed" else set()
    files = defaultdict(set)
    for test in took.keys() - failed:
        files[test.partition("::")[0]].add(test)
    reached: defaultdict[int, set[str]] = defaultdict(set)
    for line in (folder / "reached.tsv").read_text().splitlines():
        number, now = line.split("\t")
        test, _, phase = now.rpartition(" ")
        # What a fixture did for one test may be there for all of its file.
        reached[int(number)] |= files[test.partition("::")[0]] if phase == "(setup)" else {test}
    for place, change in enumerate(drawn):
        first = reached[place] & (took.keys() - failed)
        unseen = all_tests or change.imported or not first
        floor = {test for test in took if test.startswith(TESTS[change.path.partition("/")[0]])}
        then = (floor | reached[-1] if unseen else set()) & (took.keys() - failed - first)
        order, spent = {}, 0.0
        # An import is reached by all of the floor, whichever test was the first.
        for test in sorted(first | then, key=lambda test: (test in then and not change.imported, took[test])):
            spent += took[test]
            if spent < seconds:
                order[test] = took[test]
        yield Trial(place, order, len(first))


def note_all(root: Path, drawn: list[Change]) -> None:
    """Write a note before each place of the tree."""
    edits = defaultdict(list)
    # Of two that begin at the same place the longer one comes last, and so stands around the other.
    for place, change in sorted(enumerate(drawn), key=lambda one: one[1].whole[1]):
        first, last = change.whole
        note = f"{NOTED}({place})".encode()
        is_line = change.kind == "line"
        edits[change.path] += [(first, note + b"; ")] if is_line else [(first, b"(" + note + b" or "), (last, b")")]
    for path, there in edits.items():
        text = (root / path).read_bytes()
        for at, new in sorted(there, key=lambda edit: edit[0], reverse=True):
            text = text[:at] + new + text[at:]
        (root / path).write_bytes(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a clone, what tests reach, and outcomes; goes on where it ends")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rev", default="HEAD", help="the revision to change")
    parser.add_argument("--since", metavar="REV", help="change only lines that commits since REV have written")
    parser.add_argument("--places", type=int, default=sum(COUNTS.values()), help="change no more places than this")
    parser.add_argument("--at-once", type=int, default=2, help="how many processes run many tests")
    parser.add_argument("--seconds", type=float, default=300, help="how long the tests of each change take at most")
    parser.add_argument("--all-tests", action="store_true", help="run tests that may reach a change unseen, too")
    given = parser.parse_args()
    folder = given.folder.resolve()
    root = (folder / "clone").resolve()
    if not (root / ".venv" / "ready").exists():
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["git", "clone", "-q", HERE.parent.parent, root], check=True)
        subprocess.run(["git", "checkout", "-q", "--detach", given.rev], cwd=root, check=True)
        subprocess.run([sys.executable, "-m", "venv", root / ".venv"], check=True)
        subprocess.run([root / ".venv/bin/pip", "install", "-q", "-e", ".[test]"], cwd=root, check=True)
        (root / ".venv" / "ready").touch()
    subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
    drawn = draw(root, given.seed, given.places, given.since)
    if not drawn:
        parser.exit(message=f"No line of {', '.join(COUNTS)} is new since {given.since}: nothing was changed.\n")
    packages = next((root / ".venv" / "lib").glob("python*")) / "site-packages"
    shutil.copy(HERE, packages / "mutations.py")
    (packages / "mutations.pth").write_text(STARTED)

    def suite(at_once: int, *arguments: object, patience: float = 7200) -> None:
        """Run tests, with this file as a plugin: what it notes is in `ran.tsv`."""
        (packages / "ran.tsv").write_text("")
        command = [root / ".venv/bin/python", "-m", "pytest", "-p", "mutations", "--tb=no", "-n", at_once, *arguments]
        with (folder / "log").open("a") as log:
            process = subprocess.Popen(
                list(map(str, command)), cwd=root, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def first_failure(tests: list[str], place: int, patience: float) -> str | None:
        """Run tests in a program of their own, with one change written into its file."""
        subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
        if place >= 0:
            path, change = root / drawn[place].path, drawn[place]
            text = path.read_bytes()
            path.write_bytes(text[: change.start] + change.new.encode() + text[change.end :])
        (folder / "chosen").write_text("\n".join(tests))
        suite(given.at_once if patience > PATIENCE + 40 else 0, "-x", f"@{folder / 'chosen'}", patience=patience)
        ran = [line.split("\t") for line in (packages / "ran.tsv").read_text().splitlines()]
        failed = [test for test, outcome, _ in ran if outcome == "failed"]
        return next(iter([*failed, *(test for test in tests if test not in {line[0] for line in ran})]), None)

    os.nice(5)
    if not (folder / "ran.tsv").exists():
        (packages / "reached.tsv").write_text("")
        note_all(root, drawn)
        floors = {change.path.partition("/")[0] for change in drawn} if given.since else set()
        suite(given.at_once, *(test for floor in sorted(floors) for test in TESTS[floor]))
        for name in ("reached.tsv", "ran.tsv"):
            shutil.copy(packages / name, folder / name)
    outcomes = folder / "outcomes.jsonl"
    outcomes.touch()
    found = {line["place"]: line for line in map(json.loads, outcomes.read_text().splitlines())}
    for trial in read_trials(folder, drawn, given.seconds, all_tests=given.all_tests):
        known = found.get(trial.place)
        if known is None or (known["caught"] is None and known["tests"] < len(trial.tests)):
            line = trial.outcome(first_failure)
            found[trial.place] = json.loads(line)
            with outcomes.open("a") as out:
                out.write(line)
    for floor in COUNTS:
        there = [place for place in sorted(found) if drawn[place].path.startswith(f"{floor}/")]
        missed = [place for place in there if found[place]["caught"] is None]
        print(f"{floor}: {len(there) - len(missed)} of {len(there)} changes were caught")
        for place in missed:
            change, counts = drawn[place], found[place]
            told = f"{counts['tests']} tests ran, and {counts['reaching']} reach it"
            print(f"  {change.path}:{change.line}: {change.old!r} -> {change.new!r}: {told}")


if __name__ == "__main__":
    main()
