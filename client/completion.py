"""Completion for shells, generated from the commands' own parsers.

A script knows all commands, their options, the fixed values of options, and the games. The shell completes files.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from quadrille.ai.house import listed
from quadrille.client.commands import subcommands
from quadrille.client.documents import documents
from quadrille.client.value import value
from quadrille.rules.registry import keys

#: The possible words for a placeholder.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "GAME": keys(),
    "BOT": listed(),
    "DOCUMENT": tuple(documents()),
}
_FILES: Final = ("FILE", "FOLDER")
#: A single quote in single quotes, as fish writes it.
_FISH: Final = "\\'"


@value
class Option:
    """An option with its line of help; `takes` names its value (None for none), `values` are the possible ones."""

    names: tuple[str, ...]
    help: str
    takes: str | None
    values: tuple[str, ...]


@value
class CompletableCommand:
    """A command of one word or two, with its options and its possible first arguments."""

    name: str
    help: str
    options: tuple[Option, ...]
    values: tuple[str, ...]
    files: bool


def commands() -> tuple[CompletableCommand, ...]:
    found = []
    for name, one in subcommands().items():
        parser = argparse.ArgumentParser(prog=name)
        one.load(name).arguments(parser)
        actions = parser._actions  # argparse has no public list of them
        told = [action for action in actions if action.option_strings and action.help is not argparse.SUPPRESS]
        options = tuple(map(_option, told))
        places = [action for action in actions if not action.option_strings]
        values = tuple(value for action in places[:1] for value in _values(action))
        seconds = tuple(other.split()[1] for other in subcommands() if other.startswith(f"{name} "))
        files = any(_placeholder(action) in _FILES for action in places)
        found.append(CompletableCommand(name, one.help, options, (*values, *seconds), files))
    return tuple(found)


def _option(action: argparse.Action) -> Option:
    takes = None if action.nargs == 0 else _placeholder(action)
    help = (action.help or "") % vars(action)
    return Option(tuple(action.option_strings), help, takes, tuple(_values(action)))


def _placeholder(action: argparse.Action) -> str:
    found = action.metavar or action.dest.upper()
    return found if isinstance(found, str) else found[0]


def _values(action: argparse.Action) -> Iterable[str]:
    if action.choices is not None:
        return map(str, action.choices)
    return _WORDS.get(_placeholder(action).partition(",")[0], ())


def script(shell: str) -> str:
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands())
    return "\n".join(lines) + "\n"


def _bash(found: tuple[CompletableCommand, ...]) -> Iterator[str]:
    """Yield bash's lines: the words before the cursor choose a row, whose words with the typed prefix are offered."""
    yield "# quadrille completion bash: put it where your shell reads completions, or eval it in ~/.bashrc"
    yield "_quadrille() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local command="${COMP_WORDS[1]}" words="" files=""'
    two = " ".join(f'"{one.name}"' for one in found if " " in one.name)
    yield f"    local two=({two})"
    yield '    local both="$command ${COMP_WORDS[2]}" one'
    yield '    for one in "${two[@]}"; do [[ $COMP_CWORD -gt 2 && $one == "$both" ]] && command="$both"; done'
    yield "    if [[ $COMP_CWORD -eq 1 ]]; then"
    yield f'        words="{" ".join(one.name for one in found if " " not in one.name)} --help --version"'
    yield '    else case "$command" in'
    for one in found:
        yield f'        "{one.name}") case "$before" in'
        for option in one.options:
            if option.takes is not None:
                yield f"            {'|'.join(option.names)}) {_bash_words(option.values, option.takes)};;"
        every = [*one.values, *(name for option in one.options for name in option.names)]
        yield f"            *) {_bash_words(every, 'FILE' if one.files else '')};;"
        yield "        esac;;"
    yield "    esac; fi"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield '    [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$word"))'
    yield "}"
    yield "complete -o filenames -F _quadrille quadrille"


def _bash_words(values: Iterable[str], takes: str) -> str:
    return f'words="{" ".join(values)}"; files="{"yes" if takes in _FILES else ""}"'


def _zsh(found: tuple[CompletableCommand, ...]) -> Iterator[str]:
    yield "#compdef quadrille"
    yield "# quadrille completion zsh: put it into a folder of $fpath as _quadrille, or eval it in ~/.zshrc"
    yield "_quadrille() {"
    yield "    local command=$words[2]"
    yield "    if (( CURRENT == 2 )); then"
    yield "        local -a commands=("
    yield from (f"            {_quoted(f'{one.name}:{one.help}')}" for one in found if " " not in one.name)
    yield "        )"
    yield "        _describe command commands; return"
    yield "    fi"
    yield '    case "$words[2] $words[3]" in'
    yield from (f'        "{one.name}") command="{one.name}";;' for one in found if " " in one.name)
    yield "    esac"
    yield '    case "$command" in'
    for one in found:
        words = [_zsh_option(option) for option in one.options]
        values = f":word:({' '.join(one.values)})" if one.values else ":file:_files" if one.files else ":word:"
        first = '"1:command:" "2:command:"' if " " in one.name else '"1:command:"'
        yield f'        "{one.name}") _arguments {first} {" ".join(words)} {_quoted("*" + values)};;'
    yield "    esac"
    yield "}"
    yield 'if [[ $funcstack[1] == _quadrille ]]; then _quadrille "$@"; else compdef _quadrille quadrille; fi'


def _zsh_option(option: Option) -> str:
    help = option.help.replace("[", "(").replace("]", ")").replace(":", ",")
    value = ""
    if option.takes is not None:
        values = f"({' '.join(option.values)})" if option.values else "_files" if option.takes in _FILES else " "
        value = f":{option.takes.replace(':', ' ')}:{values}"
    return " ".join(_quoted(f"*{name}[{help}]{value}") for name in option.names)


def _fish(found: tuple[CompletableCommand, ...]) -> Iterator[str]:
    yield "# quadrille completion fish: keep it as ~/.config/fish/completions/quadrille.fish"
    yield "complete -c quadrille -f"
    for one in found:
        first, _, second = one.name.partition(" ")
        if second:
            help = _quoted(one.help, _FISH)
            yield f"complete -c quadrille -n '__fish_seen_subcommand_from {first}' -a {second} -d {help}"
            seen = f"__fish_seen_subcommand_from {first}; and __fish_seen_subcommand_from {second}"
        else:
            yield f"complete -c quadrille -n __fish_use_subcommand -a {first} -d {_quoted(one.help, _FISH)}"
            seen = f"__fish_seen_subcommand_from {first}"
        values = [value for value in one.values if f"{one.name} {value}" not in subcommands()]
        if values:
            yield f"complete -c quadrille -n '{seen}' -a '{' '.join(values)}'"
        if one.files:
            yield f"complete -c quadrille -n '{seen}' -F"
        for option in one.options:
            yield f"complete -c quadrille -n '{seen}' {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    takes = ""
    if option.takes is not None:
        files = " -r -F" if option.takes in _FILES else " -x"
        takes = f" -x -a '{' '.join(option.values)}'" if option.values else files
    return f"{names}{takes} -d {_quoted(option.help, _FISH)}"


def _quoted(text: str, mark: str = "'\\''") -> str:
    """Return the text in single quotes; `mark` is the shell's escape for a single quote."""
    return "'" + " ".join(text.replace("\\", "").split()).replace("'", mark) + "'"
