"""IPv6 on a network of several hosts, played inside lan.sh: lan.sh 3 python -m tests.net.lan_ipv6_scenes SCENE.

Each host has a link-local IPv6 address beside its IPv4 address, as nearly every machine has.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.net.lan_scenes import HOSTS, all_met, ip, on
from tests.net.programs import Program, Street, wait

TERMS = {"game": "barons", "seats": 2, "options": {"width": 3, "height": 3}, "lot": False}


def without_ipv4(*hosts: str) -> None:
    for host in hosts:
        ip("-n", host, "-4", "addr", "flush", "dev", "eth0")


def without_ipv6(host: str) -> None:
    subprocess.run(["ip", "netns", "exec", host, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"], check=True)


def addresses(child: Program) -> set[str]:
    return {met["address"].partition("%")[0] for met in child.said("met")}


def only_link_local() -> None:
    """As two laptops on a cable have it: met, noticed when they leave, and met again."""
    without_ipv4(*HOSTS)
    with on(*HOSTS) as children:
        wait(lambda: all_met(children, HOSTS), children)
        assert all(address.startswith("fe80::") for child in children for address in addresses(child))
        children[0].tell("close")
        wait(lambda: children[1].peers() == {"h3"} and children[2].peers() == {"h2"}, children)
        with on("h1") as again:
            wait(lambda: all_met(again + children[1:], HOSTS), again + children)


def a_cable_that_comes_late_and_is_pulled() -> None:
    without_ipv4("h1", "h2")
    ip("-n", "h1", "link", "set", "eth0", "down")
    with on("h1", "h2") as children:
        wait(lambda: all(child.said("started") for child in children), children)
        ip("-n", "h1", "link", "set", "eth0", "up")
        wait(lambda: all_met(children, ["h1", "h2"]), children)
        ip("link", "set", "v1", "down")
        wait(lambda: not children[0].peers() and not children[1].peers(), children)
        ip("link", "set", "v1", "up")
        wait(lambda: all_met(children, ["h1", "h2"]), children)


def some_of_each() -> None:
    """One has IPv4 alone, one IPv6 alone, one both: both are met by the last, and by nobody else."""
    without_ipv6("h1")
    without_ipv4("h2")
    with on(*HOSTS) as children:
        wait(lambda: children[2].peers() == {"h1", "h2"}, children)
        wait(lambda: children[0].peers() == children[1].peers() == {"h3"}, children)
        children[0].tell("status")
        wait(lambda: children[0].said("status"), children)
        assert children[0].said("status")[0]["troubles"] == {}, "no noise of what the machine has not"


def other_networks_of_ipv4() -> None:
    """Two machines on one cable, each with an address of its own office."""
    ip("-n", "h2", "-4", "addr", "flush", "dev", "eth0")
    ip("-n", "h2", "addr", "add", "10.88.0.2/24", "brd", "10.88.0.255", "dev", "eth0")
    with on("h1", "h2") as children:
        wait(lambda: all_met(children, ["h1", "h2"]), children)
        assert all(address.startswith("fe80::") for child in children for address in addresses(child))


def chosen_interfaces() -> None:
    """An interface is chosen with its IPv6; an address of IPv4 is chosen without."""
    without_ipv4("h2")
    with on("h1", interface="10.77.0.1") as first, on("h2", "h3", interface="eth0") as others:
        wait(lambda: others[1].peers() == {"h1", "h2"}, first + others)
        wait(lambda: first[0].peers() == others[0].peers() == {"h3"}, first + others)


def a_whole_game() -> None:
    """Two hosts with link-local addresses only; the network without IPv4 is all that they have."""
    without_ipv4("h1", "h2")
    with tempfile.TemporaryDirectory() as folder, Street(Path(folder), "--interfaces", "eth0") as street:
        host = street.start("host", "--host", json.dumps(TERMS), before=["ip", "netns", "exec", "h1"])
        guest = street.start("guest", "--join", before=["ip", "netns", "exec", "h2"])
        assert host.wait("over") == guest.wait("over")


def what_doctor_says() -> None:
    """Of a machine without IPv4, and of one without IPv6."""
    without_ipv4("h1")
    without_ipv6("h2")
    with tempfile.TemporaryDirectory() as folder, on("h3") as others:
        wait(lambda: others[0].said("started"), others)
        doctors = {host: doctor(host, folder) for host in ("h1", "h2")}
        said = {host: " ".join(one.communicate()[0].split()) for host, one in doctors.items()}
        assert all(one.returncode == 0 for one in doctors.values()), said
    assert all("1 other machine was met." in text for text in said.values()), said
    assert re.search(r"eth0 \(fe80::[0-9a-f:]+\): our own beacons are heard", said["h1"]), said
    assert "eth0 (10.77.0.2): our own beacons are heard; beacons of 1 other machine come in." in said["h2"], said
    assert "IPv6" not in said["h2"] and "fe80" not in said["h2"], said


def doctor(host: str, folder: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "quadrille.client.cli", "doctor", "--home", f"{folder}/{host}"]
    return subprocess.Popen(["ip", "netns", "exec", host, *command], stdout=subprocess.PIPE, text=True)


SCENES: list[Callable[[], None]] = [
    only_link_local, a_cable_that_comes_late_and_is_pulled, some_of_each, other_networks_of_ipv4, chosen_interfaces,
    a_whole_game, what_doctor_says,
]  # fmt: skip


if __name__ == "__main__":
    {scene.__name__: scene for scene in SCENES}[sys.argv[1]]()
