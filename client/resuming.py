"""How a game that was left in the middle is gone on with, or given up."""

import argparse

from quadrille.client import arbiters, unfinished
from quadrille.client.bot_processes import at_home
from quadrille.client.conversation import DIGITS
from quadrille.client.network.options import network_options
from quadrille.client.network.station import own_station
from quadrille.client.network_table import NetworkTable
from quadrille.client.sitting import Place
from quadrille.net.home import home


def resume(settings: argparse.Namespace) -> int:
    """Sit down again, with the bots that were brought along."""
    with Place(network_options(settings)) as place:
        talk = resumed(place, settings.table)
        for line in place.door.open_again(talk.table.log):
            place.parlour.say(line)
        return place.sit(talk)


def resumed(place: Place, wanted: str) -> NetworkTable:
    """The table that is meant, with the bots that were brought along on their way back."""
    unfinished.wait_for_stand_in(place.station, wanted)
    log = unfinished.one_left(place.station, wanted)
    if place.station.identity.key not in [chair.key for chair in log.now.chairs]:  # it is to stand in
        arbiters.check(place.parlour, log.now.terms, log.now.chairs[0].key, log.now.chairs)
    table = place.station.resume(log.table)
    for name in at_home(home(place.options.home), log.now.keys):
        place.bots.start_again(name, log.table)
    return NetworkTable(place.parlour, table)


def forget(settings: argparse.Namespace) -> int:
    """Not to be mentioned any more. What was signed stays kept."""
    mine = own_station(network_options(settings))
    try:
        log = unfinished.one_left(mine, settings.table)
        unfinished.forget(mine, log.table)
    finally:
        mine.close()
    print(f"Table {log.table.hex()[:DIGITS]} is forgotten.")
    return 0
