"""The drawing of the lobby: the tables on the network, the commands, the people. Pure, as all drawings are."""

from collections.abc import Sequence
from typing import Final

from quadrille.client.screen.draw.canvas import LEAST_COLUMNS, Canvas, Picture, clipped, window, wrapped
from quadrille.client.screen.lobby.model import LEAST_TABLES, OWN, LobbyScreen, actions
from quadrille.client.screen.network.entrance import BESIDE_ON_PAGE, ON_PAGE, entrance_lines, fitting
from quadrille.client.screen.network.news import PersonRow, TableRow
from quadrille.client.screen.table.terminal import typed_text
from quadrille.client.words.commands import Place, by_word, key_line, key_name
from quadrille.net.core.spans import clock_text

_PEOPLE: Final = 30
#: Keys at the foot that are not in the list of commands.
_FOOTER: Final = (
    ("enter", "Enter", "Do it"), ("up", "Up", ""), ("down", "Down", "Choose"), ("tab", "Tab", "Complete"),
    *key_line(Place.LOBBY),
)  # fmt: skip
#: Start columns of the games' aims and of the chosen game's picture, and the rows of a picture.
_GOALS: Final = 20
_SAMPLE: Final = 88
_SAMPLE_ROWS: Final = 11
#: Minimum rows of a window in which a blank row separates tables and games.
_SPACED: Final = 25
#: Minimum rows of a window in which blank rows separate its lists, and in which there is a picture.
_ROOMY: Final = 26
_TALL: Final = 34
#: Minimum columns of a list that says since when its tables are in their states.
_WIDE: Final = 80
_ON_NETWORK: Final = "Tables on this network"
_MINUTE: Final = 60_000
_HOUR: Final = 60 * _MINUTE


