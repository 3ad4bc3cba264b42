"""The choice of a table among those that others offer."""

from collections.abc import Callable
from typing import Final

from quadrille.client.claimed_names import shown_name
from quadrille.client.table import notices, wishes
from quadrille.client.table.notices import About, Fact, NotGranted, Why
from quadrille.client.table.stage import Heard, NetworkContext, NetworkStage
from quadrille.net.entries.wire import Offer
from quadrille.net.seating.gathering import ChairRefused
from quadrille.net.seating.lobby import At, Began, Lobby
from quadrille.net.seating.offers import has_room, host_name, is_meant, offers, unplayable

#: Milliseconds from the first table found until it counts as the only one, and until its absence is reported.
SETTLED: Final = 1500
PATIENCE: Final = 5000


class TableSearch(NetworkStage):
    """Waits for a table that fits, asks if there are several, and goes on to it."""

    offers = "CHOOSING"

    def __init__(
        self,
        context: NetworkContext,
        wanted: str = "",
        *,
        sits: bool = False,
        others: tuple[str, ...] = (),
        address: str = "",
        is_there: Callable[[bytes], bool] | None = None,
    ) -> None:
        """Prepare the search. A person who `sits` gets a seat, and so do `others` at this keyboard; else they watch.

        With an `address`, only tables of the program there count: `is_there` recognises its key.
        """
        super().__init__(context)
        self.wanted = wanted
        self.sits = sits
        self._people = tuple((name, "person") for name in others)
        self._states = ("open", "agreeing", "playing") if sits else ("playing",)
        self._address = address
        self._is_there = is_there
        self._since = context.now()
        self._found_at: int | None = None
        #: The tables among which the person chooses.
        self.listed: list[bytes] = []
        self._gone_to: bytes | None = None
        self._told_none = False
        self._is_explained = False  # a cause was reported
        if address:  # what was reported before may concern it
            context.told_absent.clear()

    @property
    def is_idle(self) -> bool:
        return bool(self.listed) or self.context.now() - self._since > PATIENCE

    def _found(self) -> list[Offer]:
        """Return the tables that are meant. A person who sits down gets a free seat, if there is any; else a place in
        line at the table that was named, or at the only one.
        """
        lobby, is_there = self.context.lobby, self._is_there
        offered = [offer for offer in offers(lobby, *self._states) if is_there is None or is_there(offer.host)]
        meant = [offer for offer in offered if not self.wanted or is_meant(lobby, offer, self.wanted)]
        free = [offer for offer in meant if offer.state == "open" and has_room(offer, self.context.key)]
        is_late = self.wanted or self._address or self.context.now() - self._since > PATIENCE
        return free or (meant if not self.sits or is_late else [])

    # Events

    def hear(self, event: Heard) -> None:
        match event:
            case At(name, ChairRefused(why)) if name == self._gone_to:
                self.say(About(Fact.TABLE_REFUSED, text=why))
                self.done, self.code = True, 1
            case Began(name) if name == self._gone_to:
                self.onward = name
            case _:
                super().hear(event)

    def tick(self) -> None:
        now, tables = self.context.now(), self._found()
        super().tick()
        if self._gone_to is not None or self.done:
            return
        if not tables:
            self._found_at = None
            self._is_explained |= self.say_absent(lambda _: True)
            if now - self._since > PATIENCE and not self._told_none:
                self._told_none = True
                self._tell_none()
            return
        self._found_at = now if self._found_at is None else self._found_at
        if self.wanted and len(tables) == 1:
            self._take(tables[0])
        elif now - self._found_at >= SETTLED:
            if len(tables) == 1 and not self.listed:
                self._take(tables[0])
            elif any(offer.table not in self.listed for offer in tables):
                self._list()

    def _tell_none(self) -> None:
        lobby = self.context.lobby
        tables = tuple(found_table(lobby, offer) for offer in offers(lobby, *(("open",) if self.sits else ())))
        silent = self._is_there is not None and not any(map(self._is_there, lobby.peers))
        unplayable = tuple(unplayable_tables(lobby))
        doubts = not (self._is_explained or (tables and not self.wanted))
        self.say(notices.NoTable(self.wanted, tables, unplayable, doubts, self._address, silent, not self.sits))

    def _list(self) -> None:
        found, lobby = self._found(), self.context.lobby
        self.listed = [offer.table for offer in found]
        if not found:
            raise NotGranted(Why.NO_TABLE_YET)
        tables = tuple(found_table(lobby, offer) for offer in found)
        self.say(notices.TablesFound(tables, tuple(unplayable_tables(lobby))))

    # Wishes of this person

    def granted(self, wish: wishes.Wish) -> None:
        match wish:
            case wishes.BareWish.LIST_TABLES:
                self._list()
            case wishes.OtherLine(text):
                self._choose(text)
            case _:
                super().granted(wish)

    def _choose(self, text: str) -> None:
        lobby = self.context.lobby
        offered = {offer.table: offer for offer in offers(lobby, *self._states)}
        if text.isascii() and text.isdigit() and 0 < int(text[:4]) <= len(self.listed):
            table = self.listed[int(text[:4]) - 1]
            if table not in offered:
                raise NotGranted(Why.TABLE_GONE)
            self._take(offered[table])
            return
        meant = [offer for offer in offered.values() if is_meant(lobby, offer, text)]
        if len(meant) != 1:
            raise NotGranted(Why.NO_ONE_TABLE, text=text)
        self._take(meant[0])

    def _take(self, offer: Offer) -> None:
        context = self.context
        self._gone_to = offer.table
        if offer.table in context.lobby.tables:  # this person was there, and comes back from the lobby
            self.onward = offer.table
        elif self.sits:
            self.onward = context.lobby.join(offer, context.now(), self._people)
        else:
            context.lobby.watch(offer.table, offer.host)

    def leave(self) -> None:
        self.done = True
        self.code = 0 if self.listed else 1


def found_table(lobby: Lobby, offer: Offer, why: str = "") -> notices.FoundTable:
    host = shown_name(host_name(lobby, offer), offer.host)
    return notices.FoundTable(offer.table, host, offer.terms, len(offer.chairs), why)


def unplayable_tables(lobby: Lobby) -> list[notices.FoundTable]:
    """Return the tables of others that this program can't play; usually none."""
    return [found_table(lobby, offer, why) for offer, why in unplayable(lobby)]
