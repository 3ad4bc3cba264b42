"""Checks values against a JSON Schema: as much of it as the schemas of docs/ use. Anything else in a schema fails."""

import json
import re
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[1] / "docs"
_TYPES: Final[dict[str, Any]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None),
    "boolean": bool,
}  # fmt: skip
_KNOWN: Final = {
    "$schema", "$id", "$comment", "title", "$defs", "$ref", "type", "required", "properties", "additionalProperties",
    "items", "oneOf", "enum", "const", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength",
    "pattern",
}  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    return found


def wrong(value: Any, rule: dict[str, Any], root: dict[str, Any] | None = None) -> list[str]:
    """Return what is not as the rule wants it; `root` holds the definitions that it refers to."""
    root = rule if root is None else root
    assert rule.keys() <= _KNOWN, rule.keys() - _KNOWN
    if "$ref" in rule:
        return wrong(value, root["$defs"][rule["$ref"].removeprefix("#/$defs/")], root)
    kinds = rule.get("type", [])
    if kinds and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return [f"{value!r} is no {kinds}"]
    found = [f"{value!r} is not allowed" for _ in "1" if "enum" in rule and value not in rule["enum"]]
    found += [f"{value!r} is not {rule['const']!r}" for _ in "1" if "const" in rule and value != rule["const"]]
    match value:
        case dict():
            found += [f"{name} is missing" for name in rule.get("required", ()) if name not in value]
            for name, one in value.items():
                if isinstance(of := rule.get("properties", {}).get(name, rule.get("additionalProperties")), dict):
                    found += wrong(one, of, root)
        case list():
            found += ["too few"] if len(value) < rule.get("minItems", 0) else []
            found += ["too many"] if len(value) > rule.get("maxItems", len(value)) else []
            found += [why for item in value for why in wrong(item, rule.get("items", {}), root)]
        case int() | float():
            if not rule.get("minimum", value) <= value <= rule.get("maximum", value):
                found.append(f"{value} is out of range")
        case str():
            if not re.search(rule.get("pattern", ""), value):
                found.append(f"{value!r} is written otherwise")
            if not rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", len(value)):
                found.append(f"{value!r} is too short or too long")
    if "oneOf" in rule and sum(not wrong(value, one, root) for one in rule["oneOf"]) != 1:
        found.append(f"{value!r} is not one of those that it may be")
    return found


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
