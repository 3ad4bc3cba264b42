"""The lobby, drawn: the tables on the network, what can be done, who is there. Pure, as all drawings are."""

from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, Picture, box, clipped, columns, draw_key_line, wrapped
from quadrille.client.screen.lobby.model import LISTED, LobbyScreen, PickList
from quadrille.client.screen.network.news import TableRow
from quadrille.client.table.clocks import clock_text
from quadrille.client.words.commands import COMMANDS, Place, by_word, key_line, key_name

LEAST_ROWS: Final = 16
LEAST_COLUMNS: Final = 60
_FOOT: Final = 3
_PEOPLE: Final = 30
#: What is no key of the list of things to do.
_FOOTER: Final = (
    ("enter", "Enter", "Do it"), ("up", "Up", ""), ("down", "Down", "Choose"), ("tab", "Tab", "Complete"),
    *key_line(Place.LOBBY),
)  # fmt: skip
_MINUTE: Final = 60_000
_HOUR: Final = 60 * _MINUTE


def draw_lobby(lobby: LobbyScreen) -> Picture:
    """The screen."""
    canvas = Canvas(lobby.columns, lobby.rows, plain=lobby.look.plain)
    if lobby.rows < LEAST_ROWS or lobby.columns < LEAST_COLUMNS:
        draw_too_small(canvas, LEAST_ROWS, LEAST_COLUMNS)
        return canvas.picture()
    draw_bar(canvas, f"Quadrille   you are {lobby.name}", "NO NETWORK" if lobby.shut else lobby.around.link)
    doing = len(LISTED) + 1
    below = canvas.height - _FOOT - doing
    _draw_tables(canvas, lobby, 1, below - 1)
    beside = canvas.width - max(_PEOPLE, canvas.width // 3)
    _draw_actions(canvas, lobby, below, beside - 2)
    _draw_people(canvas, lobby, below, canvas.height - _FOOT, beside)
    told, alarm = message(lobby)
    caret: tuple[int, int] | None = draw_foot(canvas, told, lobby.line.text, lobby.line.at, _FOOTER, alarm=alarm)
    if lobby.pick is not None:
        _draw_pick(canvas, lobby.pick)
        caret = None
    return canvas.picture(caret)


def draw_too_small(canvas: Canvas, rows: int, wide: int) -> None:
    """What is needed."""
    text = (
        f"Quadrille needs a window of {wide} x {rows} characters here. This one has {canvas.width} x {canvas.height}."
    )
    for row, line in enumerate(wrapped(text, max(1, canvas.width - 1), canvas.height)):
        canvas.put(row, 0, line)


def draw_bar(canvas: Canvas, left: str, right: str) -> None:
    """The first line."""
    canvas.shade(0, 0, canvas.width, "bar")
    canvas.put(0, 0, " " * canvas.width, "bar")
    start = canvas.width - columns(right) - 2
    canvas.put(0, 1, clipped(left, start - 2), "bar title")
    canvas.put(0, start, f" {right} ", "turn" if right.isupper() else "bar title")


def draw_foot(
    canvas: Canvas, told: str, text: str, at: int, keys: tuple[tuple[str, str, str], ...], *, alarm: bool
) -> tuple[int, int]:
    """What is told, the prompt, the keys (what is pressed, how it is called, what it does); where the caret is."""
    lines = wrapped(told, canvas.width - 2, 2)
    prompt = canvas.height - (2 if len(lines) < 2 else 1)
    for number, line in enumerate(lines):
        canvas.put(prompt - len(lines) + number, 1, line, "alarm" if alarm else "")
    room = canvas.width - 4
    start = max(0, columns(text[:at]) - room + 1)
    canvas.put(prompt, 1, "> ", "strong")
    canvas.put(prompt, 3, text[start:], "strong", most=room)
    if len(lines) < 2:
        draw_key_line(canvas, keys)
    return prompt, min(canvas.width - 1, 3 + columns(text[start:at]))


# The tables


def state_words(row: TableRow) -> str:
    """What a table is about, for the one who looks."""
    match row.state:
        case "mine":
            return "YOUR TURN" if row.my_turn else "you play there"
        case "kept":
            return "left: go on"
        case "open":
            free = row.seats - row.taken
            return "1 seat is free" if free == 1 else f"{free} seats are free"
        case "agreeing":
            return "about to begin"
        case "unplayable":
            return "can't be played here"
    return "at play: look on" if row.may_watch else "at play"


def _draw_tables(canvas: Canvas, lobby: LobbyScreen, top: int, end: int) -> None:
    """As many as there is room for, around the one that is chosen."""
    rows, room = lobby.around.tables, end - top - 1
    more = canvas.width - 80
    game_width, host_width = 25 + max(0, more) * 2 // 3, 15 + max(0, more) // 3
    starts = (5, 6 + game_width, 7 + game_width + host_width)
    canvas.put(top, 1, "Tables on this network", "title")
    if not rows:
        _draw_nothing(canvas, lobby, top + 2, end)
        return
    if canvas.width >= 80:
        for start, head in zip((starts[1], starts[2], starts[2] + 6), ("with", "seats", "state"), strict=True):
            canvas.put(top, start, head, "faint")
        canvas.put(top, canvas.width - 7, "since", "faint")
    at = next((number for number, row in enumerate(rows) if f"table {row.id}" == lobby.at), 0)
    first = max(0, min(at - room // 2, len(rows) - room))
    for number, row in enumerate(rows[first : first + room], first):
        _draw_table(canvas, lobby, top + 1 + number - first, number, row, starts)
    if len(rows) > room:
        canvas.put(top, 24, f"{first + 1} to {first + min(room, len(rows))} of {len(rows)}", "faint")


def _draw_table(
    canvas: Canvas, lobby: LobbyScreen, at: int, number: int, row: TableRow, starts: tuple[int, int, int]
) -> None:
    chosen = lobby.at == f"table {row.id}"
    own = row.state in ("mine", "kept")
    style = "" if chosen else "strong" if row.my_turn else "legal" if row.state == "open" else "" if own else "faint"
    name = f"{row.game} {row.options}".strip()
    canvas.put(at, 1, f"{'▸' if chosen else ' '}{number + 1:2}")
    for start, end, text in ((starts[0], starts[1], name), (starts[1], starts[2], row.host)):
        canvas.put(at, start, clipped(text, end - start - 1), style, most=end - start - 1)
    canvas.put(at, starts[2], f"{row.taken}/{row.seats}", style)
    since = _since(lobby.now - row.since) if row.since and lobby.now else ""
    end = canvas.width - 2 - len(since)
    canvas.put(at, starts[2] + 6, clipped(state_words(row), end - starts[2] - 7), style)
    canvas.put(at, end, since, style)
    if chosen:
        canvas.shade(at, 1, canvas.width - 2, "chosen")
    canvas.spot("row", f"table {row.id}", at, 0, canvas.width)


def _since(ms: int) -> str:
    """How long something has been so: `0:42`, `4 min`, `2 h`."""
    if ms < _MINUTE:
        return clock_text(ms)
    return f"{ms // _MINUTE} min" if ms < _HOUR else f"{ms // _HOUR} h"


def _draw_nothing(canvas: Canvas, lobby: LobbyScreen, top: int, end: int) -> None:
    """What to do where there is no table."""
    if lobby.shut:
        text = [f"There is no network here: {lobby.shut}.", "It is tried again. A game against a bot needs none: F2."]
    elif lobby.is_lonely:
        text = [
            *(lobby.around.missing or ("Nobody has been found in 5 seconds.",)),
            "Somebody is there all the same? F4 takes their address, such as 192.168.1.5:49200."
            + (f" Yours is {lobby.around.address}." if lobby.around.address else ""),
            "F9 runs the doctor: it tells what may be in the way.",
            "F3 opens a table, which others find when they come. F2 plays against a bot.",
        ]
    elif lobby.around.people:
        text = ["There is no table yet. F3 opens one: everybody here sees it.", *lobby.around.missing]
    else:
        text = ["Looking who is there ...", *lobby.around.missing]
    row = top
    for sentence in text:
        for line in wrapped(sentence, canvas.width - 6):
            if row < end:
                canvas.put(row, 4, line)
                row += 1


# What can be done, and who is there


def _draw_actions(canvas: Canvas, lobby: LobbyScreen, top: int, width: int) -> None:
    canvas.put(top, 1, "What can be done", "title")
    for row, action in enumerate(LISTED, top + 1):
        chosen = lobby.at == f"do {action.word}"
        canvas.put(row, 1, "▸" if chosen else " ")
        canvas.put(row, 3, key_name(action.key), "key")
        canvas.put(row, 7, action.word, "strong")
        canvas.put(row, 16, clipped(action.help, width - 15))
        if chosen:
            canvas.shade(row, 1, width, "chosen")
        canvas.spot("row", f"do {action.word}", row, 0, width + 1)


def _draw_people(canvas: Canvas, lobby: LobbyScreen, top: int, end: int, left: int) -> None:
    people, width = lobby.around.people, canvas.width - left - 1
    canvas.put(top, left, "People and bots (*)", "title")
    if not people:
        canvas.put(top + 1, left, "nobody else", "faint")
    room = end - top - 1
    shown = people if len(people) <= room else people[: room - 1]
    name_width = max(10, width * 2 // 5)
    for row, person in enumerate(shown, top + 1):
        mark = " " if person.kind == "person" else "*"
        canvas.put(row, left, mark + clipped(person.name, name_width - 1), most=name_width)
        doing = person.doing or ("idle" if person.kind == "person" else f"a {person.kind}")
        canvas.put(row, left + name_width + 1, clipped(doing, width - name_width - 1), "faint")
    if len(people) > len(shown):
        canvas.put(end - 1, left, f"and {len(people) - len(shown)} more", "faint")


def _draw_pick(canvas: Canvas, pick: PickList) -> None:
    """The list in the middle."""
    width = min(canvas.width, max(44, *(columns(text) + 6 for text, _ in pick.rows)))
    high = min(len(pick.rows) + 2, canvas.height - 2)
    top, left = (canvas.height - 1 - high) // 2, (canvas.width - width) // 2
    box(canvas, top, left, width, high, "", pick.title)
    first = max(0, min(pick.at - (high - 3), len(pick.rows) - (high - 2)))
    for row, number in enumerate(range(first, min(len(pick.rows), first + high - 2)), top + 1):
        chosen = number == pick.at
        text = f"{'▸' if chosen else ' '} {pick.rows[number][0]}"
        canvas.put(row, left + 1, clipped(text, width - 2).ljust(width - 2), "chosen" if chosen else "")
        canvas.spot("row", f"pick {number}", row, left + 1, width - 2)


def message(lobby: LobbyScreen) -> tuple[str, bool]:
    """What is told above the prompt, and whether it is a refusal."""
    if lobby.notice:
        return lobby.notice, lobby.alarm
    if lobby.pick is not None:
        return "Enter takes the one that is marked. Esc closes.", False
    if lobby.searching:
        return "Looking for that table. Esc stops.", False
    if text := lobby.line.text.strip():
        return _about_line(text), False
    kind, _, what = lobby.at.partition(" ")
    if kind == "do":
        return f"Enter, {key_name(COMMANDS[what].key)}, or the word {what}.", False
    row = next(row for row in lobby.around.tables if row.id == what)
    return _about_table(row), False


def _about_line(text: str) -> str:
    word = text.split(" ")[0].lower()
    there = by_word(Place.LOBBY)
    if word in there:
        return f"{there[word].typed}: {there[word].help}."
    if fitting := [one for one in there if one.startswith(word)]:
        return "Tab: " + "  ".join(fitting)
    return "Enter looks for a table of that number, host or address."


def _about_table(row: TableRow) -> str:
    does = {
        "mine": "goes back", "kept": "goes on", "open": "sits down", "agreeing": "can't: all seats are taken",
        "playing": "looks on" if row.may_watch else "can't: only guests look on", "unplayable": "can't sit down here",
    }[row.state]  # fmt: skip
    who = f"; {', '.join(row.names)}" if row.names else ""
    return f"Enter {does}. {row.terms}{who}."
