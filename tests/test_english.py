"""The mechanical part of the rule for English: subject, verb, object; one fact a sentence; the usual term first.

It reads comments, docstrings and sentences of the packages and of the documents listed below. It knows no grammar: it
refuses a few signs of a bent sentence, and says what to write instead.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("rules", "net", "ai", "client", "examples")
DOCUMENTS = ("*.md", "docs/**/*.md", "examples/**/*.md", "rules/**/*.md", "setup.cfg")
#: Maximum words between two stops (a full stop, a colon or a semicolon), in code and in documents, which list more.
MOST_WORDS = 30
MOST_WORDS_OF_A_DOCUMENT = 40
#: Each sign of a bent sentence, with what to write instead.
SIGNS = (
    (re.compile(r"^(?:Who|What)(?:ever)?\b(?!.*\?$)"), "name the actor or the thing: a peer that …, the bytes that …"),
    (re.compile(r"^(?:So|As) many\b(?!.*\?$)"), "a constant is a noun phrase with its unit: Maximum queued lines."),
    (re.compile(r"'s affair\b"), 'refer to the place: "See net/game_log/log.py", or say which module decides'),
    (re.compile(r"\b(?:is|are) told\b(?! to\b)"), "say who sends, reports or shows: The table sends …"),
    (re.compile(r"\bone's own\b"), "name the owner: its own, a local table"),
    (re.compile(r"\bof wh(?:ich|om)\b(?!.*\?$)"), "two sentences, or: …, and some of them …"),
)
_TEXT = r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_TOKEN = re.compile(rf"(?P<text>{_TEXT})|(?P<comment>(?:(?<=\n)[ ]*#[^\n]*\n)+|#[^\n]*)")
#: Quoted words and code are somebody else's; so are tables, markup, and indented blocks after an empty line.
_FOREIGN = re.compile(r"`[^`]*`|(?<!\w)\"[^\"]*\"")
_BLOCK = re.compile(r"(?m)^ *\|.*$|^```[\s\S]*?^```|(?<=\n\n)  .*(?:\n  .*)*|^>>> (?:.+\n?)*")
_MARKUP = re.compile(r"</|\bCREATE TABLE\b")
_STOP = re.compile(r"(?<=[.!?])['\")]*\s+|\n\s*\n|\n\s*(?:[-*]|\d+\.)\s|^#+ .*$", re.MULTILINE)


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield each comment and string of a Python file, with the line where it begins."""
    line, last = 1, 0
    for found in _TOKEN.finditer(source):
        line, last = line + source.count("\n", last, found.start()), found.start()
        text = found[0]
        if found["comment"] is not None:
            yield line, re.sub(r"(?m)^ *#:? ?(noqa.*|type:.*)?", "", text)
        elif text.startswith('"""'):
            before = source[source.rfind("\n", 0, found.start()) + 1 : found.start()].rstrip("r")
            yield line, text.strip('"').replace(f"\n{before}", "\n") if before.isspace() else text.strip('"')
        else:  # a title, or a part of a sentence, unless it ends in a stop
            text = text.strip("\"'").replace("\\n", "\n")
            yield line, text if text.endswith(".") else f"… {text}"


def paragraphs(source: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph of a document, with the line where it begins."""
    for found in re.finditer(r"^```[\s\S]*?^```|(?:.+\n)+", source, re.MULTILINE):
        if not found[0].startswith("    "):  # a drawing, or what is typed
            yield source.count("\n", 0, found.start()) + 1, found[0]


def faults(text: str, most: int = MOST_WORDS) -> Iterator[tuple[str, str]]:
    """Yield each bent sentence of a text, with what to write instead."""
    for sentence in (
        () if _MARKUP.search(text) else (" ".join(part.split()) for part in _STOP.split(_BLOCK.sub("", text)))
    ):
        bare = _FOREIGN.sub("that", sentence)
        yield from ((sentence, better) for sign, better in SIGNS if sign.search(bare))
        if any(len(part.split()) > most for part in re.split(r"[:;.]\s", bare)):
            yield sentence, f"at most {most} words between two stops: make two sentences of it"


def test_english_is_plain() -> None:
    found = []
    for path in itertools.chain(*((ROOT / folder).rglob("*.py") for folder in FOLDERS), *map(ROOT.glob, DOCUMENTS)):
        is_code = path.suffix in (".py", ".cfg")
        read, most = (texts, MOST_WORDS) if is_code else (paragraphs, MOST_WORDS_OF_A_DOCUMENT)
        bent = ((line, fault) for line, text in read(path.read_text("utf-8")) for fault in faults(text, most))
        place = path.relative_to(ROOT).as_posix()
        found += [f"{place}:{line}: {sentence[:120]!r}: {better}" for line, (sentence, better) in bent]
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize(
    "bent",
    [
        "Who hands on an entry must not sign later that it was never written.",
        "Whoever does it clears the list.",
        "What it is worth to a search to end ahead of one other seat.",
        "So many pieces wait to be heard; then the program has to.",
        "Where it goes is net/game_log/log.py's affair.",
        "A peer is told of it.",
        "Cards are told before the end.",
        "A table of one's own.",
        "A list of rows, of which one is chosen.",
        "It counts. " + "word " * (MOST_WORDS + 1),
    ],
)
def test_a_bent_sentence_is_refused(bent: str) -> None:
    assert list(faults(bent))
    for source in (f'"""{bent}"""\n', f"x = 1  # {bent}\n", f"x = 1\n#: {bent}\ny = 2\n", f'x = print("{bent}")\n'):
        assert [fault for _, text in texts(source) for fault in faults(text)]


@pytest.mark.parametrize(
    "plain",
    [
        "A peer that relays a seat's entry must never sign later that the seat did not write it.",
        "Maximum unread chunks; above it the program blocks.",
        "What now?",
        "Who has won?",
        "It ends when it is told to quit.",
        'RFC 36: "a node of which nothing is known".',
        "A stream:\n\n    key (epoch)    what it hides a look with, of which there is one",
        "| What | So many |\n| --- | --- |",
        "A long one: " + "word " * (MOST_WORDS - 1) + "; " + "word " * MOST_WORDS,
    ],
)
def test_a_plain_sentence_passes(plain: str) -> None:
    assert not list(faults(plain))


def test_a_comment_of_several_lines_is_read_as_one() -> None:
    source = "x = 1\n#: A comment that goes on in\n#: So many words that they fill two lines.\ny = 2\n"
    assert [text.split() for _, text in texts(source)] == [
        ["A", "comment", "that", "goes", "on", "in", "So", "many", "words", "that", "they", "fill", "two", "lines."]
    ]
