"""The effect of every event on the screen: `update(model, event) -> (model, effects)`, pure.

A key goes to an overlay, else to the replay, the commands (client/words/commands.py), the board's cursor, the line.
See shown.py for the answers to wishes.
"""

import re
from dataclasses import replace
from typing import Final

from quadrille.client.bots.names import called
from quadrille.client.reports import is_move
from quadrille.client.screen.draw.canvas import ClickTarget
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import current_draft, draw, scene_of
from quadrille.client.screen.table.messages import help_page, menu
from quadrille.client.screen.table.model import (
    Changed,
    Effects,
    Entered,
    Event,
    LookedBack,
    Model,
    Own,
    Picked,
    Question,
    Remember,
    Replay,
    ShownTable,
    SitDown,
    Touch,
    Written,
    draft,
    drop,
    pick,
    tidy,
)
from quadrille.client.screen.table.page import Page, turned
from quadrille.client.screen.table.shown import heard, looked_back, looking_back, played_on
from quadrille.client.screen.table.terminal import Line, PickList
from quadrille.client.table import wishes
from quadrille.client.table.game_setup import Cover, seed_of, why_no_copy
from quadrille.client.table.notices import About, Fact, Refused, Seats, Why
from quadrille.client.table.players import Players
from quadrille.client.words import commands
from quadrille.client.words.answers import meaning, pressed
from quadrille.client.words.commands import COMMANDS, Command, Place, by_word
from quadrille.client.words.table import by_name
from quadrille.rules.core.talk import verdict
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Played
from quadrille.rules.squares import nearest, quoted

#: Keys of commands at a table; a command that makes no sense is refused with a reason.
KEYS: Final = commands.by_key(Place.OWN)
ARROWS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
PACE: Final = 700
#: The digits of a banner: one that only counts down is not new.
_DIGITS: Final = re.compile("[0-9]+")
_SECOND: Final = 1000
#: Entries by which a key steps in a replay.
_STEPS: Final = terminal.LIST_KEYS | {"left": -1, "right": 1}


def update(model: Model, event: Event) -> tuple[Model, Effects]:
    after, effects = _updated(model, event)
    if after.table.match.over and after.cursor:  # nothing can be picked any more
        after = replace(after, cursor="", picked="", focus="line")
    return after, effects


def _updated(model: Model, event: Event) -> tuple[Model, Effects]:
    match event:
        case terminal.LEAVES:
            return act(model, COMMANDS["quit"], "")
        case terminal.Key() | terminal.Wheel() if isinstance(model.overlay, Page):
            return replace(model, overlay=turned(model.overlay, event, model.rows, model.columns)), ()
        case terminal.Key() | terminal.Wheel() | terminal.Click() if isinstance(model.overlay, PickList):
            return _listed(model, model.overlay, event)
        case terminal.Key(name):
            return _key(model, name)
        case terminal.Pasted(text) if isinstance(model.overlay, Question) and meaning(text) is not None:
            return _question_key(model, model.overlay, text.strip())
        case terminal.Pasted():
            return replace(terminal.heard(_unasked(model), event), focus="line"), ()
        case terminal.Resized() | terminal.Told():
            return terminal.heard(model, event), ()
        case terminal.Click(_, name):
            return (model, ()) if model.overlay else _chosen(replace(model, cursor=name, focus="board", notice=""))
        case terminal.Wheel(up) if model.replay:
            return _key(model, "left" if up else "right")
        case terminal.Tick(now):
            return _tick(replace(model, now=now))
        case Changed():
            return _table_changed(model, event)
        case Picked() | Written() | Entered() | LookedBack():
            return _touched(model, event)
        case terminal.Begun():
            title = terminal.Entitle(model.table.match.game.title if model.table.is_record else model.title)
            return model, (title, *((SitDown(model.own),) if model.own is not None else _clock(model)))
        case terminal.Wheel():
            return model, ()
    return heard(model, event)


