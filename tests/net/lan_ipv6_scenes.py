"""IPv6 on a network of several hosts, played inside lan.sh: lan.sh 3 python -m tests.net.lan_ipv6_scenes SCENE.

Each host has a link-local IPv6 address beside its IPv4 address, as nearly every machine has.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable

from tests.net.lan_scenes import HOSTS, all_met, ip, on
from tests.net.programs import Program, wait


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


SCENES: list[Callable[[], None]] = [only_link_local, some_of_each, what_doctor_says]


if __name__ == "__main__":
    {scene.__name__: scene for scene in SCENES}[sys.argv[1]]()
