"""The content of a page, as parts that are sent when they change: a seat's screen in, JSON out. No socket.

The parts are those of docs/protocols/phones.md. A page knows no rule and makes no sentence: the same models as on a
terminal (client/screen) say what can be picked, what a line means, and what is reported.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from quadrille.ai.bots.talk import now
from quadrille.client.foreign import shown
from quadrille.client.phones.board import Easel, Wide
from quadrille.client.picture.patches import LOOKED, track_words
from quadrille.client.reports import heading, player
from quadrille.client.screen.draw.canvas import SeatLabel
from quadrille.client.screen.network.news import PersonRow, Room
from quadrille.client.screen.table import draw
from quadrille.client.screen.table.messages import ending_text, menu_rows, own_figures, touch_message, whose_turn
from quadrille.client.screen.table.model import Model, Question, ShownTable, draft, foreseen, preview
from quadrille.client.table.entries import entry_told
from quadrille.client.table.notices import Seats
from quadrille.client.words.answers import TYPED
from quadrille.client.words.commands import GUESTS
from quadrille.client.words.phones import EVENING, NEXT_GAME, SEES, TRUST, TRUSTED
from quadrille.client.words.rules import touch_blocks
from quadrille.client.words.signs import signs
from quadrille.client.words.story import YOU, sentence, stopped
from quadrille.client.words.table import by_name
from quadrille.rules.core import Game, Move, is_stepped
from quadrille.rules.match import Deal, Entry, Match
from quadrille.rules.registry import game, keys
from quadrille.rules.scene import Panel, Scene, letter
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.phones.seat import PhoneSeat

#: A part's content, ready for JSON but for clocks.
Parts: TypeAlias = dict[str, Any]
#: Parts of many rows: only those are sent that have changed, and null for those that are gone.
_ROWS: Final = frozenset({"players", "log", "chat", "spots", "words_of"})
#: Commands for which a page has a field or buttons instead.
_OWN_WAY: Final = frozenset({"yes", "no", "say"})
#: The moves of a game that are shown at the door, and how many are tried for a good one.
_FILMED: Final = range(9, 13)
_TRIED: Final = 24


@value
class SeatClock:
    """A seat's clock: when it runs out, by the table's time, if it runs; else the time left."""

    left: int
    runs: bool

    def left_now(self) -> int:
        """Return the milliseconds that are left as this is sent."""
        return self.left - now() if self.runs else self.left


class Remembered:
    """A cache of a table's drawings and lines, so that the next position costs only its changes."""

    def __init__(self) -> None:
        self.easel, self.wide = Easel(), Easel(Wide)
        self._entries: tuple[Entry, ...] = ()
        self._lines: list[list[str | None]] = []
        self._over = False

    def log(self, table: ShownTable) -> list[list[str | None]]:
        """Return a line for each entry. The last one may change; all do when hidden cards are open at the end."""
        match, over = table.match, table.match.over is not None
        entries = tuple(match.entries)
        known = min(len(self._entries), len(entries) - 1)
        if over != self._over or self._entries[:known] != entries[:known]:
            known = 0
        lines = self._lines[: max(0, known - 1)]
        for number in range(len(lines), len(entries)):
            text, seat = draw.entry_line(match, number, table)
            lines.append([None if seat is None else letter(seat), text])
        self._entries, self._lines, self._over = entries, lines, over
        return lines


def door_parts(about: str, free: int, sentence: str = "", *, key: str = "") -> Parts:
    """Return the content of the door before anybody has sat down; with the `key` of a game also what that game is."""
    door: Parts = {"about": about or EVENING, "trust": f"{TRUSTED}.", "more": TRUST, "free": free}
    parts: Parts = {"stage": "door", "door": door, "film": [], "told": told_part(sentence, bool(sentence))}
    if key in keys():
        played = game(key)
        door |= {"title": played.title, "goal": played.lesson.goal, "rules": list(touch_blocks(played))}
        door["trust"] = f"{TRUSTED}{SEES if played.hidden else ''}."
        parts["film"] = _film(played)
    return parts


