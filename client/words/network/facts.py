"""Sentences for facts (client/table/network/notices.py), one for each, with placeholders in braces.

`who` is a seat or somebody else, `text` is foreign text, `table` is a number; `chair` is whose seat it is about, and
`player` that seat if nobody is known by name.
"""

from collections.abc import Mapping
from typing import Final

from quadrille.client.table.network.notices import Fact
from quadrille.client.words.answers import TYPED

SENTENCES: Final[Mapping[Fact, str]] = {
    Fact.GAME_BEGAN: "The game begins.",
    Fact.SHUFFLED: "The cards are shuffled.",
    Fact.TABLE_WAITS: "The table waits.",
    Fact.RESIGNING: "You resign. Your resignation takes effect with another player's next move.",
    Fact.STEPPED_ASIDE: "Your table stays open: choose it in the list to go back.",
    Fact.PLAYING_AGAIN: "You have your seat back from the next move on.",
    Fact.MAY_WATCH: "{who} is invited to watch.",
    Fact.MUTED: "You hear no more from {who} here. The game goes on, and that player's moves still count.",
    Fact.GONE: "{who} is away. The table waits.",
    Fact.BACK: "{who} is back.",
    Fact.LAPSED: "{who} plays on, so the proposal lapses.",
    Fact.OPENED_BOOK: "{who} opens the book of cards.",
    Fact.CLOCK_LOW: (
        "By your clock the time of {who} is up, and no word comes from there: flag proposes to put that player out."
    ),
    Fact.SIGNED_TWICE: (
        "The program of {who} signed two different entries for one place, so that player is out of the game. The proof "
        "is kept."
    ),
    Fact.SIGNED_FALSELY: (
        "The program of {who} signed a position that can't be right, so that player is out of the game. The proof is "
        "kept."
    ),
    Fact.SENT_FAULT: "{who} sent an invalid message, which changed nothing: {text}.",
    Fact.SENT_SIGNED_FAULT: (
        "{who} sent an invalid message, which changed nothing: {text}. The signed message is kept as proof."
    ),
    Fact.STAND_IN_ASKED: "{who} is asked to play for {chair}.",
    Fact.STAND_IN_COMES: "{who} comes to play for {chair}.",
    Fact.STANDS_IN_IDLE: "{who} is here, but nobody needs a stand-in any more.",
    Fact.PLAYS_FOR_YOU: "{who} plays for you. Type back to take your seat again.",
    Fact.PLAYS_AGAIN: "{who} has the seat back from the next move on.",
    Fact.WANTS_REMATCH: f"{{who}} wants a rematch. {TYPED}",
    Fact.REMATCH_DECLINED: "You decline the rematch. Type quit to leave, or rematch to accept after all.",
    Fact.REMATCH_REFUSED: "{who} declines the rematch.",
    Fact.REMATCH_LEFT: "{who} has left the network.",
    Fact.LOG_KEPT: "Saved to {text}. quadrille verify checks it.",
    Fact.TABLE_KEPT: "The table is kept: quadrille resume {table}{room} comes back to it.",
    Fact.SEAT_GIVEN: "You have a seat. The game begins when all seats are taken.",
    Fact.SEAT_REFUSED: "There is no seat for you at this table: {text}.",
    Fact.NOT_SEATED: "You stay out of that table.",
    Fact.INVITED: "{who} is invited.",
    Fact.GUEST_LET_IN: "{who} may sit down.",
    Fact.GUEST_TURNED_AWAY: "{who} is turned away.",
    Fact.GUEST_WENT: "{who} asks no longer.",
    Fact.INVITATION_DECLINED: "{who} declines the invitation: {text}.",
    Fact.ARRIVED: "{who} is on the network.",
    Fact.ROOM_LEFT: "You have left the table.",
    Fact.TABLE_CLOSED: "The table is closed.",
    Fact.TABLE_REFUSED: "That is not possible: {text}.",
    Fact.PEER_MISSING: "{text}",
    Fact.REMARK: "Note: {text}.",
    Fact.BLOCKED: "{who} is blocked: you hear nothing more from there.",
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quadrille resume {table}{room} goes there.",
    Fact.PLAYS_ON_ELSEWHERE: "From now on you play at table {table}: quit takes you there.",
    Fact.AGREED_TO_PLAY_ON: "You will play for {player} at table {table} once its players have agreed.",
}
#: A screen's own sentences for these facts, because its lobby leads to other tables.
ON_SCREEN: Final[Mapping[Fact, str]] = {
    Fact.TURN_ELSEWHERE: "It is your turn at another table: quit takes you to the lobby.",
    Fact.PLAYS_ON_ELSEWHERE: (
        "From now on you play at table {table}: quit takes you to the lobby, where you find it in the list."
    ),
}
