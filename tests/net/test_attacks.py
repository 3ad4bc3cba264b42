"""What hostile peers do to a program that is not this one: it lives on, serves others, and stays within its memory.

In the open network and in a private room, by raw sockets and by hostile ROUTERs. The version of libzmq stands in what
fails, since libzmq alone dies of some of these, and takes any memory in others. Bounds: docs/protocols/links.md.
A cut in each state of a connection: test_connections.py.
"""

import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import zmq
from zmq.utils import z85

from quadrille.net.zeromq.zre import Hello, PingOk, Whisper, encode
from tests.net.callers import HOST, Stranger, strangers
from tests.net.ports import udp_port
from tests.net.programs import Program, most_memory, peer
from tests.net.zmtp import MORE, CurveClient, frame, key_pair, message, opening
from tests.programs import wait_until
from tests.waiting import DEADLINE, soon

VERSION = f"libzmq {zmq.zmq_version()}"
#: In MiB: for each stranger (10 are allowed; on a busy machine more waits to be sent), and for a whole program.
OF_A_STRANGER, OF_A_PROGRAM = 5, 150


@dataclass
class Victim:
    """A node in a program of its own, and an honest peer that has met it."""

    program: Program
    honest: Program
    room: bytes | None
    port: int
    calm: float
    crowd: contextlib.ExitStack

    def is_well(self, strangers: int) -> None:
        """It serves the honest peer, and has never taken more than it may."""
        word = secrets.token_hex(4)
        self.honest.tell("whisper", "ann", word)
        self.program.wait("said", name="bob", text=word)
        most = most_memory(self.program)
        assert most < min(self.calm + strangers * OF_A_STRANGER, OF_A_PROGRAM), (self.calm, most, VERSION)


@pytest.fixture(params=[False, True], ids=["open", "room"])
def victim(request: pytest.FixtureRequest) -> Iterator[Victim]:
    rooms = [key_pair() for _ in range(2)] if request.param else []
    locks = [(f"room={public.hex()}{secret.hex()}",) for public, secret in rooms] or [(), ()]
    udp = udp_port()
    ann, bob = (peer(name, udp, "interface=127.0.0.1", *lock) for name, lock in zip(("ann", "bob"), locks, strict=True))
    with contextlib.ExitStack() as stack:
        stack.callback(ann.kill)
        stack.callback(bob.kill)
        port = ann.wait("started")["port"]
        wait_until(lambda: ann.peers() and bob.peers(), ann, bob)
        yield Victim(ann, bob, rooms[0][0] if rooms else None, port, most_memory(ann), stack)


@dataclass
class Eve:
    """Somebody with a raw connection to the victim; one of a room has its keys."""

    victim: Victim
    keys: tuple[bytes, bytes] = field(default_factory=key_pair)

    def __post_init__(self) -> None:
        self.line = Stranger(self.victim.port)
        self.victim.crowd.callback(self.line.cut)
        self.line.socket.settimeout(DEADLINE)
        self.curve = CurveClient(*self.keys, self.victim.room, self.identity) if self.victim.room else None
        with contextlib.suppress(OSError):  # refused
            if self.curve is None:
                self.line.socket.sendall(opening(self.keys[0][:16]))
            else:
                self.line.socket.sendall(self.curve.hello())
                self._until(b"WELCOME", 64 + 170)
                self.line.socket.sendall(self.curve.initiate(self.line.heard()))
            self._until(b"READY")

    @property
    def identity(self) -> bytes:
        """What its DEALERs claim; in a room as text."""
        claim = b"\x01" + self.keys[0][:16]
        return claim.hex().encode() if self.victim.room else claim

    def _until(self, word: bytes, size: int = 0) -> None:
        """Wait until it has come; nothing comes if the victim refuses us."""
        soon(lambda: not (heard := self.line.heard()) or (word in heard and len(heard) >= size))

    def part(self, size: int) -> bytes:
        """A frame of a message that goes on."""
        return self.curve.sealed(MORE, bytes(size)) if self.curve else frame(MORE, bytes(size))

    def sealed(self, frames: list[bytes]) -> bytes:
        """A message as it goes on the wire."""
        return self.curve.message(frames) if self.curve else message(*frames)

    def say(self, *said: Hello | PingOk | Whisper | bytes) -> bool:
        """Send messages; False once the victim has closed the connection."""
        try:
            self.line.socket.sendall(
                b"".join(one if isinstance(one, bytes) else self.sealed(encode(one)) for one in said)
            )
        except TimeoutError:
            pytest.fail("neither read nor cut")
        except OSError:
            return False
        return True

    def hello(self, port: int, name: str = "eve") -> Hello:
        return Hello(1, f"tcp://{HOST}:{port}", (), 0, name, ())

    @contextlib.contextmanager
    def called(self) -> Iterator[tuple["zmq.Socket[bytes]", int]]:
        """A ROUTER that the victim calls, and its port."""
        with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
            router.linger, router.rcvhwm, router.rcvbuf, router.rcvtimeo = 0, 1, 4096, 10_000
            if self.curve:
                router.curve_server = True
                router.curve_publickey, router.curve_secretkey = map(z85.encode, self.keys)
            yield router, router.bind_to_random_port(f"tcp://{HOST}")


