"""The effects of commands on the screen, whether they come from the menu, a key or the prompt; and typed lines.

See client/words/commands.py for the table of commands.
"""

from dataclasses import replace

from quadrille.client.bots.names import called
from quadrille.client.reports import is_move
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.screen.table import local, terminal
from quadrille.client.screen.table.line_keys import Line, refused, remembered
from quadrille.client.screen.table.messages import exit_text, turning_cards
from quadrille.client.screen.table.model import (
    Copy,
    Effects,
    Menu,
    Model,
    Question,
    Remember,
    Replay,
    shown_match,
    shown_state,
)
from quadrille.client.screen.table.overlays import help_page
from quadrille.client.table.effects import Advise, Keep, Quit
from quadrille.client.table.notices import About, Fact, Seats, Why
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import (
    Hint,
    LeaveTable,
    Load,
    PlayMove,
    ProposeMotion,
    ResignSeat,
    Save,
    Wish,
)
from quadrille.client.words.commands import Command, by_any_word, by_word, no_seat, slip
from quadrille.client.words.table import by_name
from quadrille.client.words.voice import line
from quadrille.rules.core import WHOLE
from quadrille.rules.core.talk import verdict
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import nearest, quoted


def submit(model: Model) -> tuple[Model, Effects]:
    """Carry out the line: a move if the game reads it as one, otherwise a command."""
    text = " ".join(model.line.text.split())
    if not text:
        return model, ()
    table, model = model.table, replace(model, line=model.line.entered)
    word, _, rest = text.partition(" ")
    command = by_any_word(table.place).get(word.lower())
    if command is not None and not (command.word == word.lower() and _reads(model, text)):
        after = remembered(replace(model, line=Line(), picked=""), text)
        return act(after, command, rest)
    if model.replay and text.isdecimal():
        return _gone_to(model, text), ()
    if table.is_record:
        return refused(model, no_seat(table.place)), ()
    if model.replay:
        return refused(model, "Esc leads back to the table; moves are made there"), ()
    if table.match.over:
        return refused(model, "the game is over: F10 lists what you can do"), ()
    if table.is_watched:
        return refused(model, no_seat(table.place)), ()
    if told := exit_text(table):
        return refused(model, told), ()
    if table.turn is None:
        return refused(model, f"{turning_cards(table)}. This is kept until it is your turn"), ()
    if not table.is_mine and table.given is not None:
        return replace(model, line=Line()), (table.given.on,)
    if not table.is_mine:
        return refused(model, "It is not your turn: this is kept until it is"), ()
    if (near := slip(word, by_word(table.place))) and not _reads(model, text):
        return refused(model, f"{quoted(word)} is neither a move nor a word here: did you mean {near}?"), ()
    return wished(remembered(model, text), "", text)


def _gone_to(model: Model, number: str) -> Model:
    """Go to the position after the move of that number in the list."""
    last = len(model.table.match.entries)
    at = int(number) if len(number) < 9 else last + 1
    if at > last:
        return refused(model, f"there is no move {number}: the last one is {last}")
    return replace(model, replay=Replay(at), line=Line(), notice="", alarm=False)


def _reads(model: Model, text: str) -> bool:
    """Return whether the game reads a line as a move, legal or not."""
    return not model.replay and is_move(model.table.match, text)


def act(model: Model, command: Command, rest: str) -> tuple[Model, Effects]:
    """Carry out a command; `rest` is the text after its word."""
    place = model.table.place
    if no_seat(place) and command.word not in by_word(place):
        return refused(model, no_seat(place)), ()
    match command.word:
        case "help":
            return replace(model, overlay=help_page(model)), ()
        case "menu":
            return replace(model, overlay=Menu()), ()
        case "hint" if not model.table.lesson:
            return _hint(model)
        case "resign":
            return _ask(model, "Resign? You will lose this game.", "resign!")
        case "draw":
            text = "A draw?" if model.table.local and model.table.people == model.table.mine else "Offer a draw?"
            return _ask(model, text, "draw!")
        case "quit":
            return _quit(model)
        case "replay":
            return local.looked_back(model) if model.replay else (local.looking_back(model), ())
        case "save" | "load":
            return _file(model, command.word, rest)
    try:
        wish = command.wished(rest, model.bot, local=model.own is not None)
        return grant(model, wish) if wish is not None else _look(model, command.word, rest)
    except RulesError as error:
        return refused(model, error), ()


