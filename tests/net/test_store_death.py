"""Death at any moment: all that the store acknowledged is there afterwards, whole, and nothing that was never kept."""

import os
import shutil
from pathlib import Path

import pytest

from quadrille.net.trust.store import STORE_FILE, Store
from tests.net.stores import OWNER, POSIX, TABLE, lines, opened

DIE = """
first, stride = int(sys.argv[2]), int(sys.argv[3])

def play(folder, said, steps):
    store = Store(folder, OWNER)
    left = steps
    def step():
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
    store._file.set_progress_handler(step, 1)
    store.keep_table(TABLE, "barons", b"terms", "seat", "playing", 1)
    os.write(said, b"T")
    with store.together():
        store.keep_secret(TABLE, "seed", b"secret")
        store.keep_entry(TABLE, 0, b"entry 0")
    os.write(said, b"E")
    for index in range(1, 12):
        store.keep_entry(TABLE, index, b"entry %d" % index * 500, own=index % 2 == 0)
        os.write(said, b"E")
    os._exit(0)

for steps in range(first, 100_000, stride):
    folder = FOLDER / str(steps)
    folder.mkdir()
    heard, said = os.pipe()
    child = os.fork()
    if child == 0:
        play(folder, said, steps)
    os.close(said)
    status = os.waitpid(child, 0)[1]
    acknowledged = os.read(heard, 1000)
    os.close(heard)
    with Store(folder, OWNER) as store:
        kept = store.entries(TABLE)
        assert len(store.tables()) >= acknowledged.count(b"T"), acknowledged
        assert len(kept) in (acknowledged.count(b"E"), acknowledged.count(b"E") + 1), (kept, acknowledged)
        assert all(entry.startswith(b"entry %d" % index) for index, entry in enumerate(kept))
        assert (store.secret(TABLE, "seed") == b"secret") is bool(kept), "together means together"
        for index in range(len(kept)):
            store.keep_entry(TABLE, index, kept[index])
        assert store.entries(TABLE) == kept
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0 and acknowledged == b"T" + b"E" * 12, acknowledged
        print(steps)
        break
    assert os.WTERMSIG(status) == signal.SIGKILL
"""


def die(folder: Path, first: int, stride: int) -> int:
    """Kill a real process at one step of SQLite after the other; after how many it had done all that it had to do."""
    return int(*lines(DIE, folder, first, stride))


class TestDeath:
    @POSIX
    def test_killed_in_the_midst_of_any_commit_all_that_was_acknowledged_is_there(self, tmp_path: Path) -> None:
        assert die(tmp_path, 3, 17) > 500

    @POSIX
    @pytest.mark.slow
    def test_killed_at_every_third_step(self, tmp_path: Path) -> None:
        assert die(tmp_path, 1, 3) > 500

    def test_a_power_cut_takes_nothing_that_was_synced_and_leaves_no_gap(self, tmp_path: Path) -> None:
        """After each own commit the log beside the file is on the disk; later bytes of it may be there or not."""
        folder = tmp_path / "games"
        folder.mkdir()
        with opened(folder) as store:
            log = folder / f"{STORE_FILE}-wal"
            sizes = [log.stat().st_size]
            for index in range(8):
                store.keep_entry(TABLE, index, bytes([index]) * 1000 * index)
                sizes.append(log.stat().st_size)
            assert sizes == sorted(set(sizes))
            for cut in range(sizes[0], sizes[-1] + 1, 2039):
                after = tmp_path / str(cut)
                after.mkdir()
                shutil.copy(folder / STORE_FILE, after)
                (after / log.name).write_bytes(log.read_bytes()[:cut])
                with Store(after, OWNER) as found:
                    kept = found.entries(TABLE)
                    assert len(kept) == sum(size <= cut for size in sizes[1:])
                    assert kept == [bytes([index]) * 1000 * index for index in range(len(kept))]
                shutil.rmtree(after)

    def test_the_file_never_needs_a_repair_that_only_a_writer_could_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Once a program killed while it switched a new file to WAL left one that could not even be looked at."""
        given, link = [], os.link

        def watched(part: Path, path: Path) -> None:
            given.append(part.read_bytes()[18:20])
            link(part, path)

        monkeypatch.setattr(os, "link", watched)
        opened(tmp_path).close()
        assert given == [b"\2\2"]

    @POSIX
    @pytest.mark.parametrize(
        ("make", "left"),
        [
            ("Identity.open(folder)", ["identity.key"]),
            ("Store(folder, bytes(32)).close()", ["lock", "store.sqlite"]),
        ],
    )
    def test_killed_while_it_makes_a_file_it_leaves_a_whole_one_or_none(
        self, tmp_path: Path, make: str, left: list[str]
    ) -> None:
        """A real process each time: it dies before its first, second, ... call of the operating system."""
        script = f"""
def make(folder):
    {make}
make(FOLDER)  # so that what is counted is only what is done below
for steps in range(1, 100):
    folder = FOLDER / str(steps)
    folder.mkdir()
    child = os.fork()
    if child == 0:
        left = steps
        def step(event, arguments):
            global left
            if event in ("open", "os.link", "os.rename", "os.remove", "sqlite3.connect", "sqlite3.connect/handle"):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(step)
        make(folder)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    kept = folder / {left[-1]!r}
    before = kept.read_bytes() if kept.exists() else None
    make(folder)
    assert before is None or before == kept.read_bytes()
    assert [name for name in sorted(os.listdir(folder)) if not name.endswith(".part")] == {left}
    print(os.WIFSIGNALED(status), before is not None)
    if not os.WIFSIGNALED(status):
        break
"""
        ends = lines(script, tmp_path)
        assert ends[-1] == "False True"
        assert set(ends[:-1]) == {"True False", "True True"}
