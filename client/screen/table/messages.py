"""The sentences of the table screen: the turn, the meaning of the line at the prompt, the result, what can be done."""

from dataclasses import replace
from typing import Final

from quadrille.client.bots.levels import pace_text
from quadrille.client.reports import is_move
from quadrille.client.screen.draw.canvas import wrapped
from quadrille.client.screen.table.model import Model, Question, ShownTable, preview
from quadrille.client.screen.table.page import Page, keys_page, rules_page
from quadrille.client.screen.table.terminal import PickList, typed_text
from quadrille.client.table.game_setup import Cover
from quadrille.client.table_setup import BEGINNER
from quadrille.client.words.answers import LETTERS, PRESSED, asked
from quadrille.client.words.commands import Command, by_word, key_name, no_seat, offered
from quadrille.client.words.story import YOU, by_name, gone, sentence, stopped, story_since, verdict
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import Figures, Over, ToMove
from quadrille.rules.core.talk import Half
from quadrille.rules.match import Adjudicated, Agreed, Left, Played
from quadrille.rules.scene import letter

#: Further keys, for the help.
_OTHER_KEYS: Final = (
    ("letters, digits", "type a move or a word at the prompt, wherever you are"),
    ("arrows", "move the cursor on the board"),
    ("Enter", "on the board: pick; once more: play. After typing: do what is typed"),
    ("Space", "on the board: pick, or put back"),
    ("Backspace", "on the board: drop what was picked last"),
    ("mouse", "click to pick, click again to play; everything at the edges too"),
    ("Tab", "complete what is typed"),
    ("Esc", "clear the line, close what is open"),
    ("y, n", "answer a question: yes and no, Enter and Esc do the same"),
)
_REPLAY_KEYS: Final = (
    ("left, right", "one move back or on"),
    ("PgUp, PgDn", "ten moves back or on"),
    ("Home, End", "the start, the last position"),
    ("a number, Enter", "the position after that move"),
    ("Space", "go on by itself, or stop"),
    ("Enter", "play on from here"),
    ("Esc", "back to the table"),
)
_MOST_WORDS: Final = 12
#: In place of a number of rows: there is room, and nobody has keys.
_BY_TOUCH: Final = 0
#: Figures that every move changes: their change is no gain.
_NO_GAIN: Final = ("last_coin", "last_mover", "drawn", "left")


def head_right(model: Model) -> tuple[str, bool]:
    """Return the right end of the first line, and whether to highlight it."""
    table = model.table
    parts, strong = whose_turn(model)
    if not model.replay:
        parts = f"{'WATCHING  ' if table.is_watched else ''}{'PAUSED  ' if table.rests else ''}{parts}"
    turn = table.turn
    left = table.time_left(turn, model.now) if turn is not None and not model.replay else None
    if left is not None:
        parts += f"  {clock_text(left)}"
    return f"{parts}  {table.link}", strong


def whose_turn(model: Model) -> tuple[str, bool]:
    """Name the seat to move; also return whether it belongs to somebody here."""
    table, turn = model.table, model.table.turn
    if model.replay:
        return f"REPLAY {model.replay.at} of {len(table.match.entries)}", False
    if table.lesson:
        return table.lesson, table.is_mine
    if table.paused:
        return "PAUSED", False
    if turn is None:
        return ("OVER", True) if table.match.over else ("CARDS", False)
    if table.is_mine:
        several = len(table.mine) > 1
        return (f"TURN OF {letter(turn)}" if several else "YOUR TURN"), True
    if turn == table.viewer:
        return "YOUR TURN SOON", False
    return f"{letter(turn)} {table.called(turn)} {'thinks' if table.chairs[turn].bot else 'moves'}", False


def message(model: Model, half: Half, rows: int = 2) -> tuple[str, bool]:
    """Return the message in `rows` rows above the prompt, and whether it is a refusal."""
    match model.overlay:
        case Question(text):
            return asked(text), True
        case Cover(seat):
            return (
                f"{model.notice} Press Enter, then hand over to {letter(seat)} {model.table.called(seat)}.".strip(),
                False,
            )
    told, alarm = _told(model, half, rows)
    hides = model.table.asks and not model.replay and (model.notice or model.line.text.strip())
    return (f"{_banner(model)} {told}", True) if hides else (told, alarm)


def touch_message(model: Model, half: Half) -> tuple[str, bool]:
    """Return the message for a screen without keys, where buttons show choices and questions of others are apart."""
    table = model.table
    if model.replay:
        return model.notice, model.alarm
    apart = replace(table, asks=False, banner="" if table.asks else table.banner)
    return _told(replace(model, table=apart), half, _BY_TOUCH)


