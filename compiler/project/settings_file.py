"""Reading the configuration file, as strictly as any other input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.finding import rule
from ..diagnostics.shown import line as as_line
from ..diagnostics.span import InputError
from ..diagnostics.suggestion import nearest
from ..disk.files import read_whole
from ..reading.bound import MAX_DEPTH
from ..reading.document import read_documents
from .settings import namespace_fault
from .settings_data import from_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Span
    from ..reading.document import Document
    from .settings import Settings


REFUSED = rule(
    "CFG011",
    "configuration-refused",
    "An mcpcfg configuration file is not valid",
    stage="process",
    unmodelled="all",
    checks="In a file that is checked with `--as mcpcfg`: an unknown key, a value of the wrong type or outside the"
    " allowed range, a rule that does not exist, a custom rule that cannot be read.",
    why="Every call that reads the file ends with exit status 2.",
    example="rules: {REF001: of}",
    fix="Correct the value; `mcpcfg schema mcpcfg` prints what the file may contain.",
    source="docs/configuration.md.",
)
_ID = re.compile("[A-Z]{3}[0-9]{3}")
_MOST_FAULTS = 100
"""Faults of one configuration that are shown."""
MOST_BYTES = 1 << 20
"""The largest configuration that is read: each pattern in it is compiled, and compared with the path of each file."""
_DEEP_KEY = rf"""(?<![\w-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}"""
"""A dotted key of TOML that nests tables deeper than documents may be: tomllib takes the square of its parts."""


class SettingsFault(NamedTuple):
    """Something that is wrong with a configuration: where, what, and what to do."""

    span: Span
    message: str
    hint: str | None = None


def check_settings(document: Document, *_: object) -> list[Finding]:
    """Check a configuration as an input of its own."""
    faults = settings_faults(document.data.encode("utf-8", "surrogateescape"), document.file)
    return [REFUSED.finding(fault.span, fault.message, document=0, hint=fault.hint) for fault in faults]


def read_settings(file: str) -> Settings:
    """Read ``mcpcfg.yaml``, or the ``[tool.mcpcfg]`` table of a ``pyproject.toml``.

    Raises:
        InputError: The file cannot be read or holds something that its schema does not know; each fault with its place.
    """
    data = _toml_table(file) if file.endswith(".toml") else _yaml(file)
    try:
        return from_data(data, file)
    except KeyError as error:
        raise InputError(f"{file}: profile {error} is not one of those under profiles") from error


def _toml_table(file: str) -> dict[str, Any]:
    import json
    import tomllib

    text = read_whole(file, MOST_BYTES)
    too_deep = InputError(f"{file}: lists and tables lie too deep in one another")
    if re.search(_DEEP_KEY.encode(), text):
        raise too_deep
    try:
        tool = tomllib.loads(text.decode()).get("tool")
        written = json.dumps(tool.get("mcpcfg", {}) if isinstance(tool, dict) else {}, default=str).encode()
    except RecursionError:
        raise too_deep from None
    except ValueError as error:  # no UTF-8, no TOML, an integer of thousands of digits
        raise InputError(f"{file}: {error}") from None
    return _validated(written, file, f"{file} [tool.mcpcfg]")


def _yaml(file: str) -> dict[str, Any]:
    return _validated(read_whole(file, MOST_BYTES), file, None)


def settings_faults(text: bytes, file: str) -> list[SettingsFault]:
    """Report what is wrong with the text of a ``mcpcfg.yaml``."""
    return _faults(text, file)[0]


def _validated(text: bytes, file: str, shown: str | None) -> dict[str, Any]:
    faults, data = _faults(text, file)
    if faults:
        lines = [as_line(_line(fault.span, shown, fault.message, fault.hint)) for fault in faults[:_MOST_FAULTS]]
        more = [f"  and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
        raise InputError("\n".join(["the configuration is not valid:", *dict.fromkeys(lines), *more]))
    return data if isinstance(data, dict) else {}


def _faults(text: bytes, file: str) -> tuple[list[SettingsFault], Any]:
    """Return what is wrong with a configuration, and its data."""
    # Kubernetes would read off as a boolean: here it is a word
    documents, findings = read_documents(text, file, dialect="vmcp")
    data = documents[0].data if documents else None
    if documents and not findings:
        from ..admission.file import admit_file

        findings, data = admit_file("mcpcfg", documents[0])
    faults = [SettingsFault(one.span, _plainly(one, documents), one.hint) for one in findings]
    if not faults and isinstance(data, dict) and data.get("customRules"):
        faults = [SettingsFault(span, message) for span, message in _rule_faults(documents[0])]
    if not faults and isinstance(data, dict) and data.get("rules"):
        faults = [SettingsFault(*row) for row in _unknown_rules(documents[0])]
    return faults, data


def _plainly(finding: Finding, documents: list[Document]) -> str:
    """Return what is wrong with a namespace in words, where the schema has a pattern."""
    if finding.path != ("namespace",) or not isinstance(documents[0].data["namespace"], str):
        return finding.message
    return namespace_fault(documents[0].data["namespace"]) or finding.message


def _line(span: Span, shown: str | None, message: str, hint: str | None) -> str:
    place = shown or f"{span.file}:{span.line}:{span.column}"
    return f"  {place}: {message}" + (f" ({hint})" if hint else "")


def _unknown_rules(document: Document) -> Iterator[tuple[Span, str, str | None]]:
    """Report ids to which a severity is given and that no rule can have."""
    from ...validators.custom_rule import is_taken

    own = {row["id"] for row in document.data.get("customRules") or ()}
    unknown = [one for one in document.data["rules"] if one not in own and not (is_taken(one) and _ID.fullmatch(one))]
    if not unknown:
        return
    from ...validators.registry import all_rules

    ids = {name: rule.id for rule in all_rules().values() for name in (rule.id, rule.name)}
    for number, id_ in enumerate(unknown):
        near = ids.get(id_)
        if near is None and number < _MOST_FAULTS:
            near = nearest(id_.upper(), [*ids.values(), *own])
        hint = f"did you mean {near}?" if near else None
        yield document.key_span(("rules", id_)), f'there is no rule "{id_}"', hint


def _rule_faults(document: Document) -> Iterator[tuple[Span, str]]:
    """Yield what is wrong with the project's own rules: their expressions, ids and kinds."""
    from ...validators import custom_rule

    seen: set[str] = set()
    for i, row in enumerate(document.data["customRules"]):
        id_, kind = row["id"], row["kind"]
        if id_ in seen or custom_rule.is_taken(id_):
            whose = "another custom rule" if id_ in seen else "a rule of mcpcfg"
            yield document.span(("customRules", i, "id")), f"{id_} is {whose} already"
        seen.add(id_)
        if not custom_rule.is_kind(kind):
            yield document.span(("customRules", i, "kind")), f'"{kind}" is not a kind that rules can check'
        for fault in custom_rule.expression_faults(row["expression"]):
            line, column = fault.position(row["expression"])
            message = f"{id_}, expression {line}:{column}: {fault.message}"
            yield document.span(("customRules", i, "expression")), message
