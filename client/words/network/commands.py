"""Words that are typed on the network, as wishes: read once, for every face; and their help.

Whether a wish means anything where the person is, the machine of that place decides (client/table/network).
"""

from collections.abc import Callable, Mapping
from typing import Final

from quadrille.client.table.network import wishes
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import Stage
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.words.typed import SAME_WORDS, takeback

TABLE_HELP: Final = """\
Type a move{example}, or one of these:
  moves [START]   list the legal moves, or those that begin so
  board           draw the board again
  seats           who plays, who is here, and the clocks
  resign          go out of the game
  draw, takeback [N], pause, adjourn, abort
                  propose it; it is done when all the others agree
  yes, no         answer what somebody proposes
  drop, wait, stand-in BOT or NAME
                  what to do about a seat that is gone and has to move
  flag            propose that a seat is out whose time is up by all clocks
  back            play again where another plays on for you
  play-on TABLE   play on for a seat that is gone elsewhere, as somebody asks you to
  say TEXT        say something to all at the table
  invite NAME     let somebody look on
  block NAME      hear nothing more of somebody
  save FILE       keep the log of the game; save! FILE also writes over another file
  book            after a game with hidden cards: let everybody see which lay where
  rematch         once more with the same people, when the game is over
  rules           print the rules of the game
  quit            leave; the table is kept, and quadrille resume comes back to it"""
HOST_HELP: Final = """\
The game begins by itself when all seats are taken. Until then:
  who             who is on the network, and who sits here
  invite NAME     ask somebody to sit down
  kick NAME       take somebody's seat away
  start           begin, when all seats are taken
  play-on TABLE   play on for a seat that is gone, as somebody asks you to; you leave this table then
  block NAME      hear nothing more of somebody
  rules           print the rules of the game
  quit            close the table"""
GUEST_HELP: Final = """\
The game begins by itself when all seats are taken. Until then:
  who             who is on the network, and who sits here
  play-on TABLE   play on for a seat that is gone, as somebody asks you to; you leave this table then
  block NAME      hear nothing more of somebody
  rules           print the rules of the game
  quit            stand up and go"""
SEARCH_HELP: Final = """\
  NUMBER, NAME    take the table of that number in the list, or of that host
  tables          list the tables again
  yes, no         whether to sit down under the arbiter that was shown
  play-on TABLE   play on for a seat that is gone, as somebody asks you to
  block NAME      hear nothing more of somebody
  quit            go"""

#: All words that are wishes on the network, with what is made of the text behind each.
_WISHES: Final[Mapping[str, Callable[[str], NetworkWish]]] = {
    "resign": lambda _: wishes.Resign(),
    "draw": lambda _: wishes.Propose("draw"),
    "takeback": lambda text: takeback(text),
    "pause": lambda _: wishes.Propose("pause"),
    "adjourn": lambda _: wishes.Propose("adjourn"),
    "abort": lambda _: wishes.Propose("abort"),
    "yes": lambda _: wishes.Agree(),
    "no": lambda _: wishes.Decline(),
    "drop": lambda _: wishes.Drop(),
    "flag": lambda _: wishes.Flag(),
    "stand-in": wishes.StandIn,
    "wait": lambda _: wishes.Propose("wait"),
    "back": lambda _: wishes.TakeSeatBack(),
    "say": wishes.Say,
    "invite": wishes.Invite,
    "block": wishes.Block,
    "play-on": lambda text: _play_for(text),
    "book": lambda _: wishes.OpenBook(),
    "save": wishes.Save,
    "save!": lambda text: wishes.Save(text, over=True),
    "rematch": lambda _: wishes.Rematch(),
    "quit": lambda _: wishes.Leave(),
    "who": lambda _: wishes.AskWho(),
    "start": lambda _: wishes.Start(),
    "kick": wishes.Kick,
    "tables": lambda _: wishes.ListTables(),
}
#: The words of each place, those of plain lines among them, in the order in which a slip of the keys is compared.
_TABLE_WORDS: Final = (
    "moves", "board", "seats", "resign", "draw", "takeback", "pause", "adjourn", "abort", "yes", "no", "drop", "flag",
    "stand-in", "wait", "back", "undo", "agree", "say", "invite", "block", "play-on", "book", "save", "save!",
    "rematch", "rules", "help", "quit",
)  # fmt: skip
_GUEST_WORDS: Final = ("who", "rules", "help", "quit", "say", "play-on", "block")
_HOST_WORDS: Final = (*_GUEST_WORDS, "start", "invite", "kick")
_SEARCH_WORDS: Final = ("tables", "yes", "no", "play-on", "block", "help", "quit")
_LOBBY_WORDS: Final = ("block", "play-on")
#: The words of wishes that have no word of their own in them.
_WORDS: Final = {
    wishes.Agree: "yes", wishes.Decline: "no", wishes.Drop: "drop", wishes.Flag: "flag", wishes.TakeSeatBack: "back",
    wishes.OpenBook: "book", wishes.Invite: "invite", wishes.Block: "block", wishes.PlayFor: "play-on",
    wishes.Kick: "kick", wishes.Start: "start", wishes.AskWho: "who", wishes.ListTables: "tables",
    wishes.StandIn: "stand-in", wishes.Takeback: "takeback", wishes.Resign: "resign", wishes.Rematch: "rematch",
    wishes.Say: "say", wishes.Save: "save", wishes.Leave: "quit",
}  # fmt: skip


def network_wish(word: str, rest: str) -> NetworkWish:
    """What a word wishes, with `rest` behind it."""
    make = _WISHES.get(SAME_WORDS.get(word, word))
    return make(rest) if make is not None else wishes.Unknown(word)


def word_of(wish: NetworkWish) -> str:
    """The word that is typed for a wish."""
    match wish:
        case wishes.Play(text) | wishes.Choose(text) | wishes.Propose(text) | wishes.Unknown(text):
            return text
    return _WORDS[type(wish)]


def words_at(stage: Stage) -> tuple[str, ...]:
    """The words that mean something where a person is."""
    match stage:
        case NetworkSeat():
            return _TABLE_WORDS
        case WaitingRoom():
            return _HOST_WORDS if stage.gathering.hosts else _GUEST_WORDS
        case TableSearch():
            return _SEARCH_WORDS
    return _LOBBY_WORDS


def _play_for(text: str) -> wishes.PlayFor:
    table, _, name = text.strip().partition(" ")
    return wishes.PlayFor(table, name)