def _told(model: Model, half: Half, rows: int) -> tuple[str, bool]:
    """Return the message apart from the person's concern."""
    if model.notice:
        if (over := model.table.match.over) and not (model.alarm or model.replay or model.table.lesson):
            return _over_text(model, over, rows), False
        return model.notice, model.alarm
    if model.replay and (number := model.line.text.strip()).isdecimal():
        return f"Enter goes to move {number} of {len(model.table.match.entries)}.", False
    if model.replay:
        plays = "" if model.table.lesson else "Enter plays on from here; "
        where = "leaves" if model.table.is_record else "leads back"
        return f"left, right step; Space runs; {plays}Esc {where}.", False
    if model.table.banner and not (rows and model.line.text.strip()):
        return f"{exit_text(model.table, rows)} {_banner(model)}".strip(), True
    if rows and (words := _command(model, half)):
        return words, False
    return _about_move(model, half, rows)


def _fits(model: Model, text: str, rows: int) -> bool:
    return not rows or len(wrapped(text, model.columns - 2)) <= rows


def _banner(model: Model) -> str:
    """Return the person's concern. Enter and Esc answer it unless the cursor is on the board or a message is there."""
    banner, line = model.table.banner, model.line
    if not model.table.asks:
        return banner
    on_board = model.focus == "board" and bool(model.cursor)
    if line.text.strip() and not line.selected:
        return asked(banner, f"Esc clears the line. Then {LETTERS}")
    return asked(banner, LETTERS if on_board or model.notice or line.text else PRESSED)


def turning_cards(table: ShownTable) -> str:
    """Say that cards are being turned, and by whom."""
    sentence = "Cards are being turned"
    if table.awaits is None or table.awaits == table.viewer:
        return sentence
    return f"{sentence}: {table.called(table.awaits)} is awaited"


def _command(model: Model, half: Half) -> str:
    """Explain a command while it is typed."""
    text, place = model.line.text, model.table.place
    if not text or half.stage == "legal" or is_move(model.table.match, text):
        return ""
    is_word = text.split(" ")[0].lower() in by_word(place)
    return typed_text(text, place) if is_word or half.stage != "begun" else ""


def exit_text(table: ShownTable, rows: int) -> str:
    """Say how the person here left the game, and what to do now; "" for a person who plays on or only watches."""
    left = table.own_exit
    if left is None:
        return ""
    ways = f": {'F6 begins a new game, ' if table.local else ''}Ctrl-Q leaves" if rows else ""
    return f"{sentence(gone(YOU, left.how))} The others play on{ways}."


def _about_move(model: Model, half: Half, rows: int) -> tuple[str, bool]:
    table = model.table
    if over := table.match.over:
        return _over_text(model, over, rows), False
    if ending := exit_text(table, rows):
        longer = " ".join(filter(None, (_story(model), ending)))
        return longer if _fits(model, longer, rows) else ending, False
    if table.turn is None:
        types = bool(model.line.text.strip()) and not table.is_watched
        kept = " Your line is kept until your turn." if types else ""
        return f"{turning_cards(table)}.{kept}", False
    if half.stage == "legal":
        plays = " Enter plays it." if rows else ""
        return f"{model.line.text.strip()} is legal{_gain(model, half)}.{plays}", False
    if half.stage == "begun":
        more = " …" if len(half.words) > _MOST_WORDS else ""
        words = f"Tab: {', '.join(half.words[:_MOST_WORDS])}{more}" if half.words and rows else ""
        return f"{sentence(half.says) if half.says else ''} {words}".strip(), False
    if half.stage in ("wrong", "foreign"):
        return sentence(by_name(half.says, table.called)), True
    if rows and model.line.text.strip():
        return sentence(no_seat(table.place) or "it is not your turn: your line is kept until it is"), False
    return _prompting(model, half, rows), False


def _prompting(model: Model, half: Half, rows: int) -> str:
    """Return events, the aim or a tip, and choices: as much as has room, the tip first."""
    story, invitation = _story(model), _invitation(model, half, rows)
    lesson = _lesson(model.table) if rows else ""  # a page has the aim beside the game
    ways = (story, lesson, invitation), (story, _lesson(model.table, briefly=True), invitation), (story, lesson)
    texts = [" ".join(filter(None, parts)) for parts in ways]
    last = lesson or story or invitation
    return next((text for text in texts if text and _fits(model, text, rows)), last)


def _story(model: Model) -> str:
    """Tell what the moves did from the last one of a person here on; tell a watcher of one move."""
    match, first = model.shown_match, model.first_news
    before = match.entries[first - 1] if first else None
    own = isinstance(before, Played) and before.seat in model.table.mine
    return story_since(match, first - own, model.table.called)


def _lesson(table: ShownTable, *, briefly: bool = False) -> str:
    """Return the aim, and if not `briefly` who plays and at what pace, until somebody here has moved; then the tips of
    a first game.
    """
    match, bots = table.match, [chair.bot for chair in table.chairs]
    made = sum(isinstance(entry, Played) and entry.seat in table.mine for entry in match.entries)
    # the lobby's own first game, or one like it
    is_first = set(bots) == {"", BEGINNER} and match.state.options.changed() == dict(match.game.lesson.options)
    if made == 0:
        pace = "" if is_first or not table.local else pace_text(bots)
        if table.local and len(table.mine) == len(bots) > 1:
            pace = "Everybody plays at this keyboard."
        return f"{match.game.lesson.goal} {'' if briefly else pace}".strip() if table.mine else ""
    tips = match.game.lesson.tips if is_first and table.is_mine and table.local else ()
    return f"Tip: {tips[made - 1]}" if made <= len(tips) else ""


