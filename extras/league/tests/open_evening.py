"""An evening of twenty bots on twenty machines, in a private room: run inside lan.sh.

lan.sh 21 python -m extras.league.tests.open_evening FOLDER

Fourteen play as they should. Three crash, one of them as soon as it is tried. One moves as it may not, and one overruns
its clock. One is killed in the middle, and comes back. The run is killed too, and goes on.
"""

import os
import shlex
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import counted
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.play.worker_bench import WITHDRAWN
from tests.ai.tournament.programs import FIRST, LAST, MIDDLE, games, program
from tests.programs import Program
from tests.waiting import soon

COMMAND = [sys.executable, "-m", "quadrille.client.cli"]
ROOM: Final = "hackspace"
#: A program's beginning of a game that is no trial.
IN_GAMES: Final = 'real = said["table"] != "trial"'
#: The bots that are otherwise, with what each does in its turn, and before its game.
STRANGE: Final = {
    "crashes-at-once": (FIRST, "sys.exit(1)"),
    "crashes": (f"sys.exit(1) if real else {FIRST}", IN_GAMES),
    "crashes-late": (f'sys.exit(1) if real and said["turn"] > 1 else {LAST}', IN_GAMES),
    "cheats": (f'"z99-z98" if real else {FIRST}', IN_GAMES),
    "overruns": (f"(time.sleep(60) if real else 0) or {FIRST}", IN_GAMES),
}
HONEST: Final = {f"bot-{number}": (FIRST, LAST, MIDDLE)[number % 3] for number in range(14)}
LEAVER: Final = "leaves"
PORT: Final = 8270
#: Games of each that plays as it should.
ENOUGH: Final = 4


class Evening:
    """The machines: the first has the run, and each other a bot."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.folder, self.ends = folder, ends
        self.journal = folder / "maze-open.sqlite"
        self.words = folder / "passphrase"
        self.words.touch(mode=0o600)
        self.words.write_text("seven small green boats\n", "utf-8")
        self.hosts = {name: number for number, name in enumerate((*HONEST, *STRANGE, LEAVER), 2)}
        assert len(self.hosts) == 20

    def begin(self, host: int, name: str, *words: str) -> Program:
        at = ["--home", str(self.folder / f"{name}.home"), "--name", name, "--room", ROOM]
        command = [*COMMAND, *words, *at, "--passphrase-file", str(self.words)]
        made = Program("ip", "netns", "exec", f"h{host}", *command, env={"COLUMNS": "120"}, folder=self.folder)
        return self.ends.enter_context(made)

    def serve(self, name: str) -> Program:
        bot = shlex.join([sys.executable, "-I", "-S", str(self.folder / f"{name}.py")])
        return self.begin(self.hosts[name], name, "bot", "--exec", bot, "--serve")

    def run(self) -> Program:
        rest = ("--set", "size=3", "--clock", "20s", "--serve", f"10.77.0.1:{PORT}")
        return self.begin(1, "run", "tournament", "run", "--open", "maze", *rest)

    def played(self) -> Counter[str]:
        """How many games each has played."""
        try:
            with Journal(self.journal) as journal:
                names = [entrant.name for entrant in journal.plan().entrants]
                return Counter(names[seat] for result in journal.results() for seat in result.seats)
        except TournamentError:
            return Counter()

    def have_played(self, names: list[str], many: int) -> bool:
        found = self.played()
        return all(found[name] >= many for name in names)


def page() -> str:
    """The page, as another machine sees it."""
    script = f"import urllib.request as r; print(r.urlopen('http://10.77.0.1:{PORT}/').read().decode())"
    command = ["ip", "netns", "exec", "h2", sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(folder: Path) -> None:
    for name, choose in (HONEST | {LEAVER: MIDDLE}).items():
        program(folder, name, choose)
    for name, (choose, before) in STRANGE.items():
        program(folder, name, choose, before=before)
    late = "bot-13"
    with ExitStack() as ends:
        evening = Evening(folder, ends)
        owners = {name: evening.serve(name) for name in evening.hosts if name != late}
        run = evening.run()
        short = owners["bot-0"].wait(r"^bot-0 \((\w{4} \w{4} \w{4} \w{4})\) is looking")[1]
        run.wait(rf"bot-0 \({short}\) plays")
        early = [*list(HONEST)[:-1], LEAVER]
        assert soon(lambda: evening.have_played(early, 1), 400), run.text
        who = evening.begin(3, "who", "who")
        assert who.end() == 0 and any("bot-0 " in line and short in line for line in who.lines), who.text

        owners[LEAVER].process.kill()
        owners[late] = evening.serve(late)
        run.wait("leaves is gone")
        run.process.kill()
        before = games(evening.journal)
        run = evening.run()
        owners[LEAVER] = evening.serve(LEAVER)
        run.wait(r"leaves \(.*\) is back")
        left = evening.played()[LEAVER]
        assert soon(lambda: evening.have_played([*HONEST], ENOUGH), 400), (run.text, evening.played())
        assert soon(lambda: evening.have_played([LEAVER], left + 1), 100), run.text
        assert soon(lambda: "Who is here" in page(), 60)
        run.process.send_signal(2)
        assert run.end() == 130, run.text
        told = run.text
    with Journal(evening.journal) as journal:
        names = [entrant.name for entrant in journal.plan().entrants]
        faults = {
            (names[seat], fault)
            for one in journal.outcomes(records=False)
            for seat, fault, why in zip(one.result.seats, one.result.faults, one.whys, strict=False)
            if fault and not why.startswith(WITHDRAWN)
        }
        found, checked = counted(journal.plan(), journal.results()), check(journal)
    assert journal_is_whole(names), names
    assert before > 0 and checked.wrong == [] and checked.closed > before, checked
    wrong = {("crashes", "crash"), ("crashes-late", "crash"), ("cheats", "illegal"), ("overruns", "time")}
    assert {row for row in faults if row[0] != LEAVER} == wrong, told
    assert found.beyond == 0 and found.count.games == checked.closed
    print(told)


def journal_is_whole(names: list[str]) -> bool:
    """All have one place, but the bot that could not be tried."""
    return sorted(names) == sorted({*HONEST, *STRANGE, LEAVER} - {"crashes-at-once"})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    os._exit(0)
