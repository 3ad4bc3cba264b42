"""From a typed word to its wish at a place of the network, and back."""

from typing import Final, cast

from quadrille.client.table.network import wishes
from quadrille.client.table.network.wishes import BareWish, NetworkWish
from quadrille.client.words.commands import Place, by_any_word

#: Wishes that do not contain their own words.
_WORDS: Final = {
    wishes.InvitePeer: "invite", wishes.BlockPeer: "block", wishes.PlayFor: "play-on", wishes.Kick: "kick",
    wishes.StandIn: "stand-in", wishes.Takeback: "takeback", wishes.ResignSeat: "resign", wishes.Rematch: "rematch",
    wishes.Say: "say", wishes.Save: "save", wishes.LeaveTable: "quit",
}  # fmt: skip


def network_wish(place: Place, word: str, rest: str) -> NetworkWish:
    """The wish of a word at a place of the network, with `rest` after it."""
    command = by_any_word(place).get(word)
    wish = command.wished(rest, local=False) if command is not None else None
    return cast("NetworkWish", wish) if wish is not None else wishes.UnknownWord(word)


def word_of(wish: NetworkWish) -> str:
    """The typed word for a wish."""
    match wish:
        case wishes.PlayMove(text) | wishes.Choose(text) | wishes.ProposeMotion(text) | wishes.UnknownWord(text):
            return text
        case BareWish():
            return wish.value
    return _WORDS[type(wish)]
