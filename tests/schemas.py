"""The schemas of docs/, and what is wrong with a value by one of them."""

import json
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

FOLDER: Final = Path(__file__).parents[1] / "docs"


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(found)
    return found


def wrong(value: Any, rule: dict[str, Any]) -> list[str]:
    """Return what is not as the rule wants it."""
    return [error.message for error in Draft202012Validator(rule).iter_errors(value)]
