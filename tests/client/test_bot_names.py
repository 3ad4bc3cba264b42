"""Names of bots on a command line."""

import argparse
from itertools import islice
from pathlib import Path

import pytest

from quadrille.ai.house import KINDS, LEVELS, listed
from quadrille.ai.opponents import opponent
from quadrille.client.bots.names import NAMES, bot_name, bot_names, called, own_names, owned, slug, split_file
from quadrille.client.claimed_names import chair_names, parts, short_names
from quadrille.client.network.options import add_network, network_options
from quadrille.client.presence.bot_processes import BotProcesses
from quadrille.client.words.story import kinds_text
from quadrille.net.entries.terms import Chair
from quadrille.net.trust.known import LONGEST_NAME, meet
from quadrille.net.trust.store import Store


def test_there_are_just_the_bots_of_the_house() -> None:
    for name in (*listed(), *(f"{kind}:{level}" for kind in KINDS for level in LEVELS)):
        assert bot_name(name.upper()) == name
        assert opponent(name)


@pytest.mark.parametrize(
    "text", ["", "7", "0", "3:3", "mcts:", "mcts:6", "mcts:3:3", "none.py", "none.py:Name", "clever"]
)
def test_what_is_no_bot(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="there is no"):
        bot_name(text)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    assert bot_name("mine.py") == str(tmp_path / "mine.py")
    assert bot_names("mine.py:Best, mcts:2,") == [f"{tmp_path / 'mine.py'}:Best", "mcts:2"]
    assert split_file("a.py:b.py:C") == ("a.py:b.py", "C")


@pytest.mark.parametrize(
    ("bot", "identity", "said"),
    [
        ("mcts:3", "mcts-3", "mcts 3"), ("4", "level-4", "Level 4"), ("/x/My Bot.py", "my-bot", "My Bot"),
        ("/x/a.py:Best", "best", "Best"), ("/x/._.py", "bot", "._"), ("greedy", "greedy", "greedy"),
    ],
)  # fmt: skip
def test_identities_are_called_after_bots_and_people_can_say_the_name(bot: str, identity: str, said: str) -> None:
    assert (slug(bot), called(bot)) == (identity, said)


def test_no_bot_gets_the_name_of_a_person_in_the_room(tmp_path: Path) -> None:
    """`Ben (level 2 of ann)` sat beside Ben."""
    parser, here = argparse.ArgumentParser(), list[str]()
    add_network(parser)
    bots = BotProcesses(tmp_path, (), "ann", network_options(parser.parse_args([])), lambda: here)
    first = bots._own_name(bots._identity("2"))
    here += [f"{first} Smith", "\N{FULLWIDTH LATIN CAPITAL LETTER A}da", *NAMES[2:]]
    later = [bots._own_name(bots._identity(bot)) for bot in ("2", "3")]
    assert first in NAMES and not {first, "Ada"} & {*later}
    here.clear()
    assert bots._own_name(bots._identity("2")) == first, "an identity keeps its name"


def test_bots_of_two_hosts_that_know_each_other_s_are_no_namesakes(tmp_path: Path) -> None:
    names, parser = {}, argparse.ArgumentParser()
    add_network(parser)
    for host in ("Ann", "Bob", "Дора", "דנה", "علی\u200cرضا", "Somebody with quite a long name, really"):
        home = tmp_path / host[:3]
        bots = BotProcesses(home, (), host, network_options(parser.parse_args([])))
        for bot in ("random", "3", "3"):
            identity = bots._identity(bot)
            bots._bots[identity] = None  # it plays
            chair = bots._chair(identity)
            assert chair == bots._chair(identity)  # the same when a game is resumed
            assert len(chair.name) <= LONGEST_NAME
            names[host, bot, chair.name] = chair
    own = ["Vic (random of Ann)", "Wren (level 3 of Ann)", "Xena (level 3 of Ann)"]
    assert [name for host, _, name in names if host == "Ann"] == own
    for host in ("Дора", "דנה", "علی\u200cرضا"):
        called = [name for whose, _, name in names if whose == host]
        assert [parts(name)[1] for name in called] == [f"{kind} of {host}" for kind in ("random", "level 3", "level 3")]
    assert [name for _, _, name in names][-1] == "Vic (level 3 of Somebody with quite a l)"
    with Store(tmp_path, bytes(32)) as store:
        assert not any(meet(store, chair.key, chair.name, 0) for _ in range(2) for chair in names.values())


def test_bots_on_the_network_have_names_of_their_own() -> None:
    name = owned("Vic", "1", "Ann")
    assert parts(name) == ("Vic", "level 1 of Ann")
    assert parts("Vic (level 6 of Ann)") == ("Vic", "level 6 of Ann"), "also where that level is not installed"
    plain = ("Vic", "Ann (looking)", owned("mybot", "./mybot", "Ann"))
    assert [parts(one) for one in plain] == [(one, "") for one in plain] and plain[2] == "mybot of Ann"
    assert short_names((name, "Ann", "Bob")) == ("Vic", "Ann", "Bob")
    assert short_names((name, "Ann", "vic")) == (name, "Ann", "vic")
    assert short_names((name, owned("Vic", "3", "Bob"))) == (name, "Vic (level 3 of Bob)")
    assert short_names(("Ann", "Gus"), beside=("", "at Ann's")) == ("Ann", "Gus")
    assert kinds_text([("Ben", "guest"), ("Cy", "guest"), ("Ann", "")]) == "Ben and Cy: guest"
    whole = ("gus", "Gus, at Ann's", "you, at Ann's")
    assert short_names(("gus", "Gus", "you"), beside=("", "at Ann's", "at Ann's")) == whole
    keys = tuple(bytes([number] * 32) for number in range(3))
    false = short_names(("Gus", "Gus", "Gus, at Ann's"), keys, ("", "at Ann's", ""))
    assert [name[:19] for name in false] == ["Gus", "Gus, at Ann's (dc29", "Gus, at Ann's (e956"], "a name that lies"
    twins = (Chair(bytes([number] * 32), "Ben", "person") for number in range(2))
    assert [name[:9] for name in chair_names(twins)] == ["Ben (9ab7", "Ben (dc29"] and chair_names(()) == ()
    assert "Ben" not in {*islice(own_names("Ben"), 40)}
    assert len({*islice(own_names("Ben"), 40)}) == 40
