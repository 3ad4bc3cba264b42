"""The dialog for a new table: a value made from the game's own options, the table that it describes, its keys, clicks
and letters, and its drawing. Pure.

One dialog serves local tables and tables on the network, which have terms, too. It says at once why a table can't be
played.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import reduce
from typing import Any, Final, Literal, TypeAlias

from quadrille.ai.house import levels, listed, plug_of
from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import USUAL_LEVEL, bot_name
from quadrille.client.network.options import WATCHERS, clock, span
from quadrille.client.network.table_terms import check_guests, checked_terms
from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, columns, window, wrapped
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Effect, Event
from quadrille.client.screen.table.page import Page, rules_page
from quadrille.client.screen.table.terminal import heard, stepped
from quadrille.client.table.wishes import Host
from quadrille.client.table_setup import people_names, seated
from quadrille.client.words.rules import plain, seats_text
from quadrille.client.words.story import ordinal, sentence, stopped
from quadrille.net.core.errors import NetError
from quadrille.net.entries.terms import HINTS, Terms, TimeControl
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.options import Spec, Value, read_settings
from quadrille.rules.registry import game, games
from quadrille.rules.squares import quoted
from quadrille.value import value

USUAL: Final = "usual"
NONE: Final = "none"
_CLOCKS: Final = (NONE, "3m+2s", "5m+10s", "15m+10s", "30m")
_GRACES: Final = ("15s", "30s", "60s", "5m")
_YES_NO: Final = ("yes", "no")
_BOT_HELP: Final = (
    "Level 1 is a beginner, level {} plays best. You can also choose a kind of bot, such as greedy, or type a program, "
    "such as ./mybot."
)
_CLOCK_HELP: Final = (
    "Choose a time for each player, and what each move adds: 5m+10s is five minutes, and ten seconds more for each "
    "move."
)
_NAMES_HELP: Final = (
    "Type what the people at this keyboard are called, in the order of their seats, with a comma between two names: "
    "Ann, Ben."
)


@value
class DialogRow:
    """One line of the dialog, with its default and its explanation. Left and right go through `choices`; a number has
    bounds; others are typed. A "bot" is chosen or typed: a letter that begins no choice is typed, such as a dot. A line
    with a heading begins a group.
    """

    name: str
    label: str
    explanation: str
    kind: Literal["choice", "number", "text", "bot"]
    usual: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    heading: str = ""


@value
class NewTable:
    """The dialog: the values set so far, as text, by the name of the row; the others are defaults. `at` is the row.
    `refused`: the next letter replaces the typed value. `here` is the number of guests who are here by phone.
    """

    key: str
    local: bool
    values: Mapping[str, str] = field(default_factory=dict)
    at: int = 0
    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    notice: str = ""
    refused: bool = False
    here: int = 0

    @property
    def game(self) -> Game[Any, Any]:
        return game(self.key)

    @property
    def row(self) -> DialogRow:
        """The line under the cursor."""
        return rows_of(self)[self.at]

    def with_guests(self, here: int) -> "NewTable":
        """Count the guests anew; the cursor stays at its line, if that is still there."""
        after = replace(self, here=here)
        names = [row.name for row in rows_of(after)]
        return replace(after, at=names.index(self.row.name) if self.row.name in names else 0)

    def updated(self, event: Event) -> "tuple[NewTable, Effects]":
        """Return the dialog after an event, and its effects; `Quit` if it is closed."""
        match event:
            case terminal.Key(name):
                refused = self.refused and len(name) == 1 and name != " " and _is_typed(self, self.row)
                return _key(replace(self, notice="", refused=refused), name)
            case terminal.Pasted(text):
                return reduce(_typed, text.split("\n")[0][:_LONGEST], self), ()
            case terminal.Click(_, name):
                number, _, turn = name.partition(" ")
                chosen = replace(self, at=int(number), notice="")
                return (_turned(chosen, {"left": -1, "right": 1}[turn]) if turn else chosen), ()
            case terminal.Wheel(up):
                return _key(self, "up" if up else "down")
            case terminal.Told(text):
                return replace(self, notice=text), ()
        return heard(self, event), ()

    def drawn(self) -> Picture:
        canvas = Canvas(self.columns, self.rows, plain=self.look.plain)
        if canvas.is_too_small():
            return canvas.picture()
        what = "A game at this keyboard" if self.local else "A new table on the network"
        canvas.draw_bar(f"{what}: {self.game.title}", f"{self.at + 1} of {len(rows_of(self))}", strong=False)
        top = canvas.text_lines(2, 1, canvas.width, wrapped(self.game.lesson.goal, canvas.width - 2, 2), "strong") + 1
        text, wrong = _message(self)
        end = canvas.height - canvas.foot_rows(text)
        _draw_rows(canvas, self, top, end)
        _draw_explanation(canvas, self, top, end)
        canvas.draw_foot(text, "", 0, _keys(self), alarm=wrong, sign="")  # people type into the chosen line
        return canvas.picture()


def rows_of(dialog: NewTable) -> tuple[DialogRow, ...]:
    """Return all lines, from the top."""
    options = [_option(dialog, spec) for spec in dialog.game.Options.specs()]
    groups = ("The basics", _basics(dialog)), ("This game", options), ("The terms", _terms(dialog))
    return tuple(replace(row, heading="" if at else head) for head, rows in groups for at, row in enumerate(rows))


def _basics(dialog: NewTable) -> list[DialogRow]:
    played, (least, most) = dialog.game, (dialog.game.seats[0], dialog.game.seats[-1])
    others = _number(dialog, "seats", played.usual_seats) - 1 if dialog.local else 0
    count, keys = _number(dialog, "bots", others), tuple(game.key for game in games())
    people = "people at this keyboard take turns" if dialog.local else "people on the network take the others"
    usual = next((seats for seats in played.seats if seats > dialog.here > 0), played.usual_seats)
    seated = _number(dialog, "seats", usual)
    about, ways = "Choose what you play. F1 shows the rules.", "A preset is a set of options under one name."
    presets = [DialogRow("preset", "Preset", ways, "choice", USUAL, (USUAL, *played.presets))] if played.presets else []
    seats = f"Choose how many sit at the table. {played.title} is for {seats_text(played.seats)} players."
    bots = f"Choose how many seats bots take; {people}."
    most_bots = max(int(dialog.local), min(seated, most) - int(dialog.local))
    return [
        DialogRow("game", "Game", about, "choice", dialog.key, keys),
        *presets,
        DialogRow("seats", "Seats", seats, "number", f"{usual}", (), least, most),
        DialogRow("bots", "Bots", bots, "number", f"{count}", (), int(dialog.local), most_bots),
        *_bots(dialog, max(1, min(count, most_bots))),
        *([DialogRow("names", "Names", _NAMES_HELP, "text", NONE)] if dialog.local and seated - count > 1 else []),
        *_guests(dialog, max(0, min(seated, most) - count)),
        DialogRow("clock", "Clock", _CLOCK_HELP, "text", NONE, _CLOCKS),
    ]


def _bots(dialog: NewTable, count: int) -> list[DialogRow]:
    """Return one line for each bot that fits; the value of the first is the default of the others."""
    usual, help, rows = USUAL_LEVEL, _BOT_HELP.format(levels()[-1]), list[DialogRow]()
    for at in range(1, count + 1):
        name = f"bot {at}" if at > 1 else "bot"
        label = "Bot level" if count == 1 else f"{ordinal(at)} bot"
        same = "Unless you change it, this bot is the same as the 1st bot. " if at > 1 else ""
        chosen = dialog.values.get(name, usual)
        rows.append(DialogRow(name, label, f"{same}{help}{_level_help(dialog, chosen)}", "bot", usual, listed()))
        usual = chosen if at == 1 else usual
    return rows


def _level_help(dialog: NewTable, bot: str) -> str:
    """Return the sentences of a plugged bot about this table; "" for other bots, and where there can be no table."""
    if plug_of(bot) is None:
        return ""
    try:
        seats = _number(dialog, "seats", dialog.game.usual_seats)
        text = level_text([bot], dialog.game.start(_options(dialog), seats))
        return f" {text}" if text else ""
    except RulesError:
        return ""


def _guests(dialog: NewTable, most: int) -> list[DialogRow]:
    if dialog.local:
        return []
    text = (
        "Choose how many seats to keep for guests without an install, who come by a phone's browser. Your program "
        "signs their moves and sees their cards. If they take all seats, you only show the table."
    )
    text += f" Guests who are here: {dialog.here}." if dialog.here else ""
    return [DialogRow("guests", "Guests", text, "number", f"{min(dialog.here, max(0, most - 1))}", (), 0, most)]


def _terms(dialog: NewTable) -> list[DialogRow]:
    """Return the lines for the terms of a table on the network."""
    if dialog.local:
        return []
    rows = [
        DialogRow("watchers", "Watchers", "Choose who may watch the game.", "choice", WATCHERS[0], WATCHERS),
        DialogRow("takebacks", "Takebacks", "Players may take moves back when all agree.", "choice", "yes", _YES_NO),
        DialogRow("hints", "Hints", "Players may ask a bot what to play (F2). All of them agree to it by sitting down.",
                  "choice", "no", _YES_NO),
        DialogRow("lot", "Seats by lot", "Seats are drawn by lot, or given in the order in which people sit down.",
                  "choice", "yes", _YES_NO),
        DialogRow("grace", "Grace", "A player may be away this long. Then the others may decide about the seat.",
                  "text", "60s", _GRACES),
        DialogRow("ask", "Ask me", "You are asked before a guest sits down.", "choice", "no", _YES_NO),
    ]  # fmt: skip
    return [row for row in rows if row.name != "takebacks" or not dialog.game.hidden]


def _option(dialog: NewTable, spec: Spec) -> DialogRow:
    name, label = f"set {spec.name}", spec.words.capitalize()
    value = _preset(dialog).get(spec.name, getattr(dialog.game.Options(), spec.name))
    usual = plain(value) if not isinstance(value, bool) else "yes" if value else "no"
    text = sentence(spec.help)
    match spec.kind:
        case "number":
            bounds = f"{text} Choose a number from {spec.least} to {spec.most}."
            return DialogRow(name, label, bounds, "number", usual, (), spec.least, spec.most)
        case "choice" | "flag":
            choices = spec.choices if spec.kind == "choice" else _YES_NO
            return DialogRow(name, label, text, "choice", usual, choices)
    return DialogRow(name, label, text, "text", usual)


def value_of(dialog: NewTable, row: DialogRow) -> str:
    return dialog.values.get(row.name, row.usual)


def _preset(dialog: NewTable) -> Mapping[str, Value]:
    name = dialog.values.get("preset", USUAL)
    return dialog.game.presets[name].options if name in dialog.game.presets else {}


def _number(dialog: NewTable, name: str, usual: int) -> int:
    number = _read(dialog.values.get(name, ""))
    return usual if number is None else number


def _options(dialog: NewTable) -> dict[str, Value]:
    """Read the options that were set, those of a preset among them; a RulesError names one that can't be read."""
    given = [f"{name[4:]}={text}" for name, text in dialog.values.items() if name.startswith("set ")]
    return dict(_preset(dialog)) | read_settings(dialog.game.Options, given)


