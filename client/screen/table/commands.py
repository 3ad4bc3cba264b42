"""What commands do on the screen: those of the menu, the keys and the prompt are the same.

Lines that are typed come in here, too. Which commands there are is decided in client/words/commands.py.
"""

from dataclasses import replace
from typing import cast

from quadrille.client.bots.names import called
from quadrille.client.reports import is_move
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.screen.table import local
from quadrille.client.screen.table.line_keys import remembered
from quadrille.client.screen.table.model import (
    Advise,
    Copy,
    Effects,
    Entitle,
    Keep,
    Line,
    Load,
    Look,
    Menu,
    Model,
    PlayMove,
    ProposeMotion,
    Question,
    Quit,
    Remember,
    ResignSeat,
    Wish,
    shown_match,
)
from quadrille.client.screen.table.overlays import help_page
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.table.notices import HintAsked, Why
from quadrille.client.table.wishes import Hint, LeaveTable, Save
from quadrille.client.words.commands import NO_SEAT, Command, by_any_word, by_word, slip
from quadrille.client.words.table import REFUSALS, by_name
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted


def submit(model: Model) -> tuple[Model, Effects]:
    """Do what the line says: a move where the game reads it as one, else a word of ours."""
    text = " ".join(model.line.text.split())
    if not text:
        return model, ()
    table = model.table
    word, _, rest = text.partition(" ")
    command = by_any_word(table.place).get(word.lower())
    if command is not None and not (command.word == word.lower() and _reads(model, text)):
        after = remembered(replace(model, line=Line(), picked=""), text)
        return act(after, command, rest)
    if table.is_record:
        return told(model, NO_SEAT[table.place]), ()
    if model.replay:
        return told(model, "Esc leads back to the table; moves are made there"), ()
    if table.turn is None:
        return told(model, f"{quoted(word)} is no word here, and the game is over: F10 lists what can be done"), ()
    if table.is_watched:
        return told(model, NO_SEAT[table.place]), ()
    if not table.is_mine:
        return told(model, "It is not your turn: this is kept until it is"), ()
    if (near := slip(word, by_word(table.place))) and not _reads(model, text):
        return told(model, f"{quoted(word)} is neither a move nor a word here: did you mean {near}?"), ()
    return wished(remembered(model, text), "", text)


def _reads(model: Model, text: str) -> bool:
    """Whether the game reads a line as a move, legal or not."""
    return not model.replay and is_move(model.table.match, text)


def told(model: Model, text: str) -> Model:
    """The model with a refusal."""
    return replace(model, notice=text + ("" if text.endswith("?") else "."), alarm=True)


def act(model: Model, command: Command, rest: str) -> tuple[Model, Effects]:
    """Do what a command says; `rest` is what stands behind its word."""
    place = model.table.place
    if place in NO_SEAT and command.word not in by_word(place):
        return told(model, NO_SEAT[place]), ()
    match command.word:
        case "help":
            return replace(model, overlay=help_page(model)), ()
        case "menu":
            return replace(model, overlay=Menu()), ()
        case "hint":
            return _hint(model)
        case "resign":
            return _ask(model, "Resign? You are out of the game then.", "resign!")
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
    except RulesError as error:
        return told(model, str(error)), ()
    return grant(model, wish) if wish is not None else _look(model, command.word, rest)


def wished(model: Model, word: str, rest: str) -> tuple[Model, Effects]:
    """What was asked about and is to be done; with no word a move."""
    match word:
        case "":
            return grant(model, PlayMove(rest))
        case "resign!":
            return grant(model, ResignSeat())
        case "draw!":
            return grant(model, ProposeMotion("draw"))
        case "play-on?":
            return _play_on(model)
        case "play-on!":
            return _played_on(model, model.replay.at) if model.replay else (model, ())
    return _quit(model)


def grant(model: Model, wish: Wish | NetworkWish) -> tuple[Model, Effects]:
    """A wish: done here at a local table, handed on at any other."""
    return local.grant(model, cast("Wish", wish)) if model.table.local else (model, (wish,))


def _ask(model: Model, text: str, line: str) -> tuple[Model, Effects]:
    if model.table.match.over:
        return wished(model, line, "") if model.own else (told(model, "the game is over"), ())
    return replace(model, overlay=Question(text, line), notice=""), ()


def _quit(model: Model) -> tuple[Model, Effects]:
    """Away; a local table asks once where something would be lost."""
    return local.grant(model, LeaveTable()) if model.own is not None else (model, (Quit(),))


