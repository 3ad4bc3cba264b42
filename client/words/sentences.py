"""All sentences about what happens at a table, as data: a row for each notice, reason and concern (client/table).

A voice fills them in: for lines, where a seat is "player 1 (Ann)", or for a screen, where it is "Ann", or "you" on her
own one. `{seat}` is a field of the notice, as a voice says it. `{seat:{} is|you are}` has two forms: the
second one for the reader, for several, for a number that is not 1, and for what is not there; `{}` in a form is the
value itself. A row of ON_SCREEN stands in the place of the row for lines, and one of BY_TOUCH in the place of both.
Refusals and motions are parts of a sentence, without its end.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, TypeAlias

from quadrille.client.reports import player
from quadrille.client.table import notices
from quadrille.client.table.notices import Cause, Fact, Instead, Kind, Seats, Who, Why
from quadrille.client.words.answers import TYPED
from quadrille.client.words.commands import ONLY_WATCHING
from quadrille.client.words.signs import face
from quadrille.client.words.story import YOU, Reader, few, gone
from quadrille.rules.match import Adjudicated, Agreed, Left

#: The class of a notice, one of its values, or a part of a sentence by name.
Key: TypeAlias = type | Enum | str

ROWS: Final[Mapping[Key, str]] = {
    # At any table
    Left: "{seat:{}|You} {deed}.",
    Agreed: "A draw has been agreed.",
    Adjudicated: "The table has decided: {why}.",
    notices.MoveMade: "{seat:{}|You}: {made}",
    "forced": "{seat:{}|You}: {made}, there is no other move",
    Fact.TAKEN_BACK: "Taken back: {text:{}|the end}.",
    notices.BotStopped: "{seat} {why}{more}. What now?\n{choices}",
    Fact.BOT_SLOW: "{seat} has been thinking for {text} seconds. What now?\n{choices}",
    notices.SeatsTaken: "{bots:{} has|{} have} the other seats.",
    "people": "People have all the seats.",
    Fact.ROTATED: "Rematch: everybody moves up one seat.",
    notices.GameKept: (
        "Saved to {path}.{is_log: quadrille verify checks it.|}"
        "{lacks: Not all seats have opened their books yet: save it again to have all cards.|}"
    ),
    Fact.NOT_KEPT: "This game isn't kept: save it elsewhere with save FILE. {sentence}",
    Fact.GAME_LOADED: "",
    Fact.WOULD_BE_LOST: "This game has not been saved: save FILE saves it, quit once more leaves it.",
    Fact.HINT_ASKED: "{who} looks for a hint.",
    notices.HintGiven: "{bot} would play {move}{reason:: {}|}.",
    Fact.HINT_MISSED: "{who:{} |}{text}.",
    # Entries of a log
    "carried.draw": "A draw has been agreed.",
    "carried.takeback": "{number:The last move is|{} moves are} taken back.",
    "carried.pause": "The game is paused: no clock runs until the next move.",
    "carried.stand-in": "{name} plays for {chair}.",
    "carried.hand": "{alike:Another {name}|{name}} has taken over the seat of {chair}.",
    "carried.flag": "{chair:{} has|You have} run out of time, by the clocks of all the others.",
    "carried.back": "{chair:{} plays|You play} again.",
    "seen": "You see {cards}.",
    "turned": "Turned up: {cards}.",
    "seen.anew": "You had seen {before} there; now {cards:it is|they are} {cards}.",
    Fact.SHARE_TAKEN: "{chair:{}|You} left with a share of the shuffle, so the hidden cards are dealt anew.",
    Fact.SHARE_BROUGHT: (
        "{chair:{} is|You are} back, with a new share of the shuffle, so the hidden cards are dealt anew."
    ),
    notices.Replaced: "{what}: {cause}.",
    Instead.END_TO_GO_ON: "The game, which was over, goes on",
    Instead.END: "The end of the game was replaced",
    Instead.ENTRIES: "{count:An entry was|{} entries were} replaced",
    Cause.BEGAN_LATER: "the seats agreed again later, and the table begins with that",
    Cause.SIGNED_TWICE: "{chair:{}|you} signed two entries for one place, and all peers keep the same one",
    Cause.DECIDED_TWICE: "there were two decisions about {chair}, and all peers keep the same one",
    Cause.DECIDED_BEFORE: "the others had decided about {chair} before {chair:its|your} last move reached them",
    Cause.MOVED_BEFORE: "{chair} had moved before the others decided about {chair:it|you}",
    Cause.KEPT_BY_OTHERS: "other peers have the entry that stands there now, and all keep the same one",
    "pile": "The cards of {pile}{again:, dealt anew|}, from the top: {cards}",
    # Deeds of others
    notices.LineSaid: "{own:you|{who}}: {line}",
    notices.TableStopped: (
        "The table has stopped: {why}.{own: End one of the two; quadrille resume {table}{room} comes back here.|}"
        "{who: That was {}, and the proof is kept. save FILE keeps the log so far.|}"
    ),
    notices.ProposalTold: f"{{seats}} {{deed}} {{motion}}.{{answers: {TYPED}|}}",
    notices.ProposedHere: "You {again:agree|propose} {motion}. {missing} must agree too.",
    notices.DeclineTold: "{who:{} does|You do} not agree {motion}.",
    "declines": "{who:{} declines|You decline} the {declined}.",
    "deed.proposes": "{seats:proposes|propose}",
    "deed.agrees": "{seats:agrees|agree}",
    # A motion, after "proposes" and after "agrees"; the thing that is declined
    "motion.draw": "a draw",
    "motion.takeback": "to take back the last {number:move|{} moves}",
    "motion.pause": "a pause: no clock runs until the next move",
    "motion.drop": "to drop {chair}, who {waits}",
    "motion.stand-in": "that {name} plays for {chair}, who {waits}",
    "motion.hand": "that {alike:another {name}|{name}} takes over {chair:the seat of {}|your seat}",
    "motion.flag": "to put {chair} out, because {chair:that player's|your} time is up",
    "motion.back": "to play again as {chair}",
    "waits": "{chair:keeps|keep} the table waiting",
    "waits.away": "{chair:is|are} away",
    "agreed.draw": "to a draw",
    "agreed.pause": "to a pause: no clock runs until the next move",
    "declined.draw": "draw",
    "declined.pause": "pause",
    notices.Overdue: "{seat} {late}.{ways}",
    "overdue": "{seat} {late}.\n{choices}",
    "late": "{is_here:is here, but has kept the table waiting|has been away} for longer than agreed",
    "ways": "\nWith only two programs nobody can take over: wait, or quit and resume another time.",
    # Before a game
    notices.ChairChanged: "{who} {sits:sits down|has left}: {chairs}.",
    notices.Present: "At this table: {sitting}; {chairs}.",
    "present.others": "Also on the network: {elsewhere}.",
    "nobody": "nobody",
    "chairs": "{taken} of {seats} seats {taken:is|are} taken",
    notices.TablesFound: "Which table? Type its number.",
    notices.FoundTable: "{table}  {host}: {terms}; {taken} of {seats} seats taken",
    "unplayable": "Table {table} of {host} can't be played here: {why}.",
    notices.NoTable: "There is no table{place} yet. Waiting for one.{there: There is {}.|}{doctor}",
    "unbegun": "There is no game{place} to watch yet. Waiting for one to begin.{there: There is {}.|}{doctor}",
    "silent": "Nobody answers at {address} yet. Waiting for an answer.{there: There is {}.|}{doctor}",
    "doctor": "{unexplained:{room} quadrille doctor says what may be in the way.|}",
    "another room": " Another passphrase leads to another room.",
    notices.Invitation: "{who} invites you to table {table}: {terms}.",
    notices.GuestAsks: f"{{name}}, at {{address}}, wants to sit down. {TYPED}",
    # Events that were not shown
    notices.Untold: "{who:{} {kind} (block {who} to hear no more)|Others {kind}}.",
    Kind.CHAT: "said {count} more {count:line|lines}",
    Kind.NAME: "changed its name {count} more {count:time|times}",
    Kind.INVITATION: "sent {count} more {count:invitation|invitations}",
    Kind.PROPOSAL: "proposed or withdrew something {count} more {count:time|times}",
    Kind.BLAME: "sent {count} more invalid {count:message|messages}",
    Kind.COMING: "came or went {count} more {count:time|times}",
    # Facts
    Fact.GAME_BEGAN: "The game begins.",
    Fact.SHUFFLED: "The cards are shuffled.",
    Fact.TABLE_WAITS: "The table waits.",
    Fact.RESIGNING: "{chair:{} resigns|You resign}. That takes effect with another player's next move.",
    Fact.STEPPED_ASIDE: "Your table stays open: choose it in the list to go back.",
    Fact.MAY_WATCH: "{who:{} is|You are} invited to watch.",
    Fact.MUTED: "You hear no more from {who} here. The game goes on, and that player's moves still count.",
    Fact.GONE: "{who:{} is|You are} away. The table waits.",
    Fact.BACK: "{who:{} is|You are} back.",
    Fact.LAPSED: "{who:{} plays|You play} on, so the proposal lapses.",
    Fact.OPENED_BOOK: "{who:{} opens|You open} the book of cards.",
    Fact.CLOCK_LOW: (
        "By your clock, time is up for {who}, whose program is silent: flag proposes to put that player out."
    ),
    Fact.SIGNED_TWICE: (
        "{who:The program of {}|Your program} signed two different entries for one place, so that player is out of "
        "the game. The proof is kept."
    ),
    Fact.SIGNED_FALSELY: (
        "{who:The program of {}|Your program} signed a position that can't be right, so that player is out of the "
        "game. The proof is kept."
    ),
    Fact.SENT_FAULT: "{who:{}|You} sent an invalid message, which changed nothing: {text}.",
    Fact.SENT_SIGNED_FAULT: (
        "{who:{}|You} sent an invalid message, which changed nothing: {text}. The signed message is kept as proof."
    ),
    Fact.STAND_IN_COMES: "{who} plays on in the seat of {chair}.",
    Fact.STAND_IN_MISSING: "Nobody plays for {chair} now. Type stand-in 3, and a bot does.",
    Fact.PLAYS_FOR_YOU: "{who} plays for you. Type back to take your seat again.",
    Fact.PLAYS_AGAIN: "{who:{} has the|You have your} seat back from the next move on.",
    Fact.WANTS_REMATCH: f"{{who:{{}} wants|You want}} a rematch. {TYPED}",
    Fact.REMATCH_REFUSED: (
        "{who:{} declines the rematch.|You decline the rematch. Type quit to leave, or rematch to accept after all.}"
    ),
    Fact.REMATCH_LEFT: "{who:{} has|You have} left the network.",
    Fact.TABLE_KEPT: "The table is kept: quadrille resume {table}{room} comes back to it.",
    Fact.SEAT_GIVEN: "You have a seat. The game begins when all seats are taken.",
    Fact.IN_LINE: "You are watching, {text} for a seat here. You get it when one comes free, or in the next game.",
    Fact.SEAT_WANTED: "{who:{} waits|You wait} for a seat here.",
    Fact.KEPT_BACK: "{who:{} has|You have} withheld a secret, so the seed is drawn again: start goes on without {who}.",
    Fact.STARTS: (
        "The game {text:waits for those on their way: {}. kick NAME begins without one of them|is about to begin}."
    ),
    Fact.SEAT_REFUSED: "There is no seat for you at this table: {text}.",
    Fact.FURTHER_SEAT_REFUSED: "There is no further seat for you at this table: {text}.",
    Fact.INVITED: "{who:{} is|You are} invited.",
    Fact.GUEST_LET_IN: "{who} may sit down.",
    Fact.GUEST_TURNED_AWAY: "{who:{} is|You are} turned away.",
    Fact.GUEST_WENT: "{who:{} no longer wants|You no longer want} a seat.",
    Fact.GUEST_ASLEEP: "The phone of {who} is asleep. Wait, or type stand-in 3: a bot plays until {who} is back.",
    Fact.GUEST_WAITS: "{who:{} wants|You want} to sit down: you are asked when a table of yours is open.",
    Fact.INVITATION_DECLINED: "{who:{} declines|You decline} the invitation: {text}.",
    Fact.ARRIVED: "{who:{} is|You are} on the network.",
    Fact.ROOM_LEFT: "You have left the table.",
    Fact.TABLE_CLOSED: "The table is closed.",
    Fact.TABLE_REFUSED: "That is not possible: {text}.",
    Fact.PEER_MISSING: "{text}",
    Fact.REMARK: "Note: {text}.",
    Fact.BLOCKED: "{who:{} is|You are} blocked: you hear nothing more from that player.",
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quadrille resume {table}{room} goes there.",
    Fact.AWAITED: "{who} waits for you at table {table}: quadrille resume {table}{room}",
    notices.Missing: "{seats:{} is|{} are} away. {then}",
    "alone": "The table waits; {copy:F5, Enter continues in a copy; |}quit {sits:keeps it for later|leaves}.",
    "soon": "In {left} the others can type stand-in 3 (a bot plays on) or drop ({seats:{} is|{} are} out).",
    "now": "The others may decide about that when it is that seat's turn.",
    # Why a wish is refused
    Why.NONE_TO_TAKE_BACK: "no move of yours has been made yet",
    Why.TOO_FEW_TO_TAKE_BACK: "you have not made that many moves",
    Why.PAUSED: "the game is paused: type pause (F8) to continue",
    Why.BOTS_TURN: "it is the bot's turn: wait, stand-in BOT, undo or quit",
    Why.OUT: "you are out of this game, and the others play on: {alone:rematch begins a new game, |}quit leaves",
    Why.NO_SEAT: "you have no seat in this game",
    Why.NOT_YOUR_TURN: "it is not your turn",
    Why.ONLY_WATCHING: ONLY_WATCHING,
    Why.NO_BOT_TO_MOVE: "no bot is to move here",
    Why.NOT_OVER: "a rematch follows the end of the game: play on, or resign",
    Why.NO_HINT_NOW: "you can ask for a hint when it is your turn",
    Why.NO_HINTS: "this table plays without hints: its host did not allow them",
    Why.HAND_UNTOLD: "no bot may be told what you alone have seen at this table",
    Why.NOBODY_HEARS: "nobody else is at this table",
    Why.NO_GUEST_OF_YOURS: "{text} is no guest of yours: all others decide together about a player who is away",
    Why.NO_HIDDEN_CARDS: "this game has no hidden cards",
    Why.BOOK_LATER: "a player opens the book when the game is over",
    Why.BAD_LINE: "a line to say has 1 to 500 printable characters",
    Why.ONLY_LOOKED_ON: "nobody has asked for a rematch yet: the table tells you when somebody does",
    Why.HAS_SEAT: "you have a seat here",
    Why.OVER: "the game is over: rematch, save FILE or quit",
    Why.PAUSED_ALREADY: "the game is paused already: the next move continues it",
    Why.NOTHING_TO_ANSWER: "nothing awaits your answer",
    Why.NOTHING_PROPOSED: "nobody has proposed anything",
    Why.NO_CLOCK: "no clock runs here: take as long as you like",
    Why.OWN_CLOCK: "flag is for another player who has to move and whose time is up; your own time ends by itself",
    Why.ONLY_TWO: "with two programs, neither can prove the other wrong: wait, or resume another time",
    Why.NOBODY_PLAYS_FOR_YOU: "nobody plays for you here",
    Why.NAME_MISSING: "a name is missing",
    Why.FILE_MISSING: "a file is missing: write {text} FILE",
    Why.NO_TABLE_YET: "there is no table yet",
    Why.AGREED_ALREADY: "you have agreed to that: the others answer now",
    Why.TABLE_GONE: "that table is gone: tables lists those that are there",
    Why.NO_GUESTS: "this program lets no phones come to this table: quadrille host GAME --guests does",
    Why.WHICH_BOT: "write bot and the name of one, such as bot 2, or of several: bot 2,mcts",
    Why.NOBODY_SITS: "nobody called {quoted} sits here",
    Why.NO_ONE_TABLE: "{quoted} does not name one table: type a number from the list, or tables",
    Why.NO_COMMAND: "{quoted} is no {thing} here, and the game is over",
    Why.NOBODY_OVERDUE: (
        "nobody who has to move has been away, or has kept the cards waiting, for more than {text} seconds"
    ),
    Why.NOT_HERE: "{word} is no {thing} here",
    Why.AWAY: "all the others have to agree, and {seats:{} is|{} are} away",
    Why.ANSWER_FIRST: "first answer yes or no to the open proposal: {motion}",
    Why.NOBODY_CALLED: "nobody called {quoted} is here: {here:there are {}|nobody else is}",
    Why.SEVERAL_CALLED: "{quoted} could be any of {several}: give the digits in brackets",
    Why.TOO_FEW: "{chairs}: the game can't begin with so few",
    Why.NO_SEAT_FREE: "{free:1 seat is|{} seats are} free: kick NAME frees another",
}
#: The rows that a screen has in the place of those above: its lobby leads to other tables, and its keys to more.
ON_SCREEN: Final[Mapping[Key, str]] = {
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quit takes you to the lobby.",
    Fact.AWAITED: "{who} waits for you at table {table}: choose it in the lobby, or quadrille resume {table}{room}",
    notices.Invitation: "{who} invites you to table {table}: {terms}. In the lobby, join {short} sits down there.",
    "forced": "{seat:{} passes|You pass}: there is no other move.",
    notices.BotStopped: "Choose: wait, stand-in 2 (another bot) or quit. {seat} {why}.",
    Fact.BOT_SLOW: "{seat} has been thinking for {text} s. Choose: wait, stand-in 2 (another bot) or quit.",
    Fact.GAME_LOADED: "This is {text}.",
    Fact.CLOCK_LOW: "By your clock, time is up for {who}. Choose: wait, flag ({who} is out) or quit.",
    "overdue": (
        "{seat} is {is_here:here, but keeps the table waiting|still away}. Choose: wait, stand-in 3 (a level-3 bot "
        "plays), drop ({seat} is out) or quit."
    ),
    Fact.WOULD_BE_LOST: "This game has not been saved (F7 saves it). Leave it?",
    Why.NOT_YOUR_TURN: "it is not your turn: this is kept until it is",
    "ways": (
        "\nWith only two programs nobody can take over: wait, {hidden:or quit and resume another time|quit and resume "
        "another time, or continue a copy against a bot (F5, Enter)}."
    ),
}
#: The rows that a guest's page has in the place of those above: a guest types nothing, and comes for one table alone.
BY_TOUCH: Final[Mapping[Key, str]] = {
    notices.TableStopped: "The table has stopped: {why}.{who: That was {}.|}",
    Fact.TABLE_KEPT: "Your seat is kept.",
    Fact.TURN_ELSEWHERE: "",
    Fact.PLAYS_FOR_YOU: "{who} plays for you. Take your seat back?",
    Fact.REMATCH_REFUSED: (
        "{who:{} declines the rematch.|You decline the rematch. You can still accept it in the menu.}"
    ),
    Fact.CLOCK_LOW: "By your clock, time is up for {who}. Wait, or choose Flag in the menu.",
    "overdue": "{seat} is {is_here:here, but keeps the table waiting|still away}. Wait, or drop {seat} in the menu.",
    Why.OUT: "you are out of this game, and the others play on",
    Why.ONLY_LOOKED_ON: "you were only watching: the host opens the next game",
    Why.OVER: "the game is over: the menu has a rematch",
    Why.SEVERAL_CALLED: "{quoted} could be any of {several}",
    "ways": "\nWith only two programs nobody can take over: wait, or leave and come back another time.",
    "alone": "The table waits.",
    Fact.AWAITED: "",
    notices.Invitation: "",
    notices.Untold: "{who:{}|Others} {kind}.",
}

#: `{who}`, or `{who:{} is|you are}`.
_GAP: Final = re.compile(r"\{(\w+)(?::((?:[^{}|]|\{\w*\})*)\|((?:[^{}]|\{\w*\})*))?\}")
_INNER: Final = re.compile(r"\{(\w*)\}")


class Several(str):
    """A list in words, of more than one."""

    __slots__ = ()

    @classmethod
    def of(cls, words: Iterable[str]) -> str:
        """Return the list, which is `Several` only if it is one."""
        row = list(words)
        return cls(few(row)) if len(row) > 1 else few(row)


def filled(row: str, value: Callable[[str], object]) -> str:
    """Fill in a row by the value of each name."""

    def chosen(place: re.Match[str]) -> str:
        name, singular, other = place.groups()
        given = value(name)
        if singular is None:
            return str(given)
        is_one = given == 1 if isinstance(given, int) else bool(given) and not isinstance(given, Reader | Several)
        return _INNER.sub(lambda inner: str(value(inner[1]) if inner[1] else given), singular if is_one else other)

    return _GAP.sub(chosen, row)


def line(key: Key, **values: object) -> str:
    """Say a row that every face says alike."""
    return filled(ROWS[key], values.__getitem__)


class Voice:
    """The names of a table as a face shows them; `own` is the seat of the reader."""

    __slots__ = ("lines", "names", "owners", "room", "rows")

    def __init__(self, seats: Seats, *, lines: bool, own: int | None = None) -> None:
        self.lines, self.room = lines, seats.room
        #: The rows of this face, before those of every face.
        self.rows = {} if lines else {**ON_SCREEN, **BY_TOUCH} if seats.by_touch else ON_SCREEN
        self.names, self.owners = (
            tuple(player(seat, row) if lines else name or player(seat) for seat, name in enumerate(row))
            for row in (seats.names, seats.owners)
        )
        if own is not None:
            before = self.names[own].removesuffix(self.owners[own])  # of somebody who plays for the reader
            self.owners = (*self.owners[:own], YOU, *self.owners[own + 1 :])
            self.names = (*self.names[:own], f"{before}{YOU}" if before else YOU, *self.names[own + 1 :])

    def fill(self, key: Key, value: Callable[[str], object]) -> str:
        """Fill in the row of this face."""
        return filled(self.rows.get(key, ROWS[key]), value)

    def say(self, key: Key, **values: object) -> str:
        return self.fill(key, values.__getitem__)

    def who(self, who: Who) -> str:
        return self.names[who] if isinstance(who, int) else who

    def owner(self, seat: int, former: str = "") -> str:
        """Return who holds a seat, or whoever held it before that one."""
        if not former:
            return self.owners[seat]
        return player(seat, (*self.owners[:seat], former)) if self.lines else former

    def left(self, seat: int, how: str) -> str:
        """Return how a seat has left a game, in one of `WAYS_OUT` (rules/match.py), after its name."""
        who = self.names[seat]
        return gone(who, how).removeprefix(f"{who} ")

    def cards(self, labels: Sequence[str]) -> list[str]:
        """Write cards by their suit signs on a screen, which has ASCII twins for them; by letters in lines."""
        return list(labels) if self.lines else [face(label) for label in labels]


@lru_cache(16)
def names_on_screen(seats: Seats, own: int | None = None) -> tuple[str, ...]:
    """Return the names of a table as its screen shows them, which change with who plays, and not with a move."""
    return Voice(seats, lines=False, own=own).names
