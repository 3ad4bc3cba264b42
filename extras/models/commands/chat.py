"""`quadrille chat`: a bot program that asks a chat service for its moves."""

import argparse
import os
import re
from dataclasses import fields
from pathlib import Path
from typing import Final

from quadrille.client.table_setup import within
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """A bot that asks a chat service for its moves: one that answers as OpenAI's does. It is a program
for tables, by their lines (quadrille docs bots), and not for people.

  quadrille play maze --isolate none --against "quadrille chat --url http://localhost:11434/v1 --model gemma3"
  quadrille bot check --isolate none --quick --exec "quadrille chat --url URL --model NAME --key-file chat.key"

It lists no legal moves, tells why a move is refused, and forfeits after the last try or without an answer.
A bot's box has no network. quadrille outlet gives it one host: quadrille docs chat."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", required=True, help="the service, to the part before /chat/completions")
    parser.add_argument("--model", required=True, metavar="NAME", help="its model")
    parser.add_argument("--key-file", metavar="FILE", help="a file with your key for it")
    parser.add_argument("--outlet", metavar="FILE", help="reach it by this outlet (quadrille outlet)")
    parser.add_argument("--moves", action="store_true", help="list the legal moves, 200 at most")
    parser.add_argument(
        "--retries", type=within(0), default=2, metavar="N", help="tries after the first one (default 2)"
    )
    parser.add_argument(
        "--history", type=within(0), default=4000, metavar="N", help="characters of the moves so far (default 4000)"
    )
    parser.add_argument("--seconds", type=within(1), default=60, metavar="N", help="timeout of an answer (default 60)")
    parser.add_argument("--theory", action="store_true", help="tell also what is known of good play")
    parser.add_argument("--skin", default="", metavar="SEED", help="tell the game under other names, drawn from a seed")


def run(settings: argparse.Namespace) -> int:
    from quadrille.ai import kit
    from quadrille.extras.models.chat_bot import ChatBot, Manner
    from quadrille.extras.models.chat_service import ChatService

    key = ""
    if settings.key_file:
        key = Path(settings.key_file).expanduser().read_text("latin-1").strip()
        if not re.fullmatch("[!-~]+", key):
            raise RulesError(f"{settings.key_file} holds no key: a key is one line of letters, digits and signs")
    outlet = os.path.expanduser(settings.outlet or "")
    service = ChatService(settings.url, settings.model, key, outlet)
    given = vars(settings)
    kit.run(ChatBot(service, Manner(**{field.name: given[field.name] for field in fields(Manner)})))
    return 0
