"""All links of the repository's Markdown lead somewhere; the way in to the protocols names each chapter."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from quadrille.ai.engine import Engine
from quadrille.rules import record
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, games
from tests.documents import CHAPTERS, ENTRANCE, ROOT, anchors, block, headings, links, read, section

#: Folders whose comments and docstrings name chapters.
FOLDERS = ("rules", "net", "ai", "client", "extras", "examples", "tests")


def missing(document: Path, text: str) -> list[str]:
    """Return the links of a document that lead nowhere."""
    lost = []
    for link in links(text):
        if link.startswith(("https:", "http:", "mailto:")):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = (document.parent / name).resolve() if name else document
        if (
            not target.exists()
            or not target.is_relative_to(ROOT)
            or (anchor and anchor not in anchors(text if target == document else read(target)))
        ):
            lost.append(link)
    return lost


def test_all_links_of_a_document_lead_somewhere() -> None:
    folders = ROOT / "docs", *map(ROOT.joinpath, FOLDERS)
    documents = [*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))]
    assert [(path, lost) for path in sorted(documents) if (lost := missing(path, read(path)))] == []


def test_a_link_that_leads_nowhere_would_be_found() -> None:
    text = "# A `b`, c\n\n## Same\n\n## Same\n\n[1](#a-b-c) [2](#same-1) [3](#same-2) [4](nowhere.md) `[5](no.md)`\n"
    text += "```\n# None\n[6](no.md)\n```\n![7](docs/none.svg) [8](README.md) [9](README.md#none) [`x`](protocols.md)\n"
    assert missing(ENTRANCE, text) == ["#same-2", "nowhere.md", "docs/none.svg", "README.md#none"]


def test_the_way_in_names_each_chapter() -> None:
    """But for those of extras, which may be missing: nothing of the core leads there."""
    extras = ROOT / "extras"
    chapters = {str(path.relative_to(ROOT)) for path in CHAPTERS if path != ENTRANCE and extras not in path.parents}
    assert chapters <= {link.partition("#")[0] for link in links(read(ENTRANCE))}


def test_a_chapter_has_one_title_and_a_bearable_length() -> None:
    levels = {path: [level for level, _ in headings(read(path))] for path in CHAPTERS}
    assert not [path for path, found in levels.items() if found[0] != 1 or found.count(1) != 1]
    assert not [path for path in CHAPTERS if len(read(path).splitlines()) > 420]


def code(names: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of code with that name in them, each as one line without the marks of its comments."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        if names in read(path) and path != Path(__file__):
            yield path.relative_to(ROOT), re.sub(r"\s*\n\s*(?:#:?\s)?", " ", read(path))


def test_what_the_code_names_of_a_chapter_is_there() -> None:
    """`docs/protocols/log.md, "Motions" and "Precedence"`: a file, and titles in it."""
    named = r'(?:docs/protocols|extras/\w+/docs)/(\w+)\.md(?:, ((?:"[^"]+"(?:, and |, | and )?)+))?'
    found = [(path, *one) for path, text in code("docs/") for one in re.findall(named, text)]
    there = {path.stem: {title for _, title in headings(read(path))} for path in CHAPTERS}
    assert not [one for one in found if not there.get(one[1], set()).issuperset(re.findall(r'"([^"]+)"', one[2]))]
    assert {stem for _, stem, _ in found} <= there.keys()


def test_no_section_is_looked_for_in_the_way_in() -> None:
    """Sections are in chapters: `protocols.md, "Motions"` would lead nowhere."""
    own = {title for _, title in headings(read(ENTRANCE))}
    named = [
        one for one in code("protocols.md") for one in re.findall(r'(?<!/)protocols\.md,? \(?"([A-Z][^"]+)"', one[1])
    ]
    assert {*named} <= own


def test_the_sdist_has_the_way_in_and_all_chapters() -> None:
    manifest = read(ROOT / "MANIFEST.in").splitlines()
    assert any(line.startswith("include ") and "protocols.md" in line.split() for line in manifest)
    assert any(line.startswith("recursive-include docs ") and "*.md" in line.split() for line in manifest)


# The examples of the protocols, replayed against the code


def test_chance_vectors() -> None:
    told = dict(re.findall(r"^(words|below 6:|layout|round 1) (.*)$", block("chance"), re.MULTILINE))
    words, dice, dealer = Stream("quadrille"), Stream("quadrille"), SeedDealer("quadrille")
    assert told["words"].split() == [f"{words.word():016x}" for _ in range(5)]
    assert told["below 6:"].split() == [str(dice.randrange(6)) for _ in range(12)]
    coins = game("coin-isolation").start(None, 2).pending.pile.faces
    assert told["layout"] == "".join(dealer.face("layout", coins, place) for place in range(64))
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    suits = [rank + suit for suit in "SHDC" for rank in ranks]
    cards = [*suits, "JK1", "JK2"]
    assert told["round 1"].split() == [dealer.face("round 1", cards, place) for place in range(54)]


def test_the_stream_throws_away_words_that_would_be_unfair() -> None:
    stop = (1 << 63) + 1  # nearly half of all words are too large
    fair, words = Stream("quadrille"), Stream("quadrille")
    drawn = [fair.randrange(stop) for _ in range(20)]
    assert drawn == [word for word in (words.word() for _ in range(60)) if word < stop][:20]


def test_the_record_reads_and_writes_itself() -> None:
    assert record.write(record.read(block("record"))) == block("record")


def test_the_session_with_the_engine() -> None:
    lines = [line for line in block("engine").splitlines() if not line.startswith("#")]
    engine = Engine()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        assert (asked[:2], told[:2]) == ("> ", "< ")
        assert engine.answer(asked[2:].encode()).decode() == told[2:] + "\n"


def test_every_game_has_its_notation_and_the_engine_its_codes() -> None:
    for played in games():
        assert f"### {played.title}" in section("Notation")
    codes = {kind.code for kind in RulesError.__subclasses__()} | {RulesError.code}
    assert codes <= set(re.findall(r"`([a-z-]+)`", section("The engine")))