def _made(model: Model, table: ShownTable) -> Model:
    """Clear the line that has just been made as a move; one that says something else stays."""
    fresh = table.match.entries[len(model.table.match.entries) :]
    own = [str(entry.move) for entry in fresh if isinstance(entry, Played) and entry.seat in model.table.mine]
    text = tidy(model.line.text)
    if not own or (text and text != own[-1] and str(verdict(model.shown_state, text)[0]) != own[-1]):
        return model
    return replace(model, line=Line(answer=model.line.answer), picked="")


def _touched(model: Model, event: Touch) -> tuple[Model, Effects]:
    """Take input from screens without keys."""
    match event:
        case Picked(place):
            there = place in scene_of(model.shown_state).places
            return _picked(model, place) if there else replace(model, notice="Nothing lies there.", alarm=True), ()
        case Written(line):
            return replace(model, line=Line.of(line), picked="", focus="board", notice="", alarm=False), ()
        case Entered(line):
            after, effects = submit(replace(model, line=Line.of(line), overlay=None, notice="", alarm=False))
            return (after if after.line.text else replace(after, line=model.line, picked=model.picked)), effects
        case LookedBack(int(at)):
            replay = Replay(max(0, min(at, len(model.table.match.entries))))
            return replace(model, replay=replay, line=Line(), picked="", notice="", alarm=False), ()
    return looked_back(model) if model.replay else (model, ())


def _table_changed(model: Model, event: Changed) -> tuple[Model, Effects]:
    """Show a table as it is now, and what is said about it, unless a new banner takes its place; typed text stays until
    it is a move that was made.
    """
    before, table = model.table, event.table
    moved = before.position != table.position
    is_mine = table.is_mine and not before.is_mine
    if moved:
        replay = model.replay and replace(model.replay, at=min(model.replay.at, table.match.length))
        model = replace(_made(model, table), picked="", replay=None if table.local else replay)
    now = model.now if event.now is None else event.now
    after = replace(model, table=table, ticket=model.ticket + moved, file=event.file, now=now)
    is_new_banner = bool(table.banner) and _DIGITS.sub("", table.banner) != _DIGITS.sub("", before.banner)
    if event.notice and event.alarm and event.table == before:
        after = terminal.refused(after, event.notice)
    elif event.notice and (event.alarm or not is_new_banner):
        after = replace(after, notice=event.notice, alarm=event.alarm)
    elif (before.keeps or not model.alarm) and (
        is_new_banner or is_mine or table.viewer != before.viewer or (moved and (table.match.over or not table.mine))
    ):
        after = replace(after, notice="")  # reported before others moved or looked, or before what the banner says
    if table.cover or isinstance(after.overlay, Cover):
        after = replace(after, overlay=table.cover)
    decides, goes_on = table.votes and not before.votes, not (before.paused or before.match.over)
    rings = decides or (is_mine and goes_on) or (table.match.over and moved and not before.is_mine)
    ring = (terminal.Ring(),) if rings else ()
    title = (terminal.Entitle(after.title),) if after.title != model.title else ()
    return after, (*ring, *title, *_clock(after))


def _clock(model: Model) -> Effects:
    clocks = model.table.clocks
    runs = clocks is not None and model.table.runs and not (model.table.local and clocks.seat is None)
    return (terminal.Wake(_SECOND),) if runs else ()


def _tick(model: Model) -> tuple[Model, Effects]:
    """Let time pass: for the clocks, and for a running replay."""
    effects, replay = _clock(model), model.replay
    if replay is None or not replay.runs:
        return model, effects
    at, last = replay.at + 1, len(model.table.match.entries)
    if at >= last:
        return replace(model, replay=Replay(last)), effects
    return replace(model, replay=Replay(at, runs=True)), (*effects, terminal.Wake(PACE))


# Keys