def draw_lobby(lobby: LobbyScreen) -> Picture:
    canvas = Canvas(lobby.columns, lobby.rows, plain=lobby.look.plain)
    if canvas.is_too_small():
        return canvas.picture()
    canvas.draw_bar(f"Quadrille   you are {lobby.name}", lobby.around.link, strong=lobby.around.link.isupper())
    told, alarm = message(lobby)
    foot = canvas.height - canvas.foot_rows(told)
    below = foot - (_draw_brief(canvas, lobby, foot) if lobby.is_small else len(actions()) + 1)
    first = _draw_entrance(canvas, lobby, below)
    above = below - _draw_unfinished(canvas, lobby, first, below)
    top = above - _draw_games(canvas, lobby, above) if lobby.shows_games else above
    _draw_tables(canvas, lobby, first, top - (canvas.height >= _SPACED))
    canvas.width = lobby.columns
    if not lobby.is_small:
        beside = canvas.width - max(_PEOPLE, canvas.width // 3)
        _draw_actions(canvas, lobby, below, beside - 2)
        draw_people(
            canvas, "People and bots (*)", lobby.around.people, range(below, foot), range(beside, canvas.width - 1)
        )
    line = lobby.line
    caret = canvas.draw_foot(told, line.text, line.at, _FOOTER, alarm=alarm, selected=line.selected)
    if (pick := lobby.pick) is None:
        return canvas.picture(caret)
    canvas.draw_list(pick.title, [text for text, _ in pick.rows], pick.at)
    return canvas.picture()


def _draw_entrance(canvas: Canvas, lobby: LobbyScreen, end: int) -> int:
    """Draw how guests come above the row `end`: a code at the right, for which the canvas gets narrower, or a line at
    the top. Return the row after that line.
    """
    if (entrance := lobby.around.entrance) is None:
        return 1
    code = fitting(canvas, entrance.at(0))
    if code is not None and (canvas.width - code.width <= LEAST_COLUMNS or len(code.lines) + 3 > end):
        code = None
    width = canvas.width - 2 if code is None else code.width
    lines = entrance_lines(entrance, 0, code, width)
    if code is None:
        text = f"{' '.join(lines)}."
        if fitting(canvas, entrance.at(0), BESIDE_ON_PAGE, ON_PAGE):
            text += f" {key_name(by_word(Place.LOBBY)['evening'].key)} shows the code to scan."
        return canvas.text_lines(1, 1, canvas.width, wrapped(text, width, 3))
    below = canvas.text_lines(1, canvas.width - width, width, code.lines, "qr")
    canvas.text_lines(below, canvas.width - width, width, lines)
    canvas.width -= width + 1
    return 1


# The tables


def state_words(row: TableRow) -> tuple[str, str]:
    """Return the state of a table in words, and what Enter does there."""
    match row.state:
        case "mine":
            return "YOUR TURN" if row.my_turn else "you play there", "goes back"
        case "kept" | "left":
            return "unfinished", "continues it"
        case "open" if free := row.seats - row.taken:
            return "1 seat is free" if free == 1 else f"{free} seats are free", "sits down"
        case "open":  # the host keeps seats for guests who are on their way
            return "all seats are taken", "waits there for a seat"
        case "agreeing":
            return "about to begin", "waits there for a seat"
        case "unplayable":
            return "can't be played here", "can't sit down here"
    return ("at play: look on", "looks on") if row.may_watch else ("at play", "can't: only guests look on")


def _draw_tables(canvas: Canvas, lobby: LobbyScreen, top: int, end: int) -> None:
    """Draw the tables where somebody is, or advice."""
    starts = _starts(canvas)
    if not lobby.met:
        canvas.put(top, 1, _ON_NETWORK, "title")
        _draw_advice(canvas, lobby, top + 1 + (canvas.height >= _ROOMY), end)
        return
    if canvas.width >= _WIDE:
        for start, head in zip((starts[1], starts[2], starts[2] + 6), ("with", "seats", "state"), strict=True):
            canvas.put(top, start, head, "faint")
        canvas.put(top, canvas.width - 7, "since", "faint")
    _draw_rows(canvas, lobby, _ON_NETWORK, lobby.met, top, end)


def _draw_unfinished(canvas: Canvas, lobby: LobbyScreen, first: int, end: int) -> int:
    """Draw the unfinished games above the row `end`, as many as leave room for tables and games; return the rows."""
    rows = lobby.unfinished
    others = 1 + max(LEAST_TABLES, len(lobby.met)) + (len(lobby.cards) + 2) * lobby.shows_games
    shown = max(1, min(len(rows), end - first - others - 1))
    if not rows:
        return 0
    _draw_rows(canvas, lobby, "Unfinished games", rows, end - shown - 1, end)
    return shown + 1


def _draw_rows(canvas: Canvas, lobby: LobbyScreen, title: str, rows: tuple[TableRow, ...], top: int, end: int) -> None:
    """Draw the rows of a list of tables that fit, around the chosen one."""
    canvas.put(top, 1, title, "title")
    cursor, first = lobby.at, lobby.tables.index(rows[0])
    at = next((number for number, row in enumerate(rows) if f"table {row.id}" == cursor), 0)
    shown = window(at, len(rows), end - top - 1)
    for line, number in enumerate(shown, top + 1):
        _draw_table(canvas, lobby.now, line, first + number, rows[number], cursor)
    if len(rows) > len(shown):
        canvas.put(top, 24, f"{shown.start + 1} to {shown.stop} of {len(rows)}", "faint")


def _starts(canvas: Canvas) -> tuple[int, int, int]:
    """Return the columns where a table's game, its people and its seats begin."""
    more = canvas.width - _WIDE
    game_width, host_width = (25 + more * 2 // 3, 15 + more // 3) if more > 0 else (25 + more * 2 // 5, 15 + more // 5)
    return 5, 6 + game_width, 7 + game_width + host_width


def _draw_table(canvas: Canvas, now: int, at: int, number: int, row: TableRow, cursor: str) -> None:
    starts, entry, own = _starts(canvas), f"table {row.id}", row.state in OWN
    chosen = entry == cursor
    style = "" if chosen else "strong" if row.my_turn else "legal" if row.state == "open" else "" if own else "faint"
    name = f"{row.game} {row.options}".strip()
    canvas.put(at, 2, f"{number + 1:2}")
    for start, end, text in ((starts[0], starts[1], name), (starts[1], starts[2], row.host)):
        canvas.put(at, start, clipped(text, end - start - 1), style, most=end - start - 1)
    canvas.put(at, starts[2], f"{row.taken}/{row.seats}", style)
    since = _since(now - row.since) if row.since and now and canvas.width >= _WIDE else ""
    end = canvas.width - 2 - len(since)
    canvas.put(at, starts[2] + 6, clipped(state_words(row)[0], end - starts[2] - 7), style)
    canvas.put(at, end, since, style)
    canvas.draw_cursor(at, 1, canvas.width - 2, entry, chosen=chosen)


def _since(ms: int) -> str:
    """Format the duration of a state: `0:42`, `4 min`, `2 h`."""
    if ms < _MINUTE:
        return clock_text(ms)
    return f"{ms // _MINUTE} min" if ms < _HOUR else f"{ms // _HOUR} h"


def _draw_advice(canvas: Canvas, lobby: LobbyScreen, top: int, end: int) -> None:
    """Draw advice while there is no table."""
    if lobby.around.shut:
        text = [
            f"You can't meet others now: {lobby.around.shut}. Quadrille keeps trying.",
            "A game against a bot needs no network: F2.",
        ]
    elif lobby.is_lonely:
        text = [
            *(lobby.around.missing or ("Nobody found yet.",)),
            "Is somebody there? Press F4 and type the address, such as 192.168.1.5:49200."
            + (f" Yours is {lobby.around.address}." if lobby.around.address else ""),
            "F9 checks what may be in the way.",
            "F3 opens a table, which others find when they come. F2 starts a game against a bot.",
        ]
    elif lobby.around.people:
        text = ["There is no table yet. F3 opens one: everybody here sees it.", *lobby.around.missing]
    else:
        text = ["Looking for others ...", *lobby.around.missing]
    room, width = end - top, canvas.width - 6
    lines = [line for sentence in text for line in wrapped(sentence, width)]
    canvas.text_lines(top, 4, canvas.width, lines if len(lines) <= room else wrapped(" ".join(text), width, room))


# The games


def _draw_games(canvas: Canvas, lobby: LobbyScreen, end: int) -> int:
    """Draw each game with its aim above the row `end`, and a picture of the chosen one if it fits; return the rows."""
    cursor = lobby.at
    chosen = next((card for card in lobby.cards if f"game {card.key}" == cursor), lobby.cards[0])
    scene, high, wide = chosen.scene, 0, 0
    if scene is not None:
        from quadrille.client.screen.lobby import gallery  # imported here: the first picture shows no position

        high, wide = gallery.sample_size(scene)
    has_sample = wide > 0 and canvas.height >= _TALL and canvas.width >= _SAMPLE + wide
    rows = max(len(lobby.cards) + 1, high if has_sample else 0, _SAMPLE_ROWS if canvas.height >= _TALL else 0) + 1
    top = end - rows + (canvas.height < _ROOMY)
    canvas.put(top, 1, "Games", "title")
    canvas.put(top, _GOALS, clipped(chosen.about, min(canvas.width, _SAMPLE) - _GOALS - 1), "faint")
    for row, card in enumerate(lobby.cards, top + 1):
        canvas.put(row, 3, card.title, "strong")
        canvas.put(row, _GOALS, clipped(card.goal, min(canvas.width, _SAMPLE) - _GOALS - 1))
        name = f"game {card.key}"
        canvas.draw_cursor(row, 1, min(canvas.width, _SAMPLE) - 2, name, chosen=cursor == name)
    if has_sample and scene is not None:
        gallery.draw_sample(canvas, scene, top, _SAMPLE)
    return end - top


# Commands and people


def _draw_actions(canvas: Canvas, lobby: LobbyScreen, top: int, width: int) -> None:
    cursor = lobby.at
    canvas.put(top, 1, "Actions", "title")
    for row, action in enumerate(actions(), top + 1):
        canvas.put(row, 3, key_name(action.key), "key")
        canvas.put(row, 7, action.word, "strong")
        canvas.put(row, 16, clipped(action.help, width - 15))
        canvas.draw_cursor(row, 1, width, f"do {action.word}", chosen=cursor == f"do {action.word}")


def _draw_brief(canvas: Canvas, lobby: LobbyScreen, end: int) -> int:
    """Draw people and actions as rows of text above the row `end`, for a small window; return how many rows."""
    people = ", ".join(person.name for person in lobby.around.people)
    canvas.put(end - 1, 1, clipped(f"Here: {people}", canvas.width - 2) if people else "", "faint")
    rows: list[list[tuple[str, str, str]]] = [[]]
    for action in actions():
        key = (action.key, key_name(action.key), action.word)
        if sum(len(name) + len(word) + 2 for _, name, word in (*rows[-1], key)) >= canvas.width:
            rows.append([])
        rows[-1].append(key)
    top = end - len(rows) - bool(people)
    for at, row in enumerate(rows, top):
        canvas.draw_keys(at, 1, row)
    return end - top


def draw_people(
    canvas: Canvas, title: str, people: Sequence[PersonRow], rows: range, across: range, chosen: str | None = None
) -> None:
    """Draw people below a title in these rows and columns, the chosen one among them if one can be chosen."""
    top, left, width = rows.start, across.start, len(across)
    canvas.put(top, left, title, "title")
    if not people:
        canvas.put(top + 1, left, "nobody else", "faint")
    at = next((number for number, who in enumerate(people) if who.key == chosen), 0)
    shown = window(at, len(people), len(rows) - 1 - (len(people) > len(rows) - 1))
    start = left + (chosen is not None)
    names = max(10, width * 2 // 5)
    for row, who in enumerate(people[shown.start : shown.stop], top + 1):
        canvas.put(row, start, who.mark + clipped(who.name, names - 1), most=names)
        doing = who.doing or ("idle" if who.kind == "person" else f"a {who.kind}")
        canvas.put(row, start + names + 1, clipped(doing, left + width - start - names - 1), "faint")
        if chosen is not None:
            canvas.draw_cursor(row, left, width, who.key, chosen=who.key == chosen)
    if len(people) > len(shown):
        canvas.put(rows[-1], left, f"and {len(people) - len(shown)} more", "faint")


def message(lobby: LobbyScreen) -> tuple[str, bool]:
    """Return the message above the prompt, and whether it is a refusal."""
    if lobby.notice:
        return lobby.notice, lobby.alarm
    if lobby.pick is not None:
        return "Enter chooses the highlighted line. Esc closes.", False
    if lobby.around.searching:
        return "Looking for a table. Esc stops.", False
    if text := lobby.line.text.strip():
        return typed_text(text, Place.LOBBY) or "Enter looks for a table of that number, host or address.", False
    kind, _, what = lobby.at.partition(" ")
    if kind == "game":
        title = next(card.title for card in lobby.cards if card.key == what)
        return f"Enter: a short first game of {title}. F2: all options. F6: the rules.", False
    if kind == "do":
        action = by_word(Place.LOBBY)[what]
        return f"Enter, {key_name(action.key)}, or the word {what}: {action.help}.", False
    row = next(row for row in lobby.tables if row.id == what)
    who = f"; {', '.join(row.names)}" if row.names else ""
    forgets = " Del forgets it." if row.state in ("kept", "left") else ""
    return f"Enter {state_words(row)[1]}.{forgets} {row.terms}{who}.", False
