"""SECURITY.md and the threats in protocols.md: what they point to is there, and so are tests that any chapter names."""

import re
from functools import cache
from pathlib import Path

from quadrille.net.entries import wire
from quadrille.rules.registry import games
from tests.documents import CHAPTERS, everything, headings, read, section, table

ROOT = Path(__file__).parent.parent
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
#: Without the heading.
THREATS = table(section("Threats", "protocols"), "who")[1:]
#: Everybody whom the table has to name.
ATTACKERS = (
    "a stranger on the network",
    "a watcher",
    "a seat",
    "all seats but one together",
    "the host",
    "a runner",
    "a bot's program",
    "one who listens on the Wi-Fi",
    "one who changes the traffic of the Wi-Fi",
    "a page of the web in a guest's browser",
    "a stranger at the door for phones",
    "a guest by phone",
    "somebody with a copied key file",
    "somebody with a copied disk",
    "a man in the middle",
    "a file from anybody",
)


def named(text: str) -> list[str]:
    return sorted(set(re.findall(r"\btest_[a-z0-9_]+\b(?!\.py)", text)))


@cache
def there(folder: Path = ROOT / "tests") -> frozenset[str]:
    """Return the names of all tests in a folder."""
    files = folder.rglob("test_*.py")
    return frozenset(
        name
        for file in files
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE)
    )


def test_each_test_that_is_named_is_there() -> None:
    for path in (ROOT / "SECURITY.md", *CHAPTERS):
        is_extra = path.relative_to(ROOT).parts[0] == "extras"
        of_extra = there(path.parents[1] / "tests") if is_extra else frozenset()
        assert {*named(read(path))} <= there(ROOT / "tests") | of_extra, path


def test_a_test_that_is_not_there_would_be_missed() -> None:
    assert named("what holds (`test_of_nothing_at_all`)") == ["test_of_nothing_at_all"]
    assert "test_of_nothing_at_all" not in there()


def test_the_table_of_threats_has_everybody_and_no_empty_answer() -> None:
    assert [who for who, *_ in THREATS if who] == list(ATTACKERS)
    assert all(len(row) == 4 and all(row[1:]) for row in THREATS)


def test_what_stops_a_threat_is_a_section() -> None:
    """The words before the colon are titles of sections of the protocols."""
    sections = {title for _, title in headings(everything())}
    for _, _, stops, _ in THREATS:
        before = re.match(r"^([A-Z][A-Za-z, ]*):", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", stops))
        if before is not None:
            titles = before[1].split(", ")
            assert set(titles) <= sections, titles


def test_it_is_linked_and_packed() -> None:
    assert "](SECURITY.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "SECURITY.md" in (ROOT / "MANIFEST.in").read_text("utf-8")


def test_no_address_is_invented() -> None:
    """A clone has no host that is known here: a report goes where the copy is hosted, or to whom its commits name."""
    assert not re.search(r"\S+@\S+\.\S+|https?://", SECURITY)
    for said in ("90 days", "git log", "private security advisory", "newest release"):
        assert said in SECURITY


def test_the_numbers_are_those_of_the_code() -> None:
    told = {name: now for name, now, *_ in table(section("Versioning", "protocols"), "number")}
    assert told["protocol"] == str(wire.VERSION)
    assert {told["rules, one for each game"]} == {str(game.rules) for game in games()}
    assert f"`X-GAME` is `{told['family'].strip('`')}`" in everything()