def _key(model: Model, key: str) -> tuple[Model, Effects]:
    model, ends = terminal.after_answer(model, key, letter_ends=model.overlay is None)
    if ends:
        return model, ()
    match model.overlay:
        case Question():
            return _question_key(model, model.overlay, key)
        case Cover():
            return grant(model, wishes.BareWish.UNCOVER) if key == "enter" else (model, ())
    if command := _command(model, key):
        return act(model, command, "")
    if _answers(model, key):
        return _answered(model, key)
    if model.replay and (not model.line.text or key in ARROWS):
        updated = _replay_key(model, model.replay, key)
        if updated is not None:
            return updated
    return _board_key(replace(model, notice="", alarm=False) if not model.replay else model, key)


def _command(model: Model, key: str) -> Command | None:
    """Return the command of a key; None if it has none. In a lesson some keys have commands of their own."""
    return commands.by_key(model.table.place).get(key, KEYS.get(key))


def _board_key(model: Model, key: str) -> tuple[Model, Effects]:
    """Take a key of the board or the line."""
    on_board = model.focus == "board" and bool(model.cursor)
    match key:
        case "up" | "down" | "left" | "right":
            return _moved_cursor(model, ARROWS[key]), ()
        case "enter" if on_board:
            return _chosen(model)
        case "enter":
            return submit(model)
        case " " if on_board:
            return _picked(model, model.cursor), ()
        case "backspace" | "c-h" if model.focus == "board" and not model.line.selected:
            shorter = drop(model.shown_state, model.line.text) if model.table.is_mine else ""
            return replace(model, line=Line.of(shorter), picked=""), ()
        case "escape":
            cursor = model.cursor if model.line.text else ""
            return replace(model, line=Line(), cursor=cursor, picked="", notice=""), ()
    # A move typed after another was picked replaces it.
    afresh = on_board and key.isalnum() and len(key) == 1 and current_draft(model).stage == "legal"
    before = replace(model, line=Line()) if afresh else model
    after = terminal.at_prompt(before, key, model.table.place, current_draft(model).words)
    return (model if after is None else replace(after, focus="line", picked="")), ()


def _listed(model: Model, pick: PickList, event: terminal.Pointing) -> tuple[Model, Effects]:
    """Take an event of the menu: carry out a chosen command, or put it at the prompt."""
    closed = replace(model, overlay=None)
    if isinstance(event, terminal.Key) and (command := _command(model, event.name)):
        return (closed, ()) if command.word == "menu" else act(closed, command, "")
    line = terminal.picked(pick, event)
    if not isinstance(line, str):
        return replace(model, overlay=line), ()
    if line.endswith(" "):
        return replace(closed, line=Line.of(line), focus="line", notice=""), ()
    return act(closed, by_word(model.table.place)[line], "")


def _question_key(model: Model, overlay: Question, key: str) -> tuple[Model, Effects]:
    """Answer a question; a key that is no answer puts it away, or Enter behind a typed move would be a yes."""
    answer, after = pressed(key), _unasked(model)
    if answer is None:
        return _key(after, key)
    after, effects = grant(after, overlay.wish) if answer else (replace(after, notice=""), ())
    return terminal.answered(after, key), effects


def _unasked(model: Model) -> Model:
    return replace(model, overlay=model.table.cover) if isinstance(model.overlay, Question) else model


def _answers(model: Model, key: str) -> bool:
    """Return whether a key answers a question of others, and does not belong to a line, the board or a replay."""
    line = model.line
    if not model.table.asks or (line.text and not line.selected) or model.replay or pressed(key) is None:
        return False
    if key in ("enter", "escape"):  # only if the question is what is shown
        return not (line.text or model.notice or (model.focus == "board" and model.cursor))
    return not any(place.startswith(key.lower()) for place in scene_of(model.shown_state).places)


def _answered(model: Model, key: str) -> tuple[Model, Effects]:
    """Answer a question of others; it is not shown again before the table reports its new state."""
    after = replace(model, table=replace(model.table, asks=False, banner=""), line=Line(), notice="", alarm=False)
    after, effects = grant(after, wishes.BareWish.AGREE if pressed(key) else wishes.BareWish.DECLINE)
    return terminal.answered(after, key), effects