def wished(model: Model, word: str, rest: str) -> tuple[Model, Effects]:
    """Carry out what was asked about; without a word it is a move."""
    match word:
        case "":
            table = model.table
            if table.asks and not verdict(shown_state(model), rest)[1]:  # a move voids the others' proposal
                model = replace(model, table=replace(table, asks=False, banner=""))
            return grant(model, PlayMove(rest))
        case "resign!":
            return grant(model, ResignSeat())
        case "draw!":
            return grant(model, ProposeMotion("draw"))
        case "play-on?":
            return _play_on(model)
        case "play-on!" if model.table.local:
            return local.played_on(model, model.replay.at) if model.replay else (model, ())
        case "play-on!":
            match, viewer = shown_match(model), model.table.viewer
            own = viewer if isinstance(viewer, int) else 0
            bots = tuple("" if seat == own else model.bot for seat in range(match.state.seats))
            return replace(model, replay=None, notice=""), (Copy(match.undealt(), bots),)
    return _quit(model)


def grant(model: Model, wish: Wish) -> tuple[Model, Effects]:
    """Grant a wish at a local table; pass it on at any other."""
    return local.grant(model, wish) if model.table.local else (model, (wish,))


def _ask(model: Model, text: str, line: str) -> tuple[Model, Effects]:
    if model.table.match.over:
        return wished(model, line, "") if model.own else (refused(model, "the game is over"), ())
    return replace(model, overlay=Question(text, line), notice=""), ()


def _quit(model: Model) -> tuple[Model, Effects]:
    """Leave; a local table asks once if something would be lost."""
    return local.grant(model, LeaveTable()) if model.own is not None else (model, (Quit(),))


def _hint(model: Model) -> tuple[Model, Effects]:
    table, turn = model.table, model.table.turn
    if model.own is not None and not model.replay:
        return local.grant(model, Hint(model.bot))
    if not table.hints:
        return refused(model, line(Why.NO_HINTS)), ()
    if not table.is_mine or turn is None or model.replay:
        return refused(model, line(Why.NO_HINT_NOW)), ()
    if table.match.game.hidden:
        return refused(model, "no bot may be told what you alone have seen at this table"), ()
    after = replace(model, notice=by_name(About(Fact.HINT_ASKED, called(model.bot)), Seats.of(())), alarm=False)
    return after, (Advise(model.ticket, turn, model.bot, table.match),)


def _play_on(model: Model) -> tuple[Model, Effects]:
    """Enter while looking back: continue the game from here, or a copy of it, after a question."""
    table, match, why = model.table, shown_match(model), ""
    if table.lesson:
        why = "this is a lesson: Esc leads back to its position"
    elif table.local and (table.match.viewer != WHOLE or (table.match.deal is None and match.game.hidden)):
        why = "this saved game does not say how its cards lie, so nobody can play on from it"
    elif not table.local and match.game.hidden:
        why = "not all cards are known here, so this game can only go on at its table"
    elif match.over and not table.local:
        why = "the game is over there: go back to an earlier position"
    elif match.over and table.is_record:
        why = "the game is over: go back to an earlier position"
    elif not table.local:
        text = f"Play on from here in a copy, against {called(model.bot)}? The table waits for you."
    elif table.is_record:
        text = f"Play on from here against {called(model.bot)}? The saved game is not changed."
    elif len(match.entries) == len(table.match.entries):
        return replace(model, replay=None, notice=""), ()
    else:
        text = "Play on from here? The later moves are dropped."
    return (refused(model, why) if why else replace(model, overlay=Question(text, "play-on!"))), ()


def _file(model: Model, word: str, name: str) -> tuple[Model, Effects]:
    """Save or load a game; without a name, one is put at the prompt."""
    match = model.table.match
    if not name:
        seed = f"-{match.deal.seed}" if match.deal and match.deal.seed.isalnum() else ""
        usual = model.file or (f"{match.game.key}{seed}.txt" if word == "save" else "")
        return replace(model, line=Line.of(f"{word} {usual}"), focus="line", notice=""), ()
    if not model.table.local:
        return model, (Save(name, over=name == model.file),)
    if model.own is not None:
        return local.grant(model, Load(name) if word == "load" else Save(name))
    return model, (Load(name) if word == "load" else Keep(name, match, name == model.file, _players(model)),)


def _players(model: Model) -> Players:
    """Return the players of a record, as far as it names them."""
    names = [chair.name if chair.name != f"player {seat + 1}" else "" for seat, chair in enumerate(model.table.chairs)]
    return Players(tuple(names) if any(names) else ())


def _look(model: Model, word: str, rest: str) -> tuple[Model, Effects]:
    look, text = look_after(model.look, word, rest)
    after = replace(model, look=look, notice=text, alarm=False)
    title = (terminal.Entitle(local.title(after) if look.title else ""),) if word == "title" else ()
    return after, (Remember(look), *title)


def look_after(look: terminal.Look, word: str, rest: str) -> tuple[terminal.Look, str]:
    """Change the look or the sound by one of these words; also return the message about it."""
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
