"""The keys of a tournament's file: what each is for, takes, and is if absent. All that reads, refuses, shows or
documents a file is made from these rows.

plan_file.py makes a plan of their values, plan_text.py writes them, and the tables in docs/protocols/tournaments.md,
"The file", are printed from them.
"""

from dataclasses import MISSING, dataclass, fields
from math import inf, isfinite
from typing import Any, Final, Literal, TypeAlias

from quadrille.ai.bots.lines.parameters import is_number
from quadrille.ai.bots.process.isolation import ISOLATE, USUAL
from quadrille.ai.tournament.plans.openings import BALANCE, COUNT, MOST, MOST_PLIES
from quadrille.ai.tournament.plans.plan import MARGIN, RULES
from quadrille.ai.tournament.schedules.schedule import Format
from quadrille.net.core.spans import clock, span
from quadrille.net.core.spans import written as span_text
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.options import shown
from quadrille.rules.squares import is_line

Kind: TypeAlias = Literal[
    "text", "number", "fraction", "flag", "choice", "span", "clock", "numbers", "table", "section", "sections"
]
_MOST: Final = 10**9


@dataclass(frozen=True, slots=True)
class PlanKey:
    """A key: `usual` is its value if absent, which the documentation tells in the words of `absent`; it is refused if
    it is `needed` and absent. A plan's data call it `field`, if not by its name.
    """

    name: str
    kind: Kind
    help: str
    usual: Any = None
    least: float = 0
    most: float = _MOST
    choices: tuple[str, ...] = ()
    absent: str = ""
    needed: bool = False
    field: str = ""

    @property
    def takes(self) -> str:
        """The accepted values, for a sentence."""
        match self.kind:
            case "number":
                return f"a whole number from {self.least} to {self.most}"
            case "fraction":
                return f"a number from {self.least} to {self.most}" if isfinite(self.most) else "a number"
            case "flag":
                return "true or false"
            case "choice":
                return ", ".join(map(shown, self.choices))
            case "span":
                return 'a text such as "200ms", "90s", "5m" or "1h"'
            case "clock":
                return 'a text such as "1m" or "1m+1s"'
            case "numbers" | "table":
                return "names and values in { }"
            case "section":
                return f"names and values: write [{self.name}] over them"
            case "sections":
                return f"tables: write [[{self.name}]] over each"
        return "a text"

    def read(self, value: object) -> Any:
        """Check the value of the key; a `ValueError` says what the key takes."""
        match self.kind, value:
            case "number", int() if type(value) is int and (value == self.usual or self.least <= value <= self.most):
                return value
            case "fraction", int() | float() if type(value) is not bool and self.least <= value <= self.most:
                return float(value)
            case ("flag", bool()) | ("table" | "section", dict()):
                return value
            case "choice", str() if value in self.choices:
                return value
            case "text", str():
                if not is_line(value):
                    raise ValueError(f"{self.name} takes a text on one line, not {shown(value)}")
                return value
            case (("span" | "clock"), str()):
                return self._time(value)
            case "numbers", dict():
                for word, number in value.items():
                    if not is_number(number):
                        why = f"{self.name} takes a number for each name, not {_named(number)} for {shown(word)}"
                        raise ValueError(why)
                return tuple(sorted(value.items()))
            case "sections", list() if all(isinstance(row, dict) for row in value):
                return value
        left_out = f": leave it out for {self.absent}" if value == 0 and self.absent else ""
        raise ValueError(f"{self.name} takes {self.takes}, not {_named(value)}{left_out}")

    def _time(self, text: str) -> int | TimeControl:
        try:
            found = TimeControl(*clock(text)) if self.kind == "clock" else span(text)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        if not found:
            raise ValueError(f"{self.name} takes more time than {shown(text)}")
        return found

    def write(self, value: Any) -> str | bool | int | float | None:
        """Return the value of a plan's data as its file has it; None if the file need not say it."""
        match self.kind:
            case "clock":
                return str(TimeControl(**value)) if value else None
            case "span":
                return span_text(value) if value else None
            case "flag":
                return value if value != self.usual else None
        return None if value in (None, "") or (value == 0 and type(value) is int) else value