def _replay_key(model: Model, replay: Replay, key: str) -> tuple[Model, Effects] | None:
    """Take a key during a replay; return None for one that means nothing there."""
    last = len(model.table.match.entries)
    if key in _STEPS:
        return replace(model, replay=Replay(max(0, min(last, replay.at + _STEPS[key]))), notice=""), ()
    match key:
        case " ":
            if replay.runs:
                return replace(model, replay=Replay(replay.at)), ()
            at = 0 if replay.at == last else replay.at
            return replace(model, replay=Replay(at, runs=True), notice=""), (terminal.Wake(PACE),)
        case "escape":
            after, effects = looked_back(model)
            return after, (*effects, *_clock(after))
        case "enter":
            return _play_on(model)
    return None


# The board's cursor, and the mouse


def _moved_cursor(model: Model, step: tuple[int, int]) -> Model:
    """Move the cursor to the nearest place in that direction; after the end nothing can be picked."""
    if model.table.match.over:
        return model
    places = [spot for spot in draw(model).spots if spot.does in ("pick", "word")]
    here = next((spot for spot in places if spot.name == model.cursor), None)
    if here is None:
        return replace(model, cursor=_first_place(model, places), focus="board")
    row, column = here.centre

    def far(spot: ClickTarget) -> tuple[int, int] | None:
        down, right = spot.centre[0] - row, spot.centre[1] - column
        along, across = (down * step[0] * 2, right) if step[0] else (right * step[1], down * 2)
        return (along + 3 * abs(across), along) if along > 0 else None

    distances = [(distance, spot.name) for spot in places if (distance := far(spot)) is not None]
    return replace(model, cursor=min(distances)[1] if distances else model.cursor, focus="board")