def _invitation(model: Model, half: Half, rows: int) -> str:
    """Return the choices while nothing is typed."""
    table = model.table
    if table.paused:
        return "Paused. F8 continues."
    if not table.is_mine:
        return _awaited(table)
    if not rows:
        return sentence(half.says or ("touch a marked place" if half.nexts else "choose a move"))
    example = next(iter(half.words), "")
    return f"Type a move{f', such as {example}' if example else ''}, or pick one with the arrows or the mouse."


def _awaited(table: ShownTable) -> str:
    """Name the seat that is to move."""
    if table.turn == table.viewer:  # it is about to be: cards are dealt, or moves that others know are on their way
        return "Your turn is about to begin."
    who = table.called(table.turn or 0)
    return f"{who} is thinking." if table.chairs[table.turn or 0].bot else f"{who} is to move."


def _gain(model: Model, half: Half) -> str:
    """Return the figures that a legal move changes: `: points 10 -> 14`."""
    state = model.shown_state
    pending, then = state.pending, preview(state, half)
    if then is None or not isinstance(pending, ToMove):
        return ""
    before, after = (own_figures(figures, pending.seat) for figures in (state.figures(), then.figures()))
    changes = [
        f"{name.replace('_', ' ')} {before[name]} → {after[name]}"
        for name in before
        if before[name] != after[name] and name not in _NO_GAIN
    ]
    return f": {', '.join(changes)}" if changes else ""


def own_figures(figures: Figures, seat: int) -> dict[str, int]:
    """Return the figures of a seat, and those of the table."""
    own = {name: row if isinstance(row, int) else row[seat] for name, row in figures.items()}
    return {name: number for name, number in own.items() if isinstance(number, int)}


def _over_text(model: Model, over: Over, rows: int) -> str:
    """Return the last message and the result; if there is room, also the keys at the foot that go on."""
    table, notice = model.table, stopped(model.notice) if model.notice else ""
    rematch = "F6 rematch, " if "rematch" in by_word(table.place) else ""
    ending = ending_text(table, over, briefly=bool(notice))
    text = f"{notice} {ending}".strip()
    if not _fits(model, text, rows):
        return f"{ending} {notice}".strip()
    longer = f"{text} {rematch}F5 replay, F7 save."
    return longer if rows and _fits(model, longer, rows) else text


def ending_text(table: ShownTable, over: Over, *, briefly: bool = False) -> str:
    """Name the winner, the margin, and the reason of the end; `briefly` if an agreed draw was reported already."""
    own = table.mine[0] if len(table.mine) == 1 else None
    sentence_told = verdict(table.match, over, table.called, own)
    match table.match.entries[-1]:
        case Agreed() if briefly:
            reason = ""
        case Left(seat, how):
            reason = f" {sentence(gone(table.called(seat), how))}"
        case Agreed() | Adjudicated():
            reason = f" {sentence(by_name(over.reason, table.called))}"
        case _:
            reason = f" The game is over: {by_name(over.reason, table.called)}."
    return f"{sentence_told}{reason}"


# The commands that make sense here


def help_page(model: Model) -> Page:
    """Make a page of the rules, with a page of the keys behind it."""
    played = model.table.match.game
    rows = [*_OTHER_KEYS, *(command.row for command in offered_here(model) if command.help)]
    parts = ("# Keys and words at the table", rows), ("# While looking back", _REPLAY_KEYS)
    return replace(rules_page(played), other=keys_page(f"{played.title}: keys", *parts))


def offered_here(model: Model) -> tuple[Command, ...]:
    """Return the commands here, by other words if the game's moves use theirs."""
    match = model.table.match
    commands_here = offered(model.table.place)
    return tuple(
        command._replace(word=command.same[0]) if command.same and is_move(match, command.word) else command
        for command in commands_here
    )


def menu(model: Model) -> PickList:
    """List the commands; one with an argument is put at the prompt, to be completed there."""
    rows = []
    for command, own in menu_rows(model):
        is_open = own.takes not in ("", "FILE") and not own.takes.startswith("[")
        rows.append((f"{command.word:9} {key_name(command.key):6} {command.help}", own.word + " " * is_open))
    return PickList("Actions", tuple(rows))


def menu_rows(model: Model) -> list[tuple[Command, Command]]:
    """Return the commands that are possible now, each as it is called here, and as it is."""
    known = zip(offered_here(model), offered(model.table.place), strict=True)
    return [(command, own) for command, own in known if own.help and own.word not in model.table.useless]