@cache
def _film(played: Game[Any, Any]) -> list[Parts]:
    """Film a few moves of a short game as an onlooker sees them: the touched places, then what each move changes."""
    match, easel = Match(played, played.lesson.options, deal=Deal("door")), Easel()
    dice = Random("door")  # noqa: S311 - nothing is at stake
    names, frames, was = tuple(player(seat) for seat in range(match.state.seats)), list[Parts](), Parts()
    for number in range(_FILMED.stop):
        if number in _FILMED:
            now, _ = easel.draw(match.state.view(None).scene(), names)
            frames.append({**changes(now, was), "path": []})
            was = now
        if not (moves := match.state.legal_moves):
            break
        move = max(dice.sample(moves, min(len(moves), _TRIED)), key=partial(_gain, match))
        if number in _FILMED[:-1] and (path := draft(match.state, str(move)).path):
            frames.append({"path": list(path)})
        match.play(move)
    return frames


def _gain(match: Match, move: Move) -> list[int]:
    """Rate a move by the figures of its player after it."""
    return [*own_figures((foreseen(match.state, move) or match.state).figures(), match.turn or 0).values()]


def evening_parts(names: Sequence[str], own: str) -> Parts:
    """Return the room of the evening, while the host leads to no table, with the names of those who are here."""
    chairs = tuple(PersonRow("", YOU if name == own else name, "") for name in names)
    return _room(Room("", "", "Quadrille", NEXT_GAME, False, 0, chairs), "", [])


def place_parts(seat: "PhoneSeat", remembered: Remembered) -> Parts:
    """Return the content of a seat's page, or of a large screen."""
    front, plays = seat.front or Room("", "", "", seat.lead.about, False, 0), seat.guest is not None
    if isinstance(front, Room):
        return _room(front, seat.notice, [["quit", "Give the seat back", ""]] if plays else [])
    return {"stage": "table" if plays else "screen", **_table(front, remembered, plays=plays)}


def told_part(text: str, alarm: bool) -> Mapping[str, Any]:
    return {"text": shown(text), "alarm": alarm}


def _room(room: Room, notice: str, words: list[list[str]]) -> Parts:
    return {
        "stage": "room",
        "head": {"game": room.game, "title": room.game, "turn": "", "mine": False, "link": ""},
        "room": {
            "terms": room.terms,
            "chairs": [{"name": chair.name, "kind": chair.kind, "you": chair.name == YOU} for chair in room.chairs],
            "seats": room.seats, "said": list(room.said),
        },
        "told": told_part(notice, False),
        "words": words,
        "ask": None,
    }  # fmt: skip


def _table(model: Model, remembered: Remembered, *, plays: bool) -> Parts:
    table, half = model.table, draw.current_draft(model)
    scene, over = draw.told_scene(model), model.shown_match.over
    names = tuple(chair.name for chair in table.chairs)
    state = model.shown_state
    after = None if is_stepped(state) or (then := preview(state, half)) is None else draw.scene_of(then)
    whose, mine = whose_turn(model)
    sentence_told, alarm = touch_message(model, half)
    if table.is_watched and table.match.entries and not over:
        sentence_told = " ".join(filter(None, (model.notice or table.banner, last_move(table))))
    sheet, (board, soft) = scene.sheet, remembered.easel.draw(scene, names, after, draw.finished_maze(model))
    choices = [list(choice) for choice in half.choices if choice[0] != "play"]
    says = "" if half.stage == "none" or sentence(half.says) == sentence_told else half.says
    return {
        "head": {
            "game": table.match.game.title,
            "title": heading(table.match),
            "goal": table.match.game.lesson.goal,
            "turn": whose,
            "mine": mine and table.is_mine,
            "link": table.link,
        },
        "players": {
            panel.seat: _player(model, panel, label, scene)
            for panel, label in zip(scene.panels, draw.seat_labels(model, scene), strict=True)
        },
        **board,
        "marks": {
            "path": list(half.path),
            "nexts": sorted(half.nexts),
            "fresh": [cell.name for cell in sheet.cells if cell.fresh] if sheet else [],
            "soft": soft,
        },
        "draft": {"line": model.line.text, "stage": half.stage, "says": says, "choices": choices},
        "at": table.match.length,
        "told": told_part(sentence_told, alarm),
        "ask": _question(model),
        "log": dict(enumerate(remembered.log(table))),
        "chat": dict(enumerate(table.chat)),
        "signs": list(signs(scene, table.viewer, picks=False, plays=plays)),
        "notes": [note for note in draw.notes(model, scene) if plays or LOOKED not in note]
        + [f"{TRUSTED}{SEES}."] * (plays and table.match.game.hidden),
        "words": _words(model) if plays else [],
        "look": {"at": model.replay.at, "of": table.match.length} if model.replay else None,
        "over": _over(model),
    }


