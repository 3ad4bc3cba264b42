"""The examinations of `quadrille doctor`, one after another. Each yields sentences."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Final

from quadrille.ai.bots.talk import now
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import network_words, own_station
from quadrille.client.presence.bot_processes import command
from quadrille.client.reports import many
from quadrille.client.words.absent_peers import WORDS, of_peer
from quadrille.net.cards import group
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home, own_folder
from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.interfaces import Interface, present, usable
from quadrille.net.neighbours.neighbour import Trouble
from quadrille.net.program.station import Station
from quadrille.net.program.stored_tables import tables_at
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.known import peers
from quadrille.net.zeromq.zre import Beacon
from quadrille.rules.native.compiled import advice, engine
from quadrille.value import value

#: Listening time in milliseconds; other programs send a beacon every second.
LISTEN: Final = 2500
#: Milliseconds for which a system may still check that nobody else has a fresh IPv6 address: nothing leaves by it yet.
TENTATIVE: Final = 2500
#: Seconds for which a second program looks for this one, counted by itself from when it is on the network.
LOOK: Final = 4
#: Maximum machines that are named because they were heard and not met.
_MOST_WAITING: Final = 5
#: Timeout in seconds for the start of the second program, which a busy machine may need long for.
START: Final = 60


class Reach(Enum):
    """How far this machine has reached on the network."""

    LOOPBACK = "loopback"  # the machine has no other network
    HALFWAY = "halfway"  # other machines were heard, but none was met
    OTHERS = "others"  # another machine was met
    BUSY = "busy"  # this machine was too slow to tell


@value
class Diagnosis:
    """One finding in a sentence; not `fine` if the person has to act. `shows` says how far the machine has reached."""

    text: str
    fine: bool = True
    shows: Reach | None = None

    @property
    def line(self) -> str:
        """Return the sentence behind its mark."""
        return f"{_MARKS.get(self.shows, 'ok' if self.fine else 'BLOCKED'):9}{self.text}"


_MARKS: Final[Mapping[Reach | None, str]] = {Reach.BUSY: "SLOW", Reach.LOOPBACK: "ALONE"}
#: Instructions for two people, who together can find out what one machine can't.
TRY_IT: Final = (
    "To find out, take two machines: `quadrille host maze` on one, `quadrille join` on the other. If they do not meet, "
    "the address and port that the host shows go behind join; if that does not help either, the network may keep "
    "its clients apart (guest networks often do), or a firewall stands on one side: run quadrille doctor on both. "
    "`quadrille docs play-with-friends` has a table of troubles."
)


def verdict(findings: Sequence[Diagnosis]) -> str:
    """Sum up all findings, and say what they can't show."""
    shows = {finding.shows for finding in findings}
    if not all(finding.fine for finding in findings if finding.shows is not Reach.LOOPBACK):
        return "Something is in the way; see the lines that begin with BLOCKED."
    if Reach.BUSY in shows:
        return (
            "Nothing was found in the way, but this machine was too busy to tell whether programs meet: run quadrille "
            "doctor again when it has less to do."
        )
    if Reach.LOOPBACK in shows:
        return (
            "Nothing is in the way on this machine, but it is on no network: only programs on it can meet. Connect it "
            "to one, by cable or wireless, and run quadrille doctor again."
        )
    if Reach.OTHERS in shows:
        return "Nothing is in the way: programs on other machines were met."
    if Reach.HALFWAY in shows:
        return (
            "Nothing is in the way on this machine, but those who are heard were not met: they may be other programs "
            f"than Quadrille, or in another room, or a firewall stands there. {TRY_IT}"
        )
    unheard = "No other machine was heard, so whether one can be reached is unknown"
    return f"Nothing is in the way on this machine. {unheard}. {TRY_IT}"


def examine(options: NetworkOptions) -> Iterator[Diagnosis]:
    options = replace(options, room=None, ticket=None)  # else the second program would have to be told its words
    yield from _tried(_home(options))
    yield Diagnosis(advice() or f"The rules are {engine()}.", fine=engine() in ("compiled", "plain"))
    yield from _tried(_cards())
    doubts: list[Diagnosis] = []  # about interfaces: who meets others is not blocked
    try:
        interfaces = usable(present(), options.interfaces)
        with closing(Broadcast(options.port, options.interfaces)) as ears:
            ears.open()
            yield Diagnosis(f"UDP port {options.port} is free.")
            for finding in _interfaces(options, interfaces, ears):
                if finding.fine or finding.shows:
                    yield finding
                else:
                    doubts.append(finding)
    except LocalError as error:
        yield Diagnosis(f"{error}.", fine=False)
        return
    meets = False
    for finding in chain(_tried(_tcp(options)), _meeting(options)):
        meets |= finding.shows is Reach.OTHERS
        yield finding
    yield from (replace(doubt, fine=meets) for doubt in doubts)