def _hint(model: Model) -> tuple[Model, Effects]:
    table, turn = model.table, model.table.turn
    if model.own is not None and not model.replay:
        return local.grant(model, Hint(model.bot))
    if not table.is_mine or turn is None or model.replay:
        return told(model, REFUSALS[Why.NO_HINT_NOW]), ()
    if table.match.game.hidden:
        return told(model, "no bot may be told what you alone have seen at this table"), ()
    after = replace(model, notice=by_name(HintAsked(model.bot)), alarm=False)
    return after, (Advise(model.ticket, turn, model.bot, table.match),)


def _play_on(model: Model) -> tuple[Model, Effects]:
    if not model.table.local:
        return _play_copy(model)
    if model.table.match.viewer != "whole" or (model.table.match.deal is None and model.table.match.game.hidden):
        return told(model, "this record does not say how its cards lie: it can't be played on"), ()
    if model.table.is_record:
        if shown_match(model).over:
            return told(model, "the game is over: go back to an earlier position"), ()
        text = f"Play on from here, against {called(model.bot)}? The record stays."
        return replace(model, overlay=Question(text, "play-on!")), ()
    if model.replay and model.replay.at == len(model.table.match.entries):
        return replace(model, replay=None, notice=""), ()
    return replace(model, overlay=Question("Play on from here? The moves after it are dropped.", "play-on!")), ()


def _play_copy(model: Model) -> tuple[Model, Effects]:
    """A game on the network goes on at its table; where all is known a copy of it can go on here."""
    match = shown_match(model)
    if match.game.hidden:
        return told(model, "not all cards are known here: this game goes on at its table only"), ()
    if match.over:
        return told(model, "the game is over there: go back to an earlier position"), ()
    text = f"Play on from here on a copy, against {called(model.bot)}? The table waits."
    return replace(model, overlay=Question(text, "play-on!")), ()


def _played_on(model: Model, at: int) -> tuple[Model, Effects]:
    table, match = model.table, shown_match(model)
    if table.local:
        return local.played_on(model, at)
    own = table.viewer if isinstance(table.viewer, int) else 0
    bots = tuple("" if seat == own else model.bot for seat in range(match.state.seats))
    return replace(model, replay=None, notice=""), (Copy(match.undealt(), bots),)


def _file(model: Model, word: str, name: str) -> tuple[Model, Effects]:
    """A game is kept or read; without a name, one is put at the prompt."""
    match = model.table.match
    if not name:
        seed = f"-{match.deal.seed}" if match.deal and match.deal.seed.isalnum() else ""
        usual = model.file or (f"{match.game.key}{seed}.txt" if word == "save" else "")
        return replace(model, line=Line.of(f"{word} {usual}"), focus="line", notice=""), ()
    if not model.table.local:
        return model, (Save(name, over=name == model.file),)
    if model.own is not None:
        return local.grant(model, Load(name) if word == "load" else Save(name))
    return model, (Load(name) if word == "load" else Keep(name, match, over=name == model.file),)


def _look(model: Model, word: str, rest: str) -> tuple[Model, Effects]:
    """How it is to look and sound; it is remembered."""
    try:
        look, text = look_after(model.look, word, rest)
    except RulesError as error:
        return told(model, str(error)), ()
    after = replace(model, look=look, notice=text, alarm=False)
    effects: Effects = (Remember(look),)
    if word == "title":
        effects = (*effects, Entitle(local.title(after) if look.title else ""))
    return after, effects


def look_after(look: Look, word: str, rest: str) -> tuple[Look, str]:
    """How it looks and sounds after one of these words, and what to say about it."""
    match word:
        case "theme" if rest in THEMES:
            look = replace(look, theme=rest)
        case "theme" if not rest:
            names = list(THEMES)
            look = replace(look, theme=names[(names.index(look.theme) + 1) % len(names)])
        case "theme":
            raise RulesError(f"there is no theme {quoted(rest)}: there are {', '.join(THEMES)}")
        case "ascii":
            look = replace(look, plain=not look.plain)
        case "bell":
            look = replace(look, bell=not look.bell)
        case "title":
            look = replace(look, title=not look.title)
    return look, _look_text(look, word)


def _look_text(look: Look, word: str) -> str:
    match word:
        case "theme":
            return f"The theme is {look.theme}."
        case "ascii":
            return "Plain letters." if look.plain else "Drawn lines."
        case "bell":
            return f"The bell is {'on' if look.bell else 'off'}."
    return f"The title of the window {'tells' if look.title else 'does not tell'} whose turn it is."
