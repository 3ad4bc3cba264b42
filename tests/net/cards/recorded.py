"""A game of three seats that another implementation played and wrote down: its seeds, keys and generators.

It was on two back ends, and shares no code with this project. test_deck_vectors.py plays the game again.
"""

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "vectors"
#: The test vectors of RFC 9496, appendix A: multiples of the base point, invalid encodings by reason, and texts with
#: the points that their SHA-512 hashes map to.
RFC_9496: Final[dict[str, Any]] = json.loads((FOLDER / "rfc9496.json").read_text("utf-8"))
REFUSED: Final = [bytes.fromhex(bad) for row in RFC_9496["refused"].values() for bad in row]
TOLD: Final[dict[str, Any]] = json.loads((FOLDER / "card-vectors.json").read_text("utf-8"))
GID: Final = bytes.fromhex(TOLD["gid"])
SEEDS: Final = tuple(map(bytes.fromhex, TOLD["seeds"]))
SECRETS: Final = tuple(int.from_bytes(bytes.fromhex(x), "little") for x in TOLD["x"])
JOINT: Final = bytes.fromhex(TOLD["H"])
