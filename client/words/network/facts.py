"""Sentences for facts (client/table/network/notices.py): one for each, with what it is about in braces.

`who` is a seat or somebody else, `text` are foreign words, `table` is a number; `chair` is whose seat it is about,
and `player` that seat where nobody is known by name.
"""

from collections.abc import Mapping
from typing import Final

from quadrille.client.table.network.notices import Fact
from quadrille.client.words.answers import TYPED

SENTENCES: Final[Mapping[Fact, str]] = {
    Fact.GAME_BEGAN: "The game begins.",
    Fact.SHUFFLED: "The cards are shuffled.",
    Fact.TABLE_WAITS: "The table waits.",
    Fact.RESIGNING: "You resign: it is done with the next move of another.",
    Fact.STEPPED_ASIDE: "Your table is kept open: pick it in the list to go back.",
    Fact.PLAYING_AGAIN: "You play again from the next move on.",
    Fact.MAY_WATCH: "{who} is invited to look on.",
    Fact.MUTED: "You hear no more words of {who} here. The game goes on: its moves still count.",
    Fact.GONE: "{who} is gone. The table waits.",
    Fact.BACK: "{who} is back.",
    Fact.OPENED_BOOK: "{who} opens its book.",
    Fact.CLOCK_LOW: (
        "The time of {who} is up by your clock, and it says nothing: flag puts it out of the game, once all the others "
        "agree."
    ),
    Fact.SIGNED_TWICE: (
        "The program of {who} signed two different entries for one place: it is out of the game, and the proof is kept."
    ),
    Fact.SIGNED_FALSELY: (
        "The program of {who} signed a position that can't be right: it is out of the game, and the proof is kept."
    ),
    Fact.SENT_FAULT: "{who} sent what can't stand, and nothing has changed: {text}.",
    Fact.SENT_SIGNED_FAULT: (
        "{who} sent what can't stand, and nothing has changed: {text}. What it signed is kept, as the proof."
    ),
    Fact.STAND_IN_ASKED: "{who} is asked whether it plays on for {chair}.",
    Fact.STAND_IN_COMES: "{who} comes, to play on for {chair}.",
    Fact.STANDS_IN_IDLE: "{who} is here, but nobody has to be stood in for any more.",
    Fact.PLAYS_FOR_YOU: "{who} plays on for you: type back to take your seat again.",
    Fact.PLAYS_AGAIN: "{who} plays again from the next move on.",
    Fact.WANTS_REMATCH: f"{{who}} wants a rematch. {TYPED}",
    Fact.REMATCH_DECLINED: "You decline the rematch. Type quit to leave, or rematch to sit down after all.",
    Fact.LOG_KEPT: "kept in {text}; quadrille verify checks it",
    Fact.TABLE_KEPT: "The table is kept: quadrille resume {table}{room} comes back to it.",
    Fact.SEAT_GIVEN: "You have a seat. The game begins when all seats are taken.",
    Fact.SEAT_REFUSED: "There is no seat for you at this table: {text}.",
    Fact.NOT_SEATED: "You do not sit down there.",
    Fact.INVITED: "{who} is invited.",
    Fact.INVITATION_DECLINED: "{who} does not come: {text}.",
    Fact.ARRIVED: "{who} is on the network.",
    Fact.ROOM_LEFT: "You have left the table.",
    Fact.TABLE_CLOSED: "The table is closed.",
    Fact.TABLE_REFUSED: "That is not possible: {text}.",
    Fact.PEER_MISSING: "{text}",
    Fact.REMARK: "Note: {text}.",
    Fact.BLOCKED: "{who} is blocked: you hear nothing more of it.",
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quadrille resume {table}{room} goes there.",
    Fact.PLAYS_ON_ELSEWHERE: "You play on at table {table} from now on: quit leads there.",
    Fact.AGREED_TO_PLAY_ON: "You play on for {player} at table {table}, once its seats have decided it.",
}
#: The sentences that a screen has in place of these, because its lobby leads to other tables.
ON_SCREEN: Final[Mapping[Fact, str]] = {
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quit leads to the lobby.",
    Fact.PLAYS_ON_ELSEWHERE: (
        "You play on at table {table} from now on: quit leads to the lobby, where it is in the list."
    ),
}
