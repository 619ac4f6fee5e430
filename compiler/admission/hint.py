"""Suggest what to write instead of a wrong value or field. Imported only if a document has faults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, as_question, did_you_mean, folded, nearest
from ..models.history import MISSING, NEEDED, SYNONYMS, UNUSABLE, VALUES, change_of
from ._shapes import KINDS
from .form import DURATION
from .later import later_fields, release_of_field
from .place import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.span import Path
    from .table import Table

_MOST_PLACES = 2
"""Maximum number of other places of a field that a hint names. A field with more, such as ``name``, is too common."""
_MOST_FIELDS = 6
"""Maximum number of fields that a hint lists. A longer list is easier to read with ``mcpcfg explain``."""
_WRITTEN_OUT = {
    **{("permissionProfile", name): f"{{type: builtin, name: {name}}}" for name in ("none", "network")},
    ("incomingAuth", "anonymous"): "{type: anonymous}",
    **{("outgoingAuth", name): f"{{source: {name}}}" for name in ("discovered", "inline")},
}
"""The object that users mean by a field with a text."""
_DURATIONS = frozenset({"refillPeriod"})
"""Fields without a pattern that hold durations."""
_LEAST_PART = 3
"""Minimum length of a name that is taken for a part of a longer name, such as ``env`` of ``targetEnvName``."""
_WORD: Final = re.compile(r"[\w.-]+")
_NUMERALS = frozenset("0123456789")


def for_unknown(
    kind: str, path: Path, fields: tuple[str, ...], siblings: Mapping[str, Any], release: str, table: Table
) -> str | None:
    """Return the hint for an unknown field, or ``None``.

    Args:
        fields: The fields that its object may have.
    """
    *above, field = path
    change = change_of(kind, tuple(above), str(field))
    if change is not None:
        word = {"rename": "renamed", "move": "moved"}.get(str(change.rewrite), "removed")
        return change.hint if change.version is None else f"{word} in {change.version}: {change.hint}"
    if set(fields) == {"name", "value"} and (entry := _named_entry(siblings)) is not None:
        return entry
    match = nearest(str(field), dict.fromkeys((*fields, *later_fields(kind, tuple(above)))))
    if match is not None and match not in fields:
        since = release_of_field(kind, (*above, match), release)
        return f'did you mean "{match}", which the operator has from release {since} on?'
    if match is not None and match in siblings:
        return f'"{match}" is already set: remove this one' if folded(str(field)) == folded(match) else None
    if match is not None:
        return as_question(match)
    free = [name for name in fields if name not in siblings]
    synonym = nearest(str(field), SYNONYMS)
    if synonym is not None and SYNONYMS[synonym] in free:
        return as_question(SYNONYMS[synonym])
    longer = [name for name in free if len(str(field)) >= _LEAST_PART and folded(str(field)) in folded(name)]
    if len(longer) == 1:
        return as_question(longer[0])
    elsewhere = _elsewhere(table, kind, tuple(above), str(field))
    if elsewhere is None:
        elsewhere = did_you_mean(str(field), free, likeness=VAGUE)
    return elsewhere or _listing(kind, tuple(above), fields)


def _listing(kind: str, above: Path, fields: tuple[str, ...]) -> str | None:
    if 0 < len(fields) <= _MOST_FIELDS:
        return f"the fields here are {', '.join(fields)}"
    place = ".".join([kind, *(step for step in above if isinstance(step, str))])
    return f"run mcpcfg explain {place} to list the fields" if kind[:1].isupper() else None


def field_of_history(kind: str, path: Path) -> str:
    """Return the current name of a field that a release renamed, or an empty string."""
    change = change_of(kind, path[:-1], str(path[-1]))
    return "" if change is None else change.successor


def _elsewhere(table: Table, kind: str, above: Path, field: str) -> str | None:
    """Return a hint that names other paths of a field, or ``None`` if there are no other paths, or too many."""
    places = [place for place in table.places_of(kind, field) if place != above]
    if 0 < len(places) <= _MOST_PLACES:
        return f"{kind.partition('.')[0]} has it in {' and in '.join(dotted(place) for place in places)}"
    if places or above != ("spec",):
        return None
    kinds = [other for other in sorted(table.kinds) if table.at(other, (*above, field)) is not None]
    return f"it is a field of {' and '.join(kinds)}" if 0 < len(kinds) <= _MOST_PLACES else None


def for_enum(value: str, allowed: Iterable[str]) -> str | None:
    """Return a hint with the allowed value that the user probably meant by ``value``, or ``None``."""
    given = list(allowed)
    words = [word for word in given if word not in UNUSABLE]
    if len(words) == 1 < len(given):
        return f"write {words[0]}: the process accepts no other"
    match = VALUES.get(value) or VALUES.get(value.lower())
    if value == "stdio" and "streamable-http" in words:
        return "write streamable-http, or sse for an old server: only the container of an MCPServer can speak stdio"
    if match not in words:
        match = nearest(value, words, likeness=VAGUE)
    return as_question(match)


def for_missing(kind: str, path: Path, field: str, holder: Any, table: Table) -> str | None:
    """Return the hint for a required field that its object, ``holder``, lacks, or ``None``."""
    if kind not in KINDS:  # a file format, or a kind of another program
        return None
    if field == "type" and path == ("spec",) and isinstance(holder, dict) and len(holder) == 1:
        return f"write type: {next(iter(holder))}"  # the type is called as its block
    version, advice = MISSING.get((kind, field), ("", "")) if path == ("spec",) else ("", "")
    if advice:
        return f"required since {version}: {advice}"
    if field in ("name", "value") and (entry := _named_entry(holder)) is not None:
        return entry
    meaning = _meaning(kind, path, field, table)
    return None if meaning is None else f"add {field}{meaning}"


def _meaning(kind: str, path: Path, field: str, table: Table) -> str | None:
    """Return what a field at ``path`` holds, as the end of a hint that begins with its name, or ``None``."""
    if field in NEEDED:
        return f": {NEEDED[field]}"
    shape = table.shape(table.at(kind, (*path, field)))
    if shape is not None and shape[0] == "string" and shape[1]:
        return f": {' or '.join(shape[1])}"
    if path and str(path[-1]).lower().endswith(("secretref", "secretkeyref")) and field in ("name", "key"):
        return f": {'the name of the Secret' if field == 'name' else 'a key of the Secret'}"
    if field == "metadata" or not path:
        return None
    steps = [str(step) for step in (*path, field) if isinstance(step, str)]
    return f"; mcpcfg explain {'.'.join((kind, *steps))} tells what it holds"


def for_type(kind: str, path: Path, value: Any, expected: str, required: tuple[str, ...], table: Table) -> str | None:
    """Return the hint that shows how to write a value in its expected type, or ``None``."""
    field = str(path[-1]) if path else ""
    if isinstance(value, str):
        change = change_of(kind, path[:-1], field, is_text=True)
        if change is not None:
            from ..kube.names import dns_subdomain_faults

            advice = change.hint
            if not next(iter(dns_subdomain_faults(value)), None):
                advice = advice.replace("{name: …}", f"{{name: {value}}}")
            return f"an object since {change.version}: {advice}" if change.version else advice
        return _for_text(field, value, expected, required)
    if value is None:
        return "null is not an entry: remove it"
    if expected == "string" and isinstance(value, (bool, int, float)):
        bare = isinstance(value, int) and not isinstance(value, bool) and takes_duration(kind, path, table)
        return f"write it with its unit: {value}s for seconds" if bare else "write it in quotes"
    if expected == "list" and isinstance(value, dict):
        return f"write a list: each entry begins with a dash{_first_variable(value) if field == 'env' else ''}"
    if field == "configYAML":
        return "write it as a string: configYAML: |, with the file indented below"
    if expected in ("object", "map") and isinstance(value, list):
        return "write one object: without dashes"
    is_switch = expected == "object" and isinstance(value, bool) and table.at(kind, (*path, "enabled")) is not None
    return f"write {field}: {{enabled: {shown(value)}}}" if is_switch else None


def _first_variable(variables: Mapping[Any, Any]) -> str:
    """Return the first text of a mapping as an entry of ``env``, with words that introduce it; empty if there is none.

    Names with other characters than those of variables are left out, because the entry is not quoted.
    """
    texts = ((name, text) for name, text in variables.items() if isinstance(text, str) and str(name).isidentifier())
    name, text = next(texts, ("", ""))
    return f", such as - {{name: {name}, value: {shown(text, under=str(name))}}}" if name else ""


def _named_entry(holder: Any) -> str | None:
    """Return the hint for an entry ``NAME: text`` that lacks the keys ``name`` and ``value``; ``None`` for others."""
    if not isinstance(holder, dict) or len(holder) != 1:
        return None
    name, text = next(iter(holder.items()))
    is_entry = isinstance(name, str) and name.isidentifier() and name not in ("name", "value", "key")
    return f"write {{name: {name}, value: …}}" if is_entry and not isinstance(text, dict | list) else None


def takes_duration(kind: str, path: Path, table: Table) -> bool:
    """Return whether the field at ``path`` is a duration. Its pattern shows that, or `_DURATIONS` lists its name."""
    if path and path[-1] in _DURATIONS:
        return True
    position = table.at(kind, path)
    return position is not None and table.shapes[position][:1] == ("string",) and DURATION in table.shapes[position]


def _entry(value: str, required: tuple[str, ...]) -> str | None:
    """Return the YAML object for a variable ``NAME=value`` or a mount ``host:container``; ``None`` for other texts."""
    name, _, text = value.partition("=")
    if required == ("name", "value") and name and text:
        return f"{{name: {name}, value: {shown(text, under=name)}}}"
    on_host, _, inside = value.partition(":")
    if "hostPath" in required and on_host and inside:
        mode = ", readOnly: true" if inside.endswith(":ro") else ""
        return f"{{name: …, hostPath: {on_host}, mountPath: {inside.removesuffix(':ro').removesuffix(':rw')}{mode}}}"
    return None


def _for_text(field: str, value: str, expected: str, required: tuple[str, ...]) -> str | None:
    if expected in ("integer", "number") and value and _NUMERALS.issuperset(value.removeprefix("-")):
        return f"write {value} without quotes"
    if expected == "boolean" and value.lower() in ("true", "false"):
        return f"write {value.lower()} without quotes"
    if expected == "list":
        words = [word.strip() for word in value.split(",")]
        words = words if all(_WORD.fullmatch(word) for word in words) else [value]
        return f"write a list: {field}: [{', '.join(map(shown, words))}]"
    if expected == "object" and (field, value) in _WRITTEN_OUT:
        return f"write {field}: {_WRITTEN_OUT[field, value]}"
    if expected == "object" and (entry := _entry(value, required)) is not None:
        return f"write {entry}"
    if expected == "object" and "name" in required:
        entry = ", ".join(f"{key}: {value}" if key == "name" else f"{key}: …" for key in required)
        return f"write {{{entry}}}" if field.isdigit() else f"write {field}: {{{entry}}}"
    return None