def _tried(findings: Iterator[Diagnosis]) -> Iterator[Diagnosis]:
    try:
        yield from findings
    except LocalError as error:
        yield Diagnosis(f"{error}.", fine=False)


def _home(options: NetworkOptions) -> Iterator[Diagnosis]:
    folder = own_folder(home(options.home))
    with tables_at(options.home) as tables:
        key, met = tables.identity.key, peers(tables.store)
    yield Diagnosis(f"Your identity is {fingerprint(key)}, in {folder}; you know {len(met)} others.")


def _cards() -> Iterator[Diagnosis]:
    """Load what the cards of Dotter and the keys of private rooms are computed with."""
    group.base(1)
    yield Diagnosis("This machine can compute with hidden cards.")


def _interfaces(options: NetworkOptions, interfaces: Sequence[Interface], ears: Broadcast) -> Iterator[Diagnosis]:
    ours: dict[Interface, str] = {}
    trouble: dict[Interface, str] = {}
    for interface in interfaces:
        mouth = Broadcast(options.port, [interface.address])
        with closing(mouth):
            mouth.refresh()
            mark = os.urandom(16)
            end = now() + (TENTATIVE if interface.has_ipv6 else 0)
            beacon = Beacon(mark, 0, None).encode()
            mouth.announce(beacon, (), by_ipv6=True)
            while mouth.troubles and now() < end:
                time.sleep(TENTATIVE / 20_000)
                mouth.announce(beacon, (), by_ipv6=True)
            ours[interface] = mark.hex()
            if mouth.troubles:
                trouble[interface] = " ".join(mouth.troubles.values())
    heard = _heard(ears)
    here = {host for interface in interfaces for host in interface.hosts}
    marks = {datagram[4:20].hex() for _, datagram in heard}
    others = {host for host, datagram in heard if datagram[4:20].hex() not in ours.values()} - here
    with_ipv4 = {interface.name for interface in interfaces if not interface.has_ipv6}
    yield from (Diagnosis(f"{text}. IPv4 is enough for most.") for text in ears.troubles.values())
    for interface in interfaces:
        where = f"{interface.name} ({interface.address})"
        strangers = sum(interface.admits(host) for host in others)
        from_others = f"; beacons of {many(strangers, 'other machine')} come in" if strangers else ""
        is_spare = interface.has_ipv6 and interface.name in with_ipv4
        if interface in trouble and is_spare:
            yield Diagnosis(f"{where}: {trouble[interface]}. IPv4 is enough there.")
        elif interface in trouble:
            yield Diagnosis(f"{trouble[interface]}. {_firewall(options)}", fine=False)
        elif not interface.has_ipv6 and interface.broadcast is None:
            yield Diagnosis(f"{where} has no broadcast (a VPN?): there, use --connect HOST:PORT.")
        elif ours[interface] in marks:
            yield Diagnosis(f"{where}: our own beacons are heard{from_others}.")
        elif is_spare:
            yield Diagnosis(f"{where}: our own beacon was not heard{from_others}. IPv4 is enough there.")
        elif strangers:
            yield Diagnosis(f"{where}: our own beacon was not heard{from_others}. {_firewall(options)}")
        else:
            yield Diagnosis(f"{WORDS[Trouble.SHUT].text.format(where)}. {_firewall(options)}", fine=False)
    if all(interface.network.is_loopback for interface in interfaces):
        text = "There is no network but this machine's own: only programs on this machine can meet."
        yield Diagnosis(text, fine=options.interfaces is not None, shows=Reach.LOOPBACK)
    if any(interface.admits(host) for interface in interfaces for host in others):
        yield Diagnosis("Other machines are heard.", shows=Reach.HALFWAY)


def _heard(ears: Broadcast) -> list[tuple[str, bytes]]:
    heard: list[tuple[str, bytes]] = []
    end = now() + LISTEN
    while (left := end - now()) > 0:
        select.select(ears.ears, [], [], left / 1000)
        heard += [(address, datagram) for address, datagram in ears.heard() if len(datagram) >= 20]
    return heard


def _tcp(options: NetworkOptions) -> Iterator[Diagnosis]:
    with (
        tempfile.TemporaryDirectory(prefix="quadrille-") as folder,
        _station(options, folder, options.tcp_port) as mine,
    ):
        yield Diagnosis(f"TCP port {mine.node.tcp_port} is free.")


def _station(options: NetworkOptions, folder: str, tcp_port: int = 0) -> Station:
    return own_station(replace(options, home=folder, tcp_port=tcp_port), kind=LOOKOUT, name="doctor")