def last_move(table: ShownTable) -> str:
    """Tell the last entry to who watches, and what came of it: `Ann: b3; scores 4 for 2 connections.`"""
    seats = Seats.of(chair.name for chair in table.chairs)
    return stopped(by_name(entry_told(table.match, table.match.length - 1, table.viewer), seats))


def _player(model: Model, panel: Panel, label: SeatLabel, scene: Scene) -> Mapping[str, Any]:
    table, seat = model.table, panel.seat
    left = table.time_left(seat, model.now) if label.clock else None
    runs = table.runs and table.turn == seat
    breaks = {name for name, _ in panel.figures[1:] if not any(dict(track.figures)[name] for track in scene.panels)}
    tracks = [["track", track_words(track), track.place / track.length] for track in scene.tracks if track.seat == seat]
    figures = [[name.replace("_", " "), number] for name, number in panel.figures if name not in breaks]
    known = {
        "seat": seat,
        "letter": letter(seat),
        "name": label.name,
        "kind": label.kind,
        "you": table.viewer == seat,
        "role": panel.role,
        "figures": tracks or figures,  # a track tells more
        "turn": panel.to_move,
        "place": label.place,
        "left": label.left,
        "clock": None if left is None else SeatClock(model.now + left if runs else left, runs),
        "runs": runs and left is not None,
    }
    return {name: what for name, what in known.items() if what or name == "seat"}  # absent: nothing


def wide_part(model: Model, remembered: Remembered) -> Parts:
    """Return the board as a television shows it, where that differs from a phone's."""
    scene = draw.told_scene(model)
    names = tuple(chair.name for chair in model.table.chairs)
    return {} if scene.sheet else remembered.wide.draw(scene, names)[0]


def _question(model: Model) -> Mapping[str, str] | None:
    """Return the question to this person, by the screen itself or by the others."""
    match model.overlay:
        case Question(text):
            return {"text": text}
    return {"text": model.table.banner.removesuffix(TYPED).strip()} if model.table.asks else None


def _words(model: Model) -> list[list[str]]:
    """Return the commands of the menu, each with its help and the kind of its argument."""
    return [
        [
            command.word,
            sentence(command.help.partition(";")[0]).rstrip("."),
            "" if command.takes.startswith("[") else command.takes,
        ]
        for command, own in menu_rows(model)
        if own.word in GUESTS and own.word not in _OWN_WAY
    ]


def _over(model: Model) -> Mapping[str, Any] | None:
    over = model.shown_match.over
    if over is None or model.replay:
        return None
    return {"lines": [ending_text(model.table, over)], "won": over.winners}


def changes(now: Parts, before: Parts) -> Parts:
    """Return the changes for a page that shows `before`. With a new board nothing lies on it."""
    if now.get("board") != before.get("board"):
        before = before | {"spots": {}, "words_of": {}}
    changed: Parts = {}
    for name, part in now.items():
        if name in _ROWS:
            was = before.get(name, {})
            if fresh := {row: part.get(row) for row in was | part if part.get(row) != was.get(row)}:
                changed[name] = fresh
        elif name not in before or part != before[name]:
            changed[name] = part
    return changed