# The result


def request(dialog: NewTable) -> NewGame | Host:
    """Return the requested table; a RulesError or a NetError says what is wrong with it."""
    played = dialog.game
    values = {row.name: value_of(dialog, row) for row in rows_of(dialog)}
    seats, bots = _whole(values["seats"], "seats"), _named(values, _whole(values["bots"], "bots"))
    options = _options(dialog)
    if dialog.local:
        played.playable(options, seats)
        row = seated(bots, seats, fills=False)
        called = values.get("names", NONE)
        names = () if called in ("", NONE) else people_names(called, row)
        return NewGame(played.key, tuple(options.items()), row, _clock(values["clock"]), names)
    terms = Terms(
        played.key, tuple(options.items()), seats, _clock(values["clock"]), values["watchers"],
        values.get("takebacks") != "no", values["lot"] != "no", span(values["grace"]),
        more=((HINTS, True),) if values["hints"] == "yes" else (),
    )  # fmt: skip
    terms = checked_terms(terms, len(bots))
    guests = _whole(values["guests"], "guests")
    check_guests(terms, bots, guests)
    return Host(terms, bots, guests, values["ask"] == "yes")


def _named(values: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return the bots by their names. One without a line is one too many, and is refused as such."""
    written = (values["bot"], *(values.get(f"bot {number}", values["bot"]) for number in range(2, count + 1)))[:count]
    return tuple(text if text in listed() else bot_name(text) for text in written)


def _clock(text: str) -> TimeControl | None:
    return None if text == NONE else TimeControl(*clock(text))


def _whole(text: str, what: str) -> int:
    if (number := _read(text)) is None:
        raise RulesError(f"{what} takes a whole number, not {quoted(text)}")
    return number


def _read(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


#: Rows that stay when another game is chosen.
_KEPT: Final = ("bot", "guests", "ask", "clock", "names", "watchers", "grace", "lot", "hints")
_LONGEST: Final = 200
#: Columns of labels and of values, the column of the explanation, and its widest lines.
_LABELS: Final = 15
_VALUES: Final = 23
_BESIDE: Final = 45
_WIDEST: Final = 64
#: Minimum columns at which the arrow keys are named in words.
_WORDY: Final = 76
#: Minimum rows of a window in which blank rows separate the groups.
_ROOMY: Final = 30

Effects: TypeAlias = tuple[Effect | NewGame | Host | Page, ...]


def _key(dialog: NewTable, key: str) -> tuple[NewTable, Effects]:
    row = dialog.row
    match key:
        case "escape" | "c-q":
            return dialog, (terminal.Quit(),)
        case "f1" | "f6":
            return dialog, (rules_page(dialog.game),)
        case "enter":
            try:
                return dialog, (terminal.Quit(), request(dialog))
            except (RulesError, NetError) as error:
                return replace(dialog, notice=sentence(str(error)), refused=True), ()
        case "tab" | "s-tab":
            return _key(dialog, "down" if key == "tab" else "up")
        case "left" | "right":
            return _turned(dialog, 1 if key == "right" else -1), ()
        case "backspace" | "delete" | "c-u":
            text = "" if key == "c-u" else value_of(dialog, row)[:-1]
            return (_set(dialog, row, text) if _is_typed(dialog, row) else dialog), ()
        case " " if row.choices and not (row.kind == "bot" and _is_typed(dialog, row)):
            return _turned(dialog, 1), ()
    if (at := stepped(dialog.at, key, len(rows_of(dialog)))) is not None:
        return replace(dialog, at=at), ()
    return (_typed(dialog, key) if len(key) == 1 else dialog), ()


def _turned(dialog: NewTable, step: int) -> NewTable:
    """Set a line to its next or previous value."""
    row = dialog.row
    now = value_of(dialog, row)
    if row.kind == "number":
        number = _read(now)
        return _set(dialog, row, str(max(row.least, min(row.most, (row.least if number is None else number) + step))))
    if not row.choices:
        return dialog
    at = row.choices.index(now) + step if now in row.choices else 0
    return _set(dialog, row, row.choices[at % len(row.choices)])


def _is_typed(dialog: NewTable, row: DialogRow) -> bool:
    """Return whether the value of a line has letters that can be deleted."""
    return row.kind in ("number", "text") or (row.kind == "bot" and value_of(dialog, row) not in row.choices)


def _typed(dialog: NewTable, sign: str) -> NewTable:
    """Add a letter to a typed value, or go to the next choice that begins with it."""
    row = dialog.row
    is_typed = _is_typed(dialog, row)
    if not sign.isprintable() or (row.kind == "number" and not (sign.isascii() and sign.isdigit())):
        return dialog
    fitting = [choice for choice in row.choices if choice.startswith(sign.lower())]
    if row.kind == "choice" or (row.kind == "bot" and fitting and not is_typed):
        now = value_of(dialog, row)
        at = row.choices.index(now) if now in row.choices else 0
        later = [choice for choice in row.choices[at + 1 :] if choice in fitting]
        return _set(dialog, row, (later or fitting)[0]) if fitting else dialog
    before = dialog.values.get(row.name, "") if is_typed and not dialog.refused else ""
    fresh = before + sign if row.kind != "number" or len(before) < 4 else sign
    return _set(replace(dialog, refused=False), row, fresh[:_LONGEST])


def _set(dialog: NewTable, row: DialogRow, value: str) -> NewTable:
    """Set the value of a line. Another game has other options; a preset replaces single ones."""
    if row.name == "game":
        kept = {name: text for name, text in dialog.values.items() if name.split()[0] in _KEPT}
        return replace(dialog, key=value, values=kept)
    values = {**dialog.values, row.name: value}
    if row.name == "preset":
        values = {name: text for name, text in values.items() if not name.startswith("set ")}
    return replace(dialog, values=values)


# Drawing


def _draw_rows(canvas: Canvas, dialog: NewTable, top: int, end: int) -> None:
    """Draw the lines that fit, around the chosen one; in a large window blank ones separate groups."""
    rows, lines, gaps = rows_of(dialog), list[int | str](), canvas.height >= _ROOMY
    for at, row in enumerate(rows):
        lines += [""] if row.heading and lines and gaps else []
        lines += [row.heading, at] if row.heading else [at]
    shown = window(lines.index(dialog.at), len(lines), end - top)
    for place, number in enumerate(shown, top):
        if isinstance(line := lines[number], str):
            canvas.put(place, 1, line, "title")
        else:
            _draw_row(canvas, dialog, place, line, rows[line])
    if shown.start > 0:
        canvas.put(top, _BESIDE - 3, "▴", "faint")
    if shown.stop < len(lines):
        canvas.put(end - 1, _BESIDE - 3, "▾", "faint")


def _draw_explanation(canvas: Canvas, dialog: NewTable, top: int, end: int) -> None:
    """Explain the chosen line; for presets, explain each of them."""
    row, width = dialog.row, min(_WIDEST, canvas.width - _BESIDE - 1)
    for line in range(top, end):
        canvas.put(line, _BESIDE - 2, "│", "faint")
    canvas.put(top, _BESIDE, row.label, "strong")
    text = row.explanation
    if row.name in dialog.values and row.usual:
        text += f" The usual value is {row.usual}."
    at = canvas.text_lines(top + 1, _BESIDE, width, wrapped(text, width)) + 1
    for name in row.choices if row.name == "preset" else ():
        preset = dialog.game.presets.get(name)
        about = f"{name}: {preset.help if preset else 'the options that are best for most'}."
        chosen = name == value_of(dialog, row)
        canvas.put(at, _BESIDE, "▸" if chosen else " ")
        at = canvas.text_lines(at, _BESIDE + 2, width, wrapped(about, width - 2), "" if chosen else "faint")


def _message(dialog: NewTable) -> tuple[str, bool]:
    """Return the message at the foot, and whether something is wrong: a fault of the table, or the game's advice."""
    if dialog.notice:
        return dialog.notice, True
    try:
        wanted = request(dialog)
        options = dict(wanted.terms.options if isinstance(wanted, Host) else wanted.options)
        seats = wanted.terms.seats if isinstance(wanted, Host) else len(wanted.bots)
        advice = dialog.game.advice(dialog.game.read_options(options), seats)
    except (RulesError, NetError) as error:
        return sentence(str(error)), True
    does = "Enter begins the game." if dialog.local else "Enter opens the table."
    return " ".join([does, *(f"Note: {stopped(one)}" for one in advice[:1])]), False


def _draw_row(canvas: Canvas, dialog: NewTable, at: int, number: int, row: DialogRow) -> None:
    chosen, value = number == dialog.at, value_of(dialog, row)
    shown = game(value).title if row.name == "game" else value
    if row.name == "guests" and value == f"{dialog.here}" != "0":
        shown = f"all {value} who are here" if dialog.here > 1 else "1, who is here"
    changed = row.name in dialog.values or row.name == "game"
    canvas.put(at, 1, "▸" if chosen else " ")
    canvas.put(at, 3, row.label, "strong" if chosen else "")
    start = 3 + _LABELS
    if row.kind == "text" or (row.kind == "bot" and value not in row.choices):
        text = f"[{shown}]" if not chosen else f"[{shown}_]"
    else:
        text = f"‹ {shown} ›"
    if chosen and text.endswith("_]") and columns(text) > _VALUES:  # the typed end must be visible
        text = f"[…{shown[-(_VALUES - 4) :]}_]"
    canvas.put(at, start, clipped(text, _VALUES), "picked" if chosen else "strong" if changed else "")
    canvas.spot("row", f"{number}", at, 0, _BESIDE - 2)
    if row.kind != "text" or row.choices:
        canvas.spot("row", f"{number} left", at, start, 2)
        canvas.spot("row", f"{number} right", at, start + columns(text) - 2, 2)


def _keys(dialog: NewTable) -> tuple[tuple[str, str, str], ...]:
    does = "Play" if dialog.local else "Open"
    up_down, left_right = ("up, down:", "left, right:") if dialog.columns >= _WORDY else ("↑↓", "←→")
    return (
        ("enter", "Enter", does), ("escape", "Esc", "Back"), ("f1", "F1", "Rules"), ("up", up_down, "line"),
        ("right", left_right, "value or type"),
    )  # fmt: skip