def _meeting(options: NetworkOptions) -> Iterator[Diagnosis]:
    with (
        tempfile.TemporaryDirectory(prefix="quadrille-") as folder,
        _station(options, str(Path(folder, "one"))) as mine,
    ):
        without = _meet(options, mine, str(Path(folder, "two")))
        yield from _others(mine)
        if without.took is not None:
            yield Diagnosis(f"Two programs on this machine meet: {without.took} ms from the start of the second one.")
            return
        named = _meet(options, mine, str(Path(folder, "three")), mine.node.tcp_port)
        yield not_met(without, named, _firewall(options))


@value
class Attempt:
    """An attempt of a second program to meet this one. It `took` that long, in milliseconds, or None if it failed. The
    program was `up` that long, until it had looked for LOOK seconds and ended, or was ended.
    """

    took: int | None
    up: int

    @property
    def tells(self) -> bool:
        """Tell whether failure means something: the program spent most of its time looking, and not starting."""
        return self.took is not None or self.up < 2000 * LOOK


def not_met(without: Attempt, named: Attempt, firewall: str) -> Diagnosis:
    """Say why two programs on this machine did not meet, `without` or with the address of one `named`."""
    if not (without.tells and named.tells):
        seconds = max(without.up, named.up) // 1000
        text = f"This machine is busy: {seconds} s were too few for a second program to start and to look for another."
        return Diagnosis(f"{text} Whether two programs meet can't be said.", shows=Reach.BUSY)
    if named.took is not None:
        text = "Two programs on this machine meet only with the address of one of them: beacons do not get"
        return Diagnosis(f"{text} through. Use --connect HOST:PORT. {firewall}", fine=False)
    return Diagnosis(f"Two programs on this machine do not meet at all. {firewall}", fine=False)


def _others(mine: Station) -> Iterator[Diagnosis]:
    own = {host for interface in present() for host in interface.hosts}
    met = {peer.address for peer in mine.node.neighbours.peers()} - own
    if met:
        were = "was" if len(met) == 1 else "were"
        yield Diagnosis(f"{many(len(met), 'other machine')} {were} met.", shows=Reach.OTHERS)
    waiting = {halfway.endpoint.host: halfway for halfway in mine.halfway() if halfway.endpoint.host not in own}
    for host, halfway in sorted(waiting.items())[:_MOST_WAITING]:
        text = of_peer(halfway) if halfway.trouble else f"{host} is known, and could not be met yet."
        yield Diagnosis(text, shows=Reach.HALFWAY)


def _meet(options: NetworkOptions, mine: Station, folder: str, named: int | None = None) -> Attempt:
    """Start a second program, and wait until it has looked for this one."""
    words = ["who", "--json", "--for", str(LOOK), "--home", folder, "--name", "second", *network_words(options, named)]
    with subprocess.Popen(  # noqa: S603 - this very program
        [*command(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as second:
        began = now()
        end = began + (START + LOOK) * 1000
        met: int | None = None
        while now() < end and second.poll() is None:
            mine.turn(100)
            if met is None and any(peer.name.startswith("second") for peer in mine.lobby.peers.values()):
                met = now() - began
        up = now() - began
        if second.poll() is None:
            second.kill()
        assert second.stdout is not None
        try:
            theirs = json.loads(second.stdout.read())["peers"]
        except ValueError:
            theirs = []
    own_key = mine.identity.key.hex()
    return Attempt(met if any(peer["key"] == own_key for peer in theirs) else None, up)


def _firewall(options: NetworkOptions) -> str:
    """Say how to open this system's firewall."""
    port = options.port
    if sys.platform == "win32":
        return (
            "Windows may ask whether Python may use the network: allow it for private networks, "
            f"or add a rule for UDP port {port} in Windows Defender Firewall."
        )
    if sys.platform == "darwin":
        return "See System Settings, Privacy & Security, Local Network: the terminal must be allowed there."
    hints = []
    if shutil.which("ufw"):
        hints.append(f"sudo ufw allow {port}/udp, and sudo ufw allow PORT/tcp with --tcp-port PORT")
    if shutil.which("firewall-cmd"):
        hints.append(f"sudo firewall-cmd --add-port={port}/udp, and --add-port=PORT/tcp with --tcp-port PORT")
    if not hints and shutil.which("nft"):
        rule = "sudo nft insert rule inet filter input"
        hints.append(f"{rule} udp dport {port} accept, and {rule} tcp dport PORT accept with --tcp-port PORT")
    if hints:
        return "If there is a firewall: " + "; or ".join(hints) + "."
    return f"If there is a firewall, it must let UDP port {port} and a TCP port (--tcp-port PORT) through."
