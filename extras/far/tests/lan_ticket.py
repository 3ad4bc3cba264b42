"""A ticket in one network: the link is direct, though a relay is there too. Run inside lan.sh.

lan.sh 3 python -m extras.far.tests.lan_ticket FOLDER
"""

import subprocess
import sys
from pathlib import Path

from extras.far.tests.homes_scenes import CLI, FarStreet, address, at, ends_alike, table, ticket


def main(folder: Path) -> None:
    with (
        subprocess.Popen([*at("h3"), *CLI, "relay"], stdout=subprocess.PIPE, text=True) as relay,
        FarStreet(folder, "--interfaces", "eth0") as street,
    ):
        assert relay.stdout is not None and "listens" in relay.stdout.readline()
        programs = table(street, ticket("10.77.0.3"), "maze")
        ends_alike(programs)
        assert [address(program) for program in programs] == ["10.77.0.2", "10.77.0.1"]
        for program in street.programs:
            program.end()
        relay.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
