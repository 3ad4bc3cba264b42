"""The home folder of an installation, with one folder for each identity, and the lock that keeps others out.

HOME/ belongs to the person, HOME/bot-NAME/ to a bot. Each holds `identity.key` (net/trust/identity.py),
`store.sqlite` (net/trust/store.py) and `lock`. Nothing here knows what the files contain. Specification:
docs/protocols/identity.md.
"""

import errno
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import platformdirs

from quadrille.net.core.errors import LocalError
from quadrille.rules.squares import quoted

VARIABLE: Final = "QUADRILLE_HOME"
#: How a person names another folder.
NAMING: Final = f"--home or {VARIABLE}"
#: The files that programs keep in a home, the start of a bot's folder, and the other folders, also those of packages.
KEY_FILE, STORE_FILE, LOCK_FILE, BOT = "identity.key", "store.sqlite", "lock", "bot-"
FOLDERS: Final = "checks", "games", "learn", "puzzles", "tournaments"
_BOT: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_FORBIDDEN: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_TAKEN: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def home(given: str | Path | None = None) -> Path:
    """Return the home folder: `given`, else the one in QUADRILLE_HOME, else the platform's data folder."""
    named = given or os.environ.get(VARIABLE)
    try:
        path = Path(named).expanduser().absolute() if named else platformdirs.user_data_path("quadrille", False)
    except RuntimeError:
        path = Path()
    if not path.is_absolute():
        raise LocalError(f"there is no home folder on this machine: name a folder for the games with {NAMING}")
    return path


def own_folder(at: Path, bot: str = "") -> Path:
    """Return the folder of the person's identity or of a bot's. Create it if missing, readable by its owner only."""
    if bot and not _BOT.fullmatch(bot):
        raise LocalError(
            f"{quoted(bot)} can't be the name of a bot's identity: it takes up to 40 small letters, digits, - and _"
        )
    return folder_in(at, f"{BOT}{bot}" if bot else "")


def folder_in(at: Path, name: str) -> Path:
    """Return a folder of a home. Create both if missing, readable by their owner only."""
    assert not name or name.startswith(BOT) or name in FOLDERS, "a bot in a home would see a folder that is not named"
    for path in (at, at / name):
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise refusal(error, path) from None
    return at / name


def refusal(error: OSError, path: Path) -> LocalError:
    """Put an operating system error into words for the person who owns the file or folder."""
    if error.errno in _FULL:
        reason = "the disk is full. Free some space and try again: nothing that was kept is lost"
    elif error.errno in _FORBIDDEN:
        return LocalError(f"{path} is read-only: make it writable for yourself, or name another folder with {NAMING}")
    elif error.errno in (errno.EEXIST, errno.ENOTDIR):
        reason = f"a file stands where a folder is needed. Move it away, or name another folder with {NAMING}"
    elif error.errno == errno.ENOENT:
        reason = f"its folder is gone. Bring it back, or name another one with {NAMING}"
    else:
        reason = f"{error.strerror or error}. If that stays so, name another folder with {NAMING}"
    return LocalError(f"{path} can't be used: {reason}")


@contextmanager
def made_once(path: Path) -> Iterator[Path]:
    """Give a new file its name once it is whole, so that nobody ever finds half of it; one that another program made
    meanwhile stays. Write it under the name that this yields.
    """
    part = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        yield part
        try:
            os.link(part, path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links, as on some phones and sticks
            if not path.exists():
                part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if sys.platform != "win32":  # there the name survives a power cut by itself
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def is_free(folder: Path, name: str = LOCK_FILE) -> bool:
    """Return whether no program holds the lock of that name."""
    with suppress(LocalError):
        if (folder / name).exists():
            Lock(folder, name).close()
        return True
    return False


def temporary_folder(prefix: str) -> TemporaryDirectory[str]:
    """Make a temporary folder for this program and its user alone, and remove those of programs that were killed."""
    for left in Path(gettempdir()).glob(f"{prefix}*-*") if sys.platform != "win32" else ():  # signal 0 is Ctrl-C there
        try:
            os.kill(int(left.name.removeprefix(prefix).partition("-")[0]), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (ValueError, OSError):  # no folder of ours, or of another user
            continue
    return TemporaryDirectory(prefix=f"{prefix}{os.getpid()}-", ignore_cleanup_errors=True)


class Lock(AbstractContextManager["Lock"]):
    """An exclusive lock, usually on an identity's folder. The operating system releases it when the program dies."""

    def __init__(self, folder: Path, name: str = LOCK_FILE, taken: str = "") -> None:
        """`taken`: the refusal if another program holds the lock; by default it speaks of identities."""
        self._path = folder / name
        self._taken = taken or (
            f"another program is playing with the identity in {folder}: close it first, "
            f"or play as somebody else from another folder, named with {NAMING}"
        )
        self._file = self._locked()
        while not self._stands():  # its last holder removed the file after it was opened here
            os.close(self._file)
            self._file = self._locked()

    def _locked(self) -> int:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise refusal(error, self._path) from None
        try:
            _lock(file)
        except OSError as error:
            os.close(file)
            raise LocalError(self._taken) if error.errno in _TAKEN else refusal(error, self._path) from None
        return file

    def _stands(self) -> bool:
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file), os.stat(self._path))
        return False

    def close(self) -> None:
        """Release the lock. The file stays, for the next program."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def remove(self) -> None:
        """Release the lock, and delete the file, so that nothing is left in a person's folder."""
        if sys.platform == "win32":
            self.close()  # an open file can't be deleted there
        with suppress(OSError):
            self._path.unlink()
        self.close()

    def __exit__(self, *_: object) -> None:
        self.close()