def _named(value: object) -> str:
    """Return TOML's name for the type of a wrong value."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
    return shown(value)


_OPEN: Final = "no limit, unless isolation is required"
LIMITS: Final = (
    PlanKey("memory", "number", "MiB in use, of all processes of a bot together", least=1, absent=_OPEN),
    PlanKey("cpu", "number", "seconds of a processor, likewise", least=1, absent="no limit"),
    PlanKey("processes", "number", "processes at a time, likewise", least=1, absent=_OPEN),
    PlanKey("isolate", "choice", "a box around each bot ([Isolation](isolation.md))", USUAL, choices=ISOLATE),
)
ALL_LIMITS: Final = (
    *LIMITS,
    PlanKey("fresh", "flag", "bots are started anew for each game", usual=False),
    PlanKey("ponder", "flag", "bots may think while another one is to move", usual=True),
)
TIME: Final = (
    PlanKey("clock", "clock", "a seat's time for the whole game, and what each move adds"),
    PlanKey("move", "span", "without a clock: time for each move", 60_000),
    PlanKey("budget", "span", "time that bots are advised to take for a move"),
    PlanKey("moves", "number", "moves per time control; then the clock is reset", 0, field="period"),
    PlanKey("bank", "span", "with `move`: the store from which comes what a move takes longer", 0),
    PlanKey("margin", "span", "nobody is late by less", MARGIN),
    PlanKey("work", "number", "work for each move that bots are told to do ([Work](#work))", 0, least=1),
)
ADJUDICATE: Final = (
    PlanKey("moves", "number", "adjudicate a draw after this many moves", 0),
    PlanKey("draws", "number", "moves between two questions to all bots for a draw", 0),
)
#: The keys for openings that are made, and not read from a file.
MADE: Final = (
    PlanKey(
        "plies", "number", "moves of the shortest ones", least=1, most=MOST_PLIES, absent="4, or as many as it takes"
    ),
    PlanKey("count", "number", "openings of each game", COUNT, least=1, most=MOST),
    PlanKey("balance", "fraction", "how far from even an opening may be; 1 is a certain win", BALANCE, most=1),
    PlanKey("fewer", "flag", "where the board is too small, fewer will do", usual=False),
)
OPENINGS: Final = (*MADE, PlanKey("file", "text", "instead of all these: a file of records, one below the other"))
STOP: Final = (
    PlanKey("rule", "choice", "the test ([Verdicts](statistics.md#verdicts))", RULES[0], choices=RULES),
    PlanKey("entrant", "text", "whose strength is tested", absent="the first"),
    PlanKey("against", "text", "against whom", absent="the other of two, or everybody"),
    PlanKey("elo0", "fraction", "with `sprt`: H0, the gain is at most this", 0.0, least=-inf, most=inf),
    PlanKey("elo1", "fraction", "with `sprt`: H1, the gain is at least this", 20.0, least=-inf, most=inf),
    PlanKey("alpha", "fraction", "the chance of a wrong answer if it is no stronger", 0.05, least=-inf, most=inf),
    PlanKey("beta", "fraction", "with `sprt`: that if it is stronger", 0.05, least=-inf, most=inf),
)
#: The keys of the rule `sprt` alone.
SPRT: Final = ("elo0", "elo1", "beta")
GAME: Final = (
    PlanKey("game", "text", "the key of a game", needed=True),
    PlanKey("preset", "text", "one of its presets"),
    PlanKey("options", "table", "its options, such as `{size = 5}`"),
    PlanKey("seats", "number", "the same number for all games", absent="what is usual in that game"),
)
ENTRANT: Final = (
    PlanKey("bot", "text", "one of the house (`mcts:4`), `FILE.py[:NAME]` of the kit, or `./PROGRAM`"),
    PlanKey("exec", "text", "or: a command, such as `node bot.js` ([Bots](bots.md))"),
    PlanKey("peer", "text", "or: the whole key of a peer that serves its bot ([Ways to play](#ways-to-play))"),
    PlanKey("name", "text", "1 to 40 characters; no two are the same", absent="what it plays with ([Names](#names))"),
    PlanKey("limits", "table", "as in `[limits]`, for this one"),
    PlanKey("parameters", "numbers", "numbers that the bot declares, such as `{depth = 6}`", ()),
)
FROM: Final = (
    PlanKey("from", "text", "folders, such as `bots/*`: an entrant each ([Folders](#a-folder-of-bots))", needed=True),
)
KIND: Final = PlanKey("kind", "text", "the format", "round robin")
#: Keys at the top of a file. Appended to its end, they are in the last table by mistake.
FIRST: Final = (
    PlanKey("seed", "text", "decides the whole schedule, and nothing that is dealt", ""),
    PlanKey("at_once", "number", "games at a time", least=1, most=10_000, absent="as many as there are cores"),
    PlanKey("anchor", "text", "the entrant whose rating is 0", absent="the mean is 0"),
)
TOP: Final = (
    *FIRST,
    *(
        PlanKey(name, "section", "")
        for name in ("format", "time", "limits", "adjudicate", "openings", "stop", "entrants")
    ),
    *(PlanKey(name, "sections", "") for name in ("game", "entrant")),
)


def keys_of(shape: type[Format]) -> tuple[PlanKey, ...]:
    """Return the keys of a format: its fields, whose metadata hold what they are for and their least value."""
    return tuple(
        PlanKey(
            row.name,
            "number",
            row.metadata.get("help", ""),
            None if row.default is MISSING else row.default,
            least=row.metadata.get("least", 1),
            needed=row.default is MISSING,
        )
        for row in fields(shape)  # type: ignore[arg-type]
    )