def _first_place(model: Model, places: list[ClickTarget]) -> str:
    """Return the cursor's first place: the last picked one, else what can be picked nearest to the last move."""
    half = current_draft(model)
    by_name = {spot.name: spot for spot in places}
    if half.path and half.path[-1] in by_name:
        return half.path[-1]
    names = list(by_name)
    wanted = [name for name in names if name in half.nexts] or [line for _, line in half.choices] or names
    moved = [by_name[place] for place in _last_places(model) if place in by_name]
    if not moved:
        return wanted[len(wanted) // 2] if wanted else ""
    row, column = moved[-1].centre

    def far(name: str) -> int:
        return (2 * (by_name[name].centre[0] - row)) ** 2 + (by_name[name].centre[1] - column) ** 2

    return min((name for name in wanted if name in by_name), key=far, default="")


def _last_places(model: Model) -> list[str]:
    """Return the places that the last move names."""
    played = [entry for entry in model.shown_match.entries if isinstance(entry, Played)]
    known = scene_of(model.shown_state).places
    return [word for word in re.findall(r"\w+", str(played[-1].move)) if word in known] if played else []


def _picked(model: Model, name: str) -> Model:
    """Pick a place or a choice: the line changes."""
    if not model.table.is_mine or model.replay:
        reason = commands.no_seat(model.table.place) or "it is not your turn"
        return terminal.refused(model, reason) if not model.replay else model
    words = [line for _, line in current_draft(model).choices]
    line = name if name in words else pick(model.shown_state, model.line.text, name)
    return replace(model, line=Line.of(line), picked=name, cursor=name, focus="board", notice="", alarm=False)


def _chosen(model: Model) -> tuple[Model, Effects]:
    """Enter or a click on a place of the board: pick it; a second time: play."""
    half = current_draft(model)
    if half.stage == "legal" and model.cursor in (model.picked, tidy(model.line.text)):
        return _play(model, model.line.text)
    return _picked(model, model.cursor), ()


# Commands, whether they come from the menu, a key or the prompt; and typed lines


def submit(model: Model) -> tuple[Model, Effects]:
    """Carry out the line: a move if the game reads it as one, otherwise a command."""
    if not model.line.text.strip():
        return model, ()
    table = model.table
    taken, text, command, rest = terminal.read_line(model, table.place)
    word = text.partition(" ")[0].lower()
    if command is not None and not (command.word == word and _reads(model, text)):
        return act(replace(taken, picked=""), command, rest)
    model = replace(taken, line=Line.of(text).entered)
    if model.replay and text.isdecimal():
        return _gone_to(model, text), ()
    half = draft(model.shown_state, text)
    if table.is_mine and not model.replay and half.move is not None and not half.why:  # no need to look for a slip
        return _play(model, text)
    may_slip = table.is_mine or word not in COMMANDS  # a word of another place is no typo
    if may_slip and commands.slip(word, by_word(table.place)) and not _reads(model, text):
        return terminal.not_known(model, text, table.place, what="neither a move nor a word"), ()
    if table.is_record:
        return terminal.refused(model, commands.no_seat(table.place)), ()
    if model.replay:
        return terminal.refused(model, "Esc leads back to the table; moves are made there"), ()
    if not table.is_mine and table.given is not None:
        return replace(model, line=Line()), (table.given.on,)
    return _play(model, text)


def _gone_to(model: Model, number: str) -> Model:
    """Go to the position after the move of that number in the list."""
    last = len(model.table.match.entries)
    at = int(number) if len(number) < 9 else last + 1
    if at > last:
        return terminal.refused(model, f"there is no move {number}: the last one is {last}")
    return replace(model, replay=Replay(at), line=Line(), notice="", alarm=False)


def _reads(model: Model, text: str) -> bool:
    """Return whether the game reads a line as a move, legal or not."""
    return not model.replay and is_move(model.table.match, text)


def act(model: Model, command: Command, rest: str) -> tuple[Model, Effects]:
    """Carry out a command; `rest` is the text after its word."""
    place = model.table.place
    if commands.no_seat(place) and command.word not in by_word(place):
        return terminal.refused(model, commands.no_seat(place)), ()
    match command.word:
        case "help":
            return replace(model, overlay=help_page(model)), ()
        case "menu":
            return replace(model, overlay=menu(model)), ()
        case "hint" if not model.table.lesson:
            return _hint(model)
        case "resign":
            who = model.table.called(model.table.speaker) if model.table.speaker is not None else ""
            text = f"Resign for {who}, who will lose this game?" if who else "Resign? You will lose this game."
            return _ask(model, text, wishes.BareWish.RESIGN)
        case "draw":
            text = "A draw?" if model.table.local and model.table.people == model.table.mine else "Offer a draw?"
            return _ask(model, text, wishes.BareWish.DRAW)
        case "quit":
            asks = Question(by_name(Fact.WOULD_BE_LOST, Seats.of(())), wishes.BareWish.LEAVE)
            is_asked = not model.table.would_be_lost or model.overlay == asks
            return grant(model, asks.wish) if is_asked else (replace(model, overlay=asks, notice=""), ())
        case "replay":
            return looked_back(model) if model.replay else (looking_back(model), ())
        case "save" | "save!" | "load":
            return _file(model, command.word, rest)
    try:
        wish = command.wished(rest, model.bot)
        return grant(model, wish) if wish is not None else looked(model, model.title, command.word, rest)
    except RulesError as error:
        return terminal.refused(model, error), ()


def _play(model: Model, line: str) -> tuple[Model, Effects]:
    table = model.table
    if table.asks and table.is_mine and not verdict(model.shown_state, line)[1]:  # it voids the others' proposal
        model = replace(model, table=replace(table, asks=False, banner=""))
    return grant(model, wishes.PlayMove(line))


def grant(model: Model, wish: wishes.Wish) -> tuple[Model, Effects]:
    """Wish something at a table, wherever it is; nobody hears it at a record, where only a copy goes on."""
    if wish is wishes.BareWish.LEAVE:
        return model, (terminal.Quit(),)
    if model.own is not None:
        return model, (Own(wish),)
    if isinstance(wish, wishes.PlayOn):
        return played_on(model, wish.entries)
    return model, () if model.table.local else (wish,)


def _ask(model: Model, text: str, wish: wishes.Wish) -> tuple[Model, Effects]:
    if model.table.match.over:
        return grant(model, wish)
    return replace(model, overlay=Question(text, wish), notice=""), ()


def _hint(model: Model) -> tuple[Model, Effects]:
    table, turn = model.table, model.table.turn if model.replay is None else None
    if turn is None or table.no_hint is not None:
        return terminal.refused(model, by_name(Refused(table.no_hint or Why.NO_HINT_NOW), Seats.of(()))), ()
    after = replace(model, notice=by_name(About(Fact.HINT_ASKED, called(model.bot)), Seats.of(())), alarm=False)
    return after, (wishes.Advise(model.ticket, turn, model.bot, table.match),)


def _play_on(model: Model) -> tuple[Model, Effects]:
    """Enter while looking back: continue the game from here, or a copy of it, after a question."""
    table, match = model.table, model.shown_match
    reason = "this is a lesson: Esc leads back to its position" if table.lesson else why_no_copy(match)
    if not table.local and match.game.hidden:
        reason = "not all cards are known here, so this game can only go on at its table"
    elif not reason and match.over and (table.is_record or not table.local):
        reason = f"the game is over{'' if table.local else ' there'}: go back to an earlier position"
    if reason:
        return terminal.refused(model, reason), ()
    if not table.local:
        text = f"Play on from here in a copy, against {called(model.bot)}? The table waits for you."
    elif table.is_record:
        text = f"Play on from here against {called(model.bot)}? The saved game is not changed."
    elif len(match.entries) == len(table.match.entries):
        return replace(model, replay=None, notice=""), ()
    else:
        text = "Play on from here? The later moves are dropped."
    return replace(model, overlay=Question(text, wishes.PlayOn(len(match.entries)))), ()


def _file(model: Model, word: str, name: str) -> tuple[Model, Effects]:
    """Save or load a game; without a name, one is put at the prompt."""
    match = model.table.match
    if not name:
        seed = seed_of(match)
        usual = model.file or (f"{match.game.key}{f'-{seed}' if seed.isalnum() else ''}.txt" if word == "save" else "")
        return replace(model, line=Line.of(f"{word} {usual}"), focus="line", notice=""), ()
    over = word == "save!"
    if model.own is None and model.table.local:
        record = wishes.Keep(name, match, _players(model), over, (model.file,))
        return model, (wishes.Load(name) if word == "load" else record,)
    return grant(model, wishes.Load(name) if word == "load" else wishes.Save(name, over))


def _players(model: Model) -> Players:
    """Return the players of a record, as far as it names them."""
    names = [chair.name if chair.name != f"player {seat + 1}" else "" for seat, chair in enumerate(model.table.chairs)]
    return Players(tuple(names) if any(names) else ())


def looked(screen: terminal.S, title: str, word: str, rest: str) -> tuple[terminal.S, Effects]:
    """Change the look or the sound of any screen by one of these words."""
    look, told = _look_after(screen.look, word, rest)
    after: terminal.S = replace(screen, look=look, notice=told, alarm=False)
    titles = (terminal.Entitle(title if look.title else ""),) if word == "title" else ()
    return after, (Remember(look), *titles)


def _look_after(look: terminal.Look, word: str, rest: str) -> tuple[terminal.Look, str]:
    """Return the look after one of these words, and the message about it."""
    match word:
        case "theme":
            names = list(THEMES)
            theme = rest or names[(names.index(look.theme) + 1) % len(names)]
            if theme not in THEMES:
                known = nearest(rest, THEMES, f"there are {', '.join(THEMES)}")
                raise RulesError(f"there is no theme {quoted(rest)}: {known}")
            return replace(look, theme=theme), f"The theme is {theme}."
        case "ascii":
            return replace(look, plain=not look.plain), "Drawn lines." if look.plain else "Plain letters."
        case "bell":
            return replace(look, bell=not look.bell), f"The bell is {'off' if look.bell else 'on'}."
    told = f"The title of the window {'does not tell' if look.title else 'tells'} whose turn it is."
    return replace(look, title=not look.title), told
