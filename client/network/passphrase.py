"""A person's secrets: a room's passphrase, with the way to another program of this person, and a Wi-Fi's key.

Other programs can read a command line (`ps`) and an environment. So the passphrase comes from a private file, from a
pipe, or from the person; client/cli.py takes it out of the environment before it starts any program.
"""

import argparse
import getpass
import os
import stat
import sys
from textwrap import wrap
from typing import IO, Final

from quadrille.client.cli import WIFI_VARIABLE
from quadrille.client.network.tickets import TicketWay
from quadrille.net.core.errors import LocalError
from quadrille.net.private_room.room import LONGEST_WORDS, weakness
from quadrille.net.program.station import PrivateRoom
from quadrille.rules.drawing.plain_text import WIDTH
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value

#: Maximum bytes of the line with the passphrase.
_MOST_BYTES: Final = 4 * LONGEST_WORDS + 2


def private_room(settings: argparse.Namespace) -> PrivateRoom:
    """Return the private room of a command line; it may ask the person for the passphrase."""
    if settings.room is None:
        raise RulesError("a passphrase is for a room: add --room")
    words = asked(settings)
    if fault := weakness(words):
        print("\n".join(wrap(f"Note: {fault}.", WIDTH)), file=sys.stderr)
    return PrivateRoom(settings.room, words)


def asked(settings: argparse.Namespace) -> str:
    """Return a room's passphrase from the options, else from the environment, else from the person."""
    file = settings.passphrase_file
    if settings.passphrase_fd is not None:
        return from_descriptor(settings.passphrase_fd)
    if file == "-" and not person_types():
        return from_descriptor(sys.stdin.fileno() if sys.stdin is not None else 0)
    if file not in (None, "-"):
        return from_file(file)
    if file is None and (words := getattr(settings, "environment_words", None)):
        return str(words)
    if not person_types():
        raise RulesError(
            f"room {quoted(settings.room)} needs its passphrase: --passphrase-file FILE, or - for standard input"
        )
    return _unseen(f"passphrase of room {settings.room}: ")


def _unseen(prompt: str) -> str:
    """Ask the person, and echo nothing; Ctrl-C or Ctrl-D leaves the program, on a line of its own."""
    try:
        return getpass.getpass(prompt)
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
        raise KeyboardInterrupt from None


def from_descriptor(descriptor: int) -> str:
    """Read one line of a pipe and not a byte more, because the rest is for another reader."""
    line = bytearray()
    try:
        while len(line) < _MOST_BYTES and (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
            line += byte
        return line.decode().rstrip("\r")
    except OSError as error:
        raise LocalError(f"no passphrase can be read from descriptor {descriptor}: {error.strerror}") from None
    except UnicodeDecodeError:
        where = "standard input" if descriptor == 0 else f"descriptor {descriptor}"
        raise LocalError(f"the passphrase from {where} is not UTF-8") from None


def from_file(name: str) -> str:
    """Read the first line of a private file or of a shell's pipe."""
    descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        info = os.fstat(descriptor)
        if sys.platform != "win32" and (info.st_mode & 0o077 or info.st_uid != os.geteuid()):
            raise LocalError(
                f"others on this machine can read {name}, or it belongs to another: if nobody has seen the passphrase, "
                "keep it to yourself with chmod 600; else take another one"
            )
        if stat.S_ISDIR(info.st_mode):
            raise LocalError(f"{name} is a folder: a file with the passphrase in its first line is wanted")
        return from_descriptor(descriptor)
    finally:
        os.close(descriptor)


def hand_over(room: PrivateRoom | None, ticket: TicketWay | None, pipe: IO[bytes] | None) -> None:
    """Write the passphrase or the ticket into the pipe of another program of this person, which waits for it."""
    words = ticket.words if ticket is not None else room.passphrase if room is not None else ""
    if words and pipe is not None:
        pipe.write(words.encode() + b"\n")
        pipe.flush()


def person_types() -> bool:
    """Return whether somebody can be asked at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


#: Maximum bytes of a Wi-Fi's name, and how long a key may be, in characters (IEEE 802.11i; 64 are hexadecimal).
_LONGEST_NAME: Final = 32
_KEY_LENGTHS: Final = range(8, 65)


@value
class Wifi:
    """A Wi-Fi; the key of an open one is ""."""

    name: str
    key: str

    def __repr__(self) -> str:
        return f"Wifi(name={quoted(self.name)})"


def wifi_of(settings: argparse.Namespace) -> Wifi:
    """Return the Wi-Fi of a command line; it may ask the person for the key."""
    name = settings.wifi
    if not name or len(name.encode()) > _LONGEST_NAME or not name.isprintable():
        raise RulesError(f"{quoted(name)} is no name of a Wi-Fi: it has 1 to {_LONGEST_NAME} bytes")
    key = getattr(settings, "environment_key", None)
    if key is None:
        if not person_types():
            raise RulesError(f"Wi-Fi {quoted(name)} needs its key in {WIFI_VARIABLE}; an open one has an empty key")
        key = _unseen(f"key of the Wi-Fi {name} (Enter alone for an open one): ")
    if key and (len(key) not in _KEY_LENGTHS or not key.isprintable()):
        raise RulesError(f"the key of a Wi-Fi has 8 to 64 printable characters; this one has {len(key)}")
    return Wifi(name, key)
