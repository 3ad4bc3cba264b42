"""What is kept stays as it is: beside other programs, later versions, damage and a disk that is full or forbidden.
The shelf of a table upon it: what waits for the disk, and what waits for the next thing that does. And death at any
moment: all that was acknowledged is there afterwards, whole, and nothing that was never kept.
"""

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import STORE_FILE, Lock
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DrawMotion
from quadrille.net.entries.terms import TimeControl
from quadrille.net.entries.wire import Entries, Head
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.program import stored_tables
from quadrille.net.program.stored_tables import MOST_TABLES, StoredTables
from quadrille.net.tables.table import CATCHING_UP, Table
from quadrille.net.trust import store as module
from quadrille.net.trust.store import MOST_VARIANTS, VERSION, KeptTable, Store
from tests.net.by_hand import cut, three, with_moves
from tests.net.tables import TABLE as PLAYED
from tests.net.tables import begun, identity, mover, terms

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals, users and modes")
OWNER, OTHER, TABLE, SECOND = bytes([7]) * 32, bytes([8]) * 32, b"t" * 16, b"u" * 16
_PRELUDE = """
import os, signal, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
FOLDER, OWNER, TABLE = Path(sys.argv[1]), bytes([7]) * 32, b"t" * 16
"""


def program(script: str, *arguments: object) -> "subprocess.Popen[str]":
    """Begin a real process with a folder and a store at hand."""
    words = [sys.executable, "-c", _PRELUDE + script, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def lines(script: str, *arguments: object) -> list[str]:
    """All that such a process prints."""
    with program(script, *arguments) as ran:
        out, err = ran.communicate()
    assert ran.returncode == 0, err
    return out.splitlines()


def opened(folder: Path, **how: Any) -> Store:
    """A store with a table in it."""
    store = Store(folder, OWNER, **how)
    if store.table(TABLE) is None:
        store.keep_table(TABLE, "barons", "seat", 1000)
    return store


def refused(folder: Path, owner: bytes = OWNER, **how: object) -> str:
    with pytest.raises(LocalError) as caught:
        Store(folder, owner, **how)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_no_statement_numbers_its_values() -> None:
    """Python 3.12 and 3.13 warn of `?1` where values come as a sequence, and later ones refuse it: nobody could have
    been met, and no table kept.
    """
    folder = Path(module.__file__).parents[2]
    sources = [*folder.glob("net/**/*.py"), *folder.glob("ai/**/*.py"), *folder.glob("client/**/*.py")]
    assert Path(module.__file__) in sources
    assert [path.name for path in sources if re.search(r"[(=, ]\?[0-9]\b", path.read_text("utf-8"))] == []


class TestTables:
    def test_they_are_kept_and_change(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            store.keep_table(SECOND, "maze", "watch", 1500)
            store.mark_table(SECOND, state="over")
            store.mark_table(TABLE, 2000, role="own", state="forgotten")
            store.keep_table(TABLE, "maze", "seat", 3000)
            store.mark_table(b"x" * 16, 4000)
        with Store(tmp_path, OWNER) as store:
            first = KeptTable(TABLE, "barons", "own", "forgotten", 2000)
            assert store.table(TABLE) == first
            assert [table.id for table in store.tables()] == [TABLE, SECOND]
            assert store.tables("over", "playing") == [KeptTable(SECOND, "maze", "watch", "over", 1500)]
            assert store.table(b"x" * 16) is None

    def test_what_is_kept_together_is_kept_whole_or_not_at_all(self, tmp_path: Path) -> None:
        def begin(store: Store, stake: int) -> None:
            with store.together():
                store.keep_secret(TABLE, "seed", b"s")
                store.keep_entry(TABLE, 0, b"begin")
                store.keep_table(TABLE, "barons", "seat", 1 // stake)

        with opened(tmp_path) as store:
            with pytest.raises(ZeroDivisionError):
                begin(store, 0)
            assert not store.entries(TABLE) and store.secret(TABLE, "seed") is None
            begin(store, 1)
            assert store.entries(TABLE) == [b"begin"] and store.secret(TABLE, "seed") == b"s"

    def test_an_error_of_the_caller_stays_what_it_is(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store, pytest.raises(FileNotFoundError), store.together():
            raise FileNotFoundError


class TestLogs:
    def test_entries_come_back_in_order_up_to_the_first_gap(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            store.keep_table(SECOND, "maze", "seat", 1)
            for index in (3, 1, 0, 2, 11, 10):
                store.keep_entry(TABLE, index, b"entry %d" % index)
            store.keep_entry(SECOND, 0, b"another table")
        with Store(tmp_path, OWNER) as store:
            assert store.entries(TABLE) == [b"entry 0", b"entry 1", b"entry 2", b"entry 3"]
            assert store.entries(SECOND) == [b"another table"]
            assert store.entries(b"x" * 16) == []

    def test_what_is_our_own_waits_for_the_disk(self, tmp_path: Path) -> None:
        """2 is FULL: SQLite then syncs its log at each commit, and so whatever was committed before, too."""
        with opened(tmp_path) as store:
            for own, synced in ((True, 2), (False, 1), (False, 1), (True, 2)):
                store.keep_entry(TABLE, 0, b"begin", own=own)
                assert store.rows("PRAGMA synchronous") == [(synced,)]
                assert not store._file.in_transaction
            store.keep_entry(TABLE, 1, b"theirs", own=False)
            store.keep_secret(TABLE, "promise", b"kept")
            assert store.rows("PRAGMA synchronous") == [(2,)]


class TestSecrets:
    def test_the_first_of_a_label_stays_until_it_is_renewed(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            for data in (b"first", b"second"):
                store.keep_secret(TABLE, "seed", data)
            assert store.secret(TABLE, "seed") == b"first" and store.secret(TABLE, "other") is None
            store.renew_secret(TABLE, "seed", b"third")
        with Store(tmp_path, OWNER) as store:
            assert store.secret(TABLE, "seed") == b"third"

    def test_forgotten_ones_are_nowhere_on_the_disk(self, tmp_path: Path) -> None:
        secret = b"the seven of spades is the third card"
        with opened(tmp_path) as store:
            store.keep_secret(TABLE, "seed", secret)
            assert any(secret in path.read_bytes() for path in tmp_path.iterdir())
            assert store.rows("PRAGMA secure_delete") == [(1,)], "whatever SQLite was built to do by itself"
            store.forget_secrets(TABLE)
            assert store.secret(TABLE, "seed") is None
            assert not any(secret in path.read_bytes() for path in tmp_path.iterdir())

    @POSIX
    def test_nobody_else_can_read_the_files(self, tmp_path: Path) -> None:
        before = os.umask(0)
        try:
            with opened(tmp_path) as store:
                store.keep_secret(TABLE, "seed", b"s")
                modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        finally:
            os.umask(before)
        assert set(modes) == {"lock", STORE_FILE, f"{STORE_FILE}-wal", f"{STORE_FILE}-shm"}
        assert set(modes.values()) == {0o600}


class TestLock:
    def test_a_second_program_with_the_identity_is_told_so_and_a_killed_one_blocks_nobody(self, tmp_path: Path) -> None:
        holds = 'store = Store(FOLDER, OWNER); print("open", flush=True); sys.stdin.read()'
        with program(holds, tmp_path) as other:
            assert other.stdout is not None and other.stdout.readline() == "open\n"
            said = refused(tmp_path)
            assert said.startswith(f"another program is playing with the identity in {tmp_path}: close it first")
            assert "QUADRILLE_HOME" in said
            other.kill()
        assert (tmp_path / "lock").exists()
        with opened(tmp_path):
            assert "another program" in refused(tmp_path), "within one program too"

    def test_others_may_look_up_and_note_while_one_plays(self, tmp_path: Path) -> None:
        with opened(tmp_path) as playing, Store(tmp_path, OWNER, alone=False) as looking:
            playing.keep_entry(TABLE, 0, b"begin")
            assert looking.entries(TABLE) == [b"begin"]
            looking.keep_secret(TABLE, "noted", b"1")
            assert playing.secret(TABLE, "noted") == b"1"

    def test_of_two_who_make_it_at_once_neither_is_refused_and_the_first_stays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The lobby of a new program holds the lock, and makes the store while the person's first game is kept."""
        link = os.link

        def late(part: Path, path: Path) -> None:
            monkeypatch.setattr(os, "link", link)
            opened(tmp_path).close()
            link(part, path)

        monkeypatch.setattr(os, "link", late)
        with Store(tmp_path, OWNER, alone=False) as store:
            assert [table.id for table in store.tables()] == [TABLE]
        assert not list(tmp_path.glob("*.part"))
        (tmp_path / STORE_FILE).unlink()
        with Lock(tmp_path), Store(tmp_path, OWNER, alone=False) as store:
            assert store.tables() == []

    def test_a_store_that_can_t_be_set_up_is_let_go(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        opened(tmp_path).close()
        files = []

        def failing(file: sqlite3.Connection) -> None:
            files.append(file)
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(module, "_set_up", failing)
            assert "Input/output error" in refused(tmp_path)
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            files[0].execute("SELECT 1")
        opened(tmp_path).close()


def flipped(content: bytes) -> bytes:
    """Wrong bytes at the beginning of every page but the first."""
    pages = [content[start : start + 4096] for start in range(0, len(content), 4096)]
    return pages[0] + b"".join(bytes([0xA5]) * 100 + page[100:] for page in pages[1:])


def last_page_flipped(content: bytes) -> bytes:
    """Damage where nothing looks that is not asked for an old entry."""
    return content[:-4096] + flipped(bytes(4096) + content[-4096:])[4096:]


def with_version(number: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:60] + number.to_bytes(4, "big") + content[64:]


class TestFile:
    @pytest.mark.parametrize(
        ("damage", "said"),
        [
            (lambda _: b"", "it is damaged, and is left as it is. Restore a backup; or move it away"),
            (lambda _: b"Dear diary,\n" * 1000, "it is damaged"),
            (lambda content: content[: len(content) // 2], "it is damaged"),
            (flipped, "it is damaged"),
            (last_page_flipped, "it is damaged"),
            (lambda content: content[:68] + bytes(4) + content[72:], "it is damaged"),  # of another program
            (
                with_version(VERSION + 1),
                f"a newer version of this program (its layout is {VERSION + 1}, ours {VERSION})",
            ),
            (with_version(VERSION - 1), "an older version"),
            (with_version(2**31 - 1), "Update the program"),
        ],
    )
    def test_a_wrong_one_is_refused_and_left_as_it_is(
        self, tmp_path: Path, damage: Callable[[bytes], bytes], said: str
    ) -> None:
        with opened(tmp_path) as store:
            for index in range(50):
                store.keep_entry(TABLE, index, bytes([index]) * 1000, own=False)
        path = tmp_path / STORE_FILE
        path.write_bytes(damage(path.read_bytes()))
        before = path.read_bytes()
        for alone in (True, False):
            told = refused(tmp_path, alone=alone)
            assert str(path) in told and said in told and "left as it is" in told
            assert path.read_bytes() == before

    def test_one_of_another_identity_is_refused_and_left_as_it_is(self, tmp_path: Path) -> None:
        opened(tmp_path).close()
        before = (tmp_path / STORE_FILE).read_bytes()
        told = refused(tmp_path, OTHER)
        assert "belongs to another identity (18fc 9760 0215 6594), not to the key beside it" in told
        assert "restore the key" in told
        assert (tmp_path / STORE_FILE).read_bytes() == before

    def test_a_newer_one_whose_program_was_killed_is_left_as_it_is_too(self, tmp_path: Path) -> None:
        """What it committed last stands in the log beside it, which a writer would tidy up."""
        for name in ("theirs", "found"):
            (tmp_path / name).mkdir()
        with opened(tmp_path / "theirs") as store:
            store.rows(f"PRAGMA user_version = {VERSION + 1}")
            for name in (STORE_FILE, f"{STORE_FILE}-wal"):
                (tmp_path / "found" / name).write_bytes((tmp_path / "theirs" / name).read_bytes())
        files = [tmp_path / "found" / name for name in (STORE_FILE, f"{STORE_FILE}-wal")]
        before = [path.read_bytes() for path in files]
        assert "a newer version" in refused(tmp_path / "found")
        assert [path.read_bytes() for path in files] == before

    def test_damage_that_shows_later_is_told_as_well(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            store.keep_entry(TABLE, 0, b"begin")
            store.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            path = tmp_path / STORE_FILE
            path.write_bytes(flipped(path.read_bytes()))
            with pytest.raises(LocalError, match="it is damaged"):
                Store(tmp_path, OWNER, alone=False)
            store._file.execute("PRAGMA shrink_memory")
            with pytest.raises(LocalError, match="it is damaged"):
                store.entries(TABLE)


class TestDisk:
    def test_a_full_one_is_told_in_a_line_and_loses_nothing(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            store.keep_entry(TABLE, 0, b"begin")
            (pages,) = store.rows("PRAGMA page_count")[0]
            store.rows(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(LocalError, match=r"the disk is full\. Free some space and try again"):
                store.keep_entry(TABLE, 1, bytes(100_000))
            assert store.entries(TABLE) == [b"begin"]
            store.rows(f"PRAGMA max_page_count = {pages + 1000}")
            store.keep_entry(TABLE, 1, bytes(100_000))
        with Store(tmp_path, OWNER) as store:
            assert len(store.entries(TABLE)) == 2

    @POSIX
    def test_one_that_fails_is_told_in_a_line_and_loses_nothing(self, tmp_path: Path) -> None:
        """A real process that may not make its files longer."""
        opened(tmp_path).close()
        script = """
import resource
with Store(FOLDER, OWNER) as store:
    store.keep_entry(TABLE, 0, b"begin")
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    try:
        for index in range(1, 1000):
            store.keep_entry(TABLE, index, bytes(5000))
    except LocalError as error:
        print(index, error)
    assert len(store.entries(TABLE)) == index
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.keep_entry(TABLE, index, b"again")
    print(len(store.entries(TABLE)))
"""
        first, second = lines(script, tmp_path)
        assert "the disk reports errors" in first
        with Store(tmp_path, OWNER) as store:
            assert len(store.entries(TABLE)) == int(second) == int(first.split()[0]) + 1

    @POSIX
    @pytest.mark.parametrize("there", [True, False])
    def test_a_folder_that_may_not_be_written_is_told_in_a_line(self, there: bool) -> None:
        """A real process; where the tests run as root it becomes nobody, since root may do everything."""
        script = """
with TemporaryDirectory() as warm:  # nobody may not even load what Python loads late
    Store(Path(warm), bytes(32)).close()
if os.geteuid() == 0:
    os.setuid(65534)
for alone in (True, False):
    try:
        Store(FOLDER, OWNER, alone=alone).close()
    except LocalError as error:
        print(error)
"""
        with TemporaryDirectory() as name:
            folder = Path(name)
            if there:
                opened(folder).close()
            for path in folder.iterdir():
                path.chmod(0o444)
            folder.chmod(0o555)
            told = lines(script, folder)
            folder.chmod(0o755)
        assert len(told) == 2 and all("is read-only: make it" in line and "QUADRILLE_HOME" in line for line in told)

    def test_no_folder(self, tmp_path: Path) -> None:
        for alone in (True, False):
            assert "its folder is gone" in refused(tmp_path / "nowhere", alone=alone)

    def test_another_program_that_does_not_let_go(self, tmp_path: Path) -> None:
        opened(tmp_path).close()
        with Store(tmp_path, OWNER) as store, Store(tmp_path, OWNER, alone=False) as other:
            store.rows("PRAGMA busy_timeout = 0")
            with other.together(), pytest.raises(LocalError, match=r"another program holds it\. Close that one"):
                store.keep_entry(TABLE, 0, b"begin")
            store.keep_entry(TABLE, 0, b"begin")

    def test_many_that_open_it_at_once(self, tmp_path: Path) -> None:
        """SQLite says "locking protocol" when it has lost the race for its log too often."""
        error = sqlite3.OperationalError("locking protocol")
        error.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
        with pytest.raises(LocalError, match="another program holds it"), module._plainly(tmp_path):
            raise error

    def test_a_file_system_that_is_too_simple(self, tmp_path: Path) -> None:
        """In memory SQLite keeps no log beside the file, as on some network drives."""
        with (
            closing(sqlite3.connect(":memory:")) as file,
            pytest.raises(LocalError, match="this file system can't hold a store of games"),
        ):
            module._set_up(file)


MINE = identity(2)


def game(moves: int) -> Log:
    """A log of so many moves; the first seat is identity 1's, the second is ours."""
    return with_moves(three(2), *("a1", "a2", "b1", "b2", "c1", "c2")[:moves])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path, MINE.key) as it:
        yield it


def commits(shelf: StoredTables, *entries: Entry) -> list[str]:
    """Keep entries; how each commit of that was made."""
    done: list[str] = []
    shelf.store._file.set_trace_callback(done.append)
    for entry in entries:
        shelf.keep_entry(entry)
    shelf.store._file.set_trace_callback(None)
    [(synced,)] = shelf.store.rows("PRAGMA synchronous")
    return [f"synchronous {synced}" for sql in done if sql == "COMMIT"]


def test_a_move_and_the_answer_to_it_are_one_commit(store: Store) -> None:
    begin, *moves = game(4).entries
    shelf = StoredTables(store, MINE)
    assert commits(shelf, begin) == ["synchronous 2"]
    for first in (0, 2):
        theirs, mine = moves[first : first + 2]
        assert commits(shelf, theirs) == []
        assert commits(shelf, mine) == ["synchronous 2"]
        assert store.entries(PLAYED) == [begin.data, *(move.data for move in moves[: first + 2])]


def test_who_makes_a_thousand_logs_fills_no_disk_and_our_own_are_kept(store: Store) -> None:
    shelf, log = StoredTables(store, MINE), begun(terms(options={"width": 4, "height": 4}, lot=False))
    moves = [MoveBody(f"{column}{row}") for column in "abc" for row in range(1, 5)]
    theirs = [log.write(move, mover(log)) for move in moves]
    commits(shelf, *log.entries, *theirs)
    log.take(theirs[-1])
    ours = [log.write(move, mover(log)) for move in moves[: MOST_VARIANTS + 1]]
    commits(shelf, *ours, *ours)
    assert shelf.entries(PLAYED) == [entry.data for entry in (log.entries[0], *theirs[:MOST_VARIANTS], *ours)]


def test_a_table_changes_with_each_of_its_entries(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The unfinished games of a person are listed in this order: where they played last comes first."""
    shelf, changed = StoredTables(store, MINE), []
    for now, entry in enumerate(game(2).entries, 1):
        monkeypatch.setattr(stored_tables, "wall", lambda now=now: now)
        commits(shelf, entry)
        shelf.catch_up()
        changed += [kept.changed for kept in store.tables()]
    assert changed == [1, 2, 3]


def test_games_at_one_keyboard_hide_nobody_with_whom_this_person_has_played(store: Store) -> None:
    shelf, log = StoredTables(store, MINE), game(0)
    shelf.keep_entry(log.entries[0])
    shelf.catch_up()
    for number in range(MOST_TABLES):
        store.keep_table(bytes([number]) * 16, "maze", "own", 1 << 50)
    assert shelf.partners() >= {*log.now.keys}


@pytest.mark.parametrize("then", ["promise", "settle"])
def test_what_a_promise_is_about_is_on_the_disk_with_it(store: Store, then: str) -> None:
    shelf = StoredTables(store, MINE)
    entries = game(1).entries
    commits(shelf, *entries)
    if then == "promise":
        shelf.keep_secret(PLAYED, "promise", b"")
    else:
        shelf.settle(PLAYED)
    assert store.entries(PLAYED) == [entry.data for entry in entries]
    assert store.rows("PRAGMA synchronous") == [(2,)]
    done: list[str] = []
    store._file.set_trace_callback(done.append)
    shelf.settle(PLAYED)
    assert not done, "all is there"


def test_what_the_disk_had_no_room_for_is_kept_later(store: Store) -> None:
    shelf = StoredTables(store, MINE)
    begin, theirs, mine = game(2).entries
    commits(shelf, begin, theirs)
    store.rows("PRAGMA query_only = 1")
    for keep in (shelf.catch_up, lambda: shelf.keep_entry(mine)):
        with pytest.raises(LocalError, match="read-only"):
            keep()
    store.rows("PRAGMA query_only = 0")
    shelf.keep_entry(mine)
    assert store.entries(PLAYED) == [begin.data, theirs.data, mine.data]


def test_a_lost_move_of_ours_that_comes_back_while_the_disk_is_full_is_told_and_kept_later(store: Store) -> None:
    """As after an old backup. All of it is there before the next own entry, which is a promise upon it."""
    whole, shelf = game(3), StoredTables(store, MINE)
    commits(shelf, whole.entries[0])
    table = Table(cut(whole, 1), MINE, shelf, 0)
    table.resume()
    table.accord.open = motion = DrawMotion()
    store.rows("PRAGMA query_only = 1")
    table.receive(identity(1).key, Entries(PLAYED, (*whole.entries[1:],)), 0)
    assert [event.entry for event in table.events if isinstance(event, Took)] == whole.entries[1:]
    assert table.accord.open != motion, "it was bound to an old head"
    table.receive(identity(1).key, Head(PLAYED, len(whole.entries), whole.head), CATCHING_UP)
    table.wake(2 * CATCHING_UP)
    with pytest.raises(LocalError, match="read-only"):
        table.play("b2", 2 * CATCHING_UP)
    store.rows("PRAGMA query_only = 0")
    table.play("b2", 2 * CATCHING_UP)
    assert len(table.log.entries) == 5 and store.entries(PLAYED) == [entry.data for entry in table.log.entries]


def test_a_flag_that_falls_while_the_disk_is_full_waits_for_the_next_heartbeat(store: Store) -> None:
    log, shelf = three(2, clock=TimeControl(1500, 0)), StoredTables(store, identity(1))
    commits(shelf, *log.entries)
    table = Table(log, identity(1), shelf, 0)
    table.wake(1000)
    store.rows("PRAGMA query_only = 1")
    for _ in range(3):
        due = table.deadline
        with pytest.raises(LocalError, match="read-only"):
            table.wake(due)
        assert table.deadline > due, "once woken, it waits for something in the future"
    store.rows("PRAGMA query_only = 0")
    table.wake(table.deadline)
    assert table.over is not None


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
    store.keep_table(TABLE, "barons", "seat", 1)
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


class TestDeath:
    @POSIX
    @pytest.mark.parametrize(("first", "stride"), [(3, 17), pytest.param(1, 3, marks=pytest.mark.slow)])
    def test_killed_in_the_midst_of_any_commit_all_that_was_acknowledged_is_there(
        self, tmp_path: Path, first: int, stride: int
    ) -> None:
        """A real process, at one step of SQLite after the other; and it takes so many of them."""
        assert int(*lines(DIE, tmp_path, first, stride)) > 500

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
        [("Identity.open(folder)", ["identity.key"]), ("Store(folder, bytes(32)).close()", ["lock", "store.sqlite"])],
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
