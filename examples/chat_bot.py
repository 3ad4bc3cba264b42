"""A bot that asks a chat service for its move: any that answers POST /v1/chat/completions as OpenAI's does.

    quadrille play maze --against "python3 examples/chat_bot.py chat.env" --isolate none
    quadrille bot check "python3 examples/chat_bot.py chat.env" --isolate none --quick --game maze

A table gives its bots a clean environment, so CHAT_URL, CHAT_MODEL and CHAT_KEY stand in chat.env, a NAME=VALUE each.
A bot's box has no network: without the box (`--isolate none`) a bot has your rights, and sees your files.
"""

import json
import os
import random
import sys
import urllib.request
from importlib.resources import files
from pathlib import Path


def ask(settings, rules, turn, refused, seconds):
    """Return the last line of the answer."""
    moves = "\n".join(turn["moves"][:200])  # lists can be very long in Coin Isolation and Dotter
    told = f"{rules}\n\n{turn['text']}\n\nYour legal moves:\n{moves}\n\nAnswer with one of them alone.{refused}"
    chat = {"model": settings.get("CHAT_MODEL", "default"), "messages": [{"role": "user", "content": told}]}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {settings.get('CHAT_KEY', '')}"}
    url = settings["CHAT_URL"].rstrip("/") + "/v1/chat/completions"
    request = urllib.request.Request(url, json.dumps(chat).encode(), headers)
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return json.load(answer)["choices"][0]["message"]["content"].strip().split("\n")[-1].strip(" `*.\"'")


def choose(settings, rules, turn):
    """The service's move; one at random if it fails twice, or answers with none."""
    refused, seconds = "", min(turn["patience"], *(turn["clock"] or {}).get("left", [60000])) / 3000
    for _ in range(2):
        try:
            if (said := ask(settings, rules, turn, refused, seconds)) in turn["moves"]:
                return said
            refused = f" You answered {said[:80]!r}, which is none of them."
        except Exception as error:  # whatever the service does, the game goes on
            print(f"the service failed: {error!r}", file=sys.stderr)
    return random.choice(turn["moves"])


pairs = [line.split("=", 1) for path in sys.argv[1:] for line in Path(path).read_text("utf-8").split() if "=" in line]
settings = os.environ | dict(pairs)
for line in sys.stdin:
    match json.loads(line):
        case {"do": "hello"}:
            answer = {"hello": "chat", "protocol": 1, "omit": ["view"]}
        case {"do": "start", "game": game}:
            rules, answer = files("quadrille.rules").joinpath("pages", f"{game}.md").read_text("utf-8"), {"ready": True}
        case {"do": "turn"} as turn:
            answer = {"turn": turn["turn"], "move": choose(settings, rules, turn)}
        case {"do": "offer", "offer": offer, "number": number}:
            answer = {"offer": number, "agree": offer != "draw"}
        case {"do": "quit"}:
            break
        case _:  # "over", and whatever a later version tells
            continue
    print(json.dumps(answer), flush=True)