@pytest.mark.first(1)
@pytest.mark.parametrize("size", [0, 60_000])
def test_sixteen_endless_messages(victim: Victim, size: int) -> None:
    crowd = [Eve(victim) for _ in range(16)]
    for _ in range(500):
        crowd = [eve for eve in crowd if eve.say(b"".join(eve.part(size) for _ in range(1 if size else 400)))]
    assert not crowd
    victim.is_well(16)


@pytest.mark.slow
def test_sixty_that_say_more_small_messages_than_are_read(victim: Victim) -> None:
    """An empty frame takes 64 bytes in libzmq, of 2 on the wire: half a MiB each, if 1000 messages waited."""
    crowd = [Eve(victim) for _ in range(60)]
    for eve in crowd:
        eve.line.socket.setblocking(False)
    for _ in range(20):
        for eve in crowd:
            # what is sealed costs the one who seals it, too
            eve.line.say(eve.sealed([b""] * 17) * 400 if eve.curve is None else eve.sealed([b""] * 17))
        victim.program.tell("whisper", "bob", "on")
        victim.honest.wait("said", text="on")
    victim.is_well(8)


@pytest.mark.first(1)
def test_eight_that_do_not_read_what_is_sent_to_them(victim: Victim) -> None:
    crowd = [Eve(victim) for _ in range(8)]
    for number, eve in enumerate(crowd):
        _, port = victim.crowd.enter_context(eve.called())
        eve.say(eve.hello(port, f"eve {number}"), PingOk(2))
    names = {f"eve {number}" for number in range(8)}
    wait_until(lambda: names <= victim.program.peers(), victim.program)
    for beat, left in enumerate(iter(lambda: names & victim.program.peers(), set()), 3):
        for name in left:
            crowd[int(name[-1])].say(PingOk(beat))  # on a busy machine it would be left for its silence
            victim.program.tell("flood", name)
        victim.program.tell("whisper", "bob", "on")  # else thousands of floods could wait to be sent at once
        victim.honest.wait("said", text="on")
        victim.is_well(8)
    assert len(victim.program.said("left", why="CHOKED")) == 8


@pytest.mark.slow
@pytest.mark.parametrize("victim", [False], indirect=True)
@pytest.mark.parametrize("size", [0, 60_000])
def test_a_called_end_that_says_an_endless_message(victim: Victim, size: int) -> None:
    eve = Eve(victim)
    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(DEADLINE)
        eve.say(eve.hello(listener.getsockname()[1]))
        eve.line = Stranger(accepted=listener.accept()[0])
        victim.crowd.callback(eve.line.cut)
        eve.line.socket.settimeout(DEADLINE)
        eve.say(opening(b"", b"ROUTER"))
        while eve.say(eve.part(size) * (1 if size else 400)):
            pass
    victim.is_well(2)


# Without time to clean up


def sockets_of(process: int) -> set[str]:
    """The inodes of its sockets."""
    links = [os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir()]
    return {link[8:-1] for link in links if link.startswith("socket:")}


def sockets() -> set[str]:
    """The inodes of all sockets here; each is a word of a line."""
    tables = [Path(f"/proc/net/{kind}") for kind in ("unix", "tcp", "tcp6", "udp", "udp6")]
    return {word for table in tables if table.exists() for word in table.read_text().split()}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
@pytest.mark.parametrize("pipes", ["nameless", "files"], ids=["Linux", "another system"])
def test_a_caller_that_is_killed_leaves_no_socket_and_no_file(tmp_path: Path, pipes: str) -> None:
    """But for an empty folder where pipes are files: the next program removes that, and not one of a living program."""
    udp, own = udp_port(), ("interface=127.0.0.1", f"temporary={tmp_path}", f"pipes={pipes}")
    with contextlib.ExitStack() as stack:
        ann = peer("ann", udp, *own)
        stack.callback(ann.kill)
        ann.wait("started")
        files = len(os.listdir(f"/proc/{ann.process.pid}/fd"))
        for life in ("first", "second"):
            bob = peer("bob", udp, *own)
            stack.callback(bob.kill)
            crowd = stack.enter_context(strangers(bob.wait("started")["port"], 5))
            for eve in crowd:
                eve.say(opening(secrets.token_bytes(16)))
            soon(lambda crowd=crowd: all(eve.is_answered() for eve in crowd))
            ann.wait("met", name="bob")
            bob.wait("met", name="ann")
            its = sockets_of(bob.process.pid)
            assert len(its) > 3 * len(crowd) and its <= sockets()
            left = [*tmp_path.iterdir()]
            assert len(left) == 2 * (pipes == "files") and not [one for folder in left for one in folder.iterdir()], (
                life
            )
            bob.process.kill()
            bob.process.wait()
            soon(lambda its=its: not its & sockets())
            ann.wait("left", name="bob")
            soon(lambda: len(os.listdir(f"/proc/{ann.process.pid}/fd")) == files)
