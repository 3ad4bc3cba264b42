"""The keys of a tournament's file: what each is for, takes, and is if absent. All that reads, refuses, shows or
documents a file is made from these rows (plan_schema.py).

plan_file.py makes a plan of their values, plan_text.py writes them, and the tables in docs/protocols/tournaments.md,
"The file", are printed from them.
"""

from math import inf
from typing import Final

from quadrille.ai.bots.local import Adjudication
from quadrille.ai.bots.process.isolation import ISOLATE
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament.plans.openings import MOST, MOST_PLIES, Openings
from quadrille.ai.tournament.plans.plan import RULES, Stop, Time
from quadrille.ai.tournament.plans.plan_schema import PlanKey, keys_of

_OPEN: Final = "no limit, unless isolation is required"
LIMITS: Final = keys_of(
    Limits,
    PlanKey("memory", "number", "MiB in use, of all processes of a bot together", least=1, absent=_OPEN),
    PlanKey("cpu", "number", "seconds of a processor, likewise", least=1, absent="no limit"),
    PlanKey("processes", "number", "processes at a time, likewise", least=1, absent=_OPEN),
    PlanKey("isolate", "choice", "a box around each bot ([Isolation](isolation.md))", choices=ISOLATE),
)
ALL_LIMITS: Final = (
    *LIMITS,
    PlanKey("fresh", "flag", "bots are started anew for each game", usual=False),
    PlanKey("ponder", "flag", "bots may think while another one is to move", usual=True),
)
TIME: Final = keys_of(
    Time,
    PlanKey("clock", "clock", "a seat's time for the whole game, and what each move adds"),
    PlanKey("move", "span", "without a clock: time for each move"),
    PlanKey("budget", "span", "time that bots are advised to take for a move"),
    PlanKey("moves", "number", "moves per time control; then the clock is reset", field="period"),
    PlanKey("bank", "span", "with `move`: the store from which comes what a move takes longer"),
    PlanKey("margin", "span", "nobody is late by less"),
    PlanKey("work", "number", "work for each move that bots are told to do ([Work](#work))", least=1),
)
ADJUDICATE: Final = keys_of(
    Adjudication,
    PlanKey("moves", "number", "adjudicate a draw after this many moves"),
    PlanKey("draws", "number", "moves between two questions to all bots for a draw"),
)
#: The keys for openings that are made, and not read from a file.
MADE: Final = (
    PlanKey(
        "plies", "number", "moves of the shortest ones", least=1, most=MOST_PLIES, absent="4, or as many as it takes"
    ),
    *keys_of(
        Openings,
        PlanKey("count", "number", "openings of each game", least=1, most=MOST),
        PlanKey("balance", "fraction", "how far from even an opening may be; 1 is a certain win", most=1),
        PlanKey("fewer", "flag", "where the board is too small, fewer will do"),
    ),
)
OPENINGS: Final = (*MADE, PlanKey("file", "text", "instead of all these: a file of records, one below the other"))
STOP: Final = (
    PlanKey("rule", "choice", "the test ([Verdicts](statistics.md#verdicts))", RULES[0], choices=RULES),
    PlanKey("entrant", "text", "whose strength is tested", absent="the first"),
    PlanKey("against", "text", "against whom", absent="the other of two, or everybody"),
    *keys_of(
        Stop,
        PlanKey("elo0", "fraction", "with `sprt`: H0, the gain is at most this", least=-inf, most=inf),
        PlanKey("elo1", "fraction", "with `sprt`: H1, the gain is at least this", least=-inf, most=inf),
        PlanKey("alpha", "fraction", "the chance of a wrong answer if it is no stronger", least=-inf, most=inf),
        PlanKey("beta", "fraction", "with `sprt`: that if it is stronger", least=-inf, most=inf),
    ),
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
    PlanKey("limits", "table", "as in `[limits]`, for this one", keys=LIMITS),
    PlanKey("parameters", "numbers", "numbers that the bot declares, such as `{depth = 6}`", ()),
)
FROM: Final = (
    PlanKey("from", "text", "folders, such as `bots/*`: an entrant each ([Folders](#a-folder-of-bots))", needed=True),
)
KIND: Final = PlanKey("kind", "text", "the format", "round robin")
FIRST: Final = (
    PlanKey("seed", "text", "decides the whole schedule, and nothing that is dealt", ""),
    PlanKey("at_once", "number", "games at a time", least=1, most=10_000, absent="as many as there are cores"),
    PlanKey("anchor", "text", "the entrant whose rating is 0", absent="the mean is 0"),
)
#: All keys of a file. Those of [format] are of its kind.
TOP: Final = (
    *FIRST,
    PlanKey("format", "section"),
    PlanKey("time", "section", keys=TIME),
    PlanKey("limits", "section", keys=ALL_LIMITS),
    PlanKey("adjudicate", "section", keys=ADJUDICATE),
    PlanKey("openings", "section", keys=OPENINGS),
    PlanKey("stop", "section", keys=STOP),
    PlanKey("entrants", "section", keys=FROM),
    PlanKey("game", "sections", keys=GAME),
    PlanKey("entrant", "sections", keys=ENTRANT),
)
