"""Facts about the operator's chart: its values, its templates with the kinds of their objects, and its variables.

``fixtures/releases/chart.json`` has those of the newest chart that was taken in, so the next one can be compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RECORD = "fixtures/releases/chart.json"


def facts_of(chart: Path) -> dict[str, dict[str, Any]]:
    """Return the facts about a chart in a folder.

    Raises:
        SystemExit: The folder has no values.yaml, or the file is not YAML.
    """
    try:
        values = yaml.safe_load((chart / "values.yaml").read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise SystemExit(f"{chart} is no chart: {error}") from None
    templates: dict[str, Any] = {}
    variables: dict[str, Any] = {}
    for path in sorted((chart / "templates").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        kinds = ", ".join(dict.fromkeys(re.findall(r"^kind: *(\w+)", text, re.MULTILINE)))
        name = path.relative_to(chart).as_posix()
        templates[name] = f"{kinds or 'no object'} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
        variables |= dict.fromkeys(re.findall(r"- name: *([A-Z][A-Z0-9_]+)$", text, re.MULTILINE), name)
    return {"values": dict(sorted(_leaves(values))), "templates": templates, "variables": variables}


def changes(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each value, template and variable that two charts do not share."""
    for topic, noun in (("values", "value"), ("templates", "template"), ("variables", "variable of the operator")):
        old, new = before.get(topic, {}), after.get(topic, {})
        for name in sorted(old.keys() | new):
            if name not in old:
                yield f"new {noun} `{name}`: {_shown(topic, new[name])}"
            elif name not in new:
                yield f"{noun} `{name}` is gone"
            elif old[name] != new[name]:
                yield f"{noun} `{name}`: {_shown(topic, new[name])} (was {_shown(topic, old[name])})"


def _shown(topic: str, fact: Any) -> str:
    return str(fact) if topic != "values" else json.dumps(fact, ensure_ascii=False)


def _leaves(values: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(values, dict) and values:
        for key, value in values.items():
            yield from _leaves(value, f"{name}.{key}" if name else str(key))
    elif name:
        yield name, values
