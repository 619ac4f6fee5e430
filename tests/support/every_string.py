"""Projects in which a text of a test's choice stands in every field that takes a text, of every kind and record."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.generate import schema_file
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = Path(__file__).parents[2] / "fixtures" / "rules"
KINDS = [name for name in schema_file.schema_names() if name[0].isupper() and not name.endswith("List")]
RECORDS = (
    *("registry", "registry-legacy", "server", "catalog-skill", "runconfig", "vmcp", "workload-request"),
    *("permission-profile", "authz", "audit", "webhook", "tool-override"),
)
"""Schemas of the records that have an input kind of their own."""

_DEEPEST = 12


class Filler:
    """Makes instances of a schema in which every text is ``text``.

    Args:
        name: Of the schema.
        text: What stands in every field that takes a text.
        strict: Whether what has a pattern, or takes certain words alone, gets what it takes.
        turn: Which of several words, or forms, is taken.
    """

    def __init__(self, name: str, text: str, *, strict: bool, turn: int) -> None:
        self._schema = _schema(name)
        self._text = text
        self._strict = strict
        self._turn = turn

    def make(self) -> Any:
        """Return an instance."""
        return self._of(self._schema, 0, "")

    def _of(self, schema: Any, depth: int, name: str) -> Any:
        schema = schema if isinstance(schema, dict) else {}
        if "$ref" in schema:
            return self._of(self._target(schema["$ref"]), depth + 1, name)
        for word in ("anyOf", "oneOf"):
            if word in schema and "properties" not in schema:
                forms = [one for one in schema[word] if one.get("type") != "null"]
                return self._of(forms[self._turn % len(forms)] if forms else {}, depth, name)
        return self._scalar(schema, name) if _type(schema) not in ("object", "array") else self._holder(schema, depth)

    def _holder(self, schema: dict[str, Any], depth: int) -> Any:
        if depth > _DEEPEST:
            return [] if _type(schema) == "array" else {}
        if _type(schema) == "array":
            return [self._of(schema.get("items"), depth + 1, "")]
        out = {key: self._of(inner, depth + 1, key) for key, inner in schema.get("properties", {}).items()}
        more = schema.get("additionalProperties")
        if isinstance(more, dict) or (not out and more is not False):
            out["key" if self._strict else self._text] = self._of(more, depth + 1, "")
        return out

    def _scalar(self, schema: dict[str, Any], name: str) -> Any:
        type_ = _type(schema)
        if self._strict and "const" in schema:
            return schema["const"]
        if self._strict and "enum" in schema:
            words = [word for word in schema["enum"] if word not in ("", None)]
            return words[self._turn % len(words)]
        if type_ in ("integer", "number"):
            return schema.get("default", schema.get("minimum", 1))
        if type_ == "boolean":
            return self._turn % 2 == 0
        if self._strict and (name in ("name", "namespace") or "pattern" in schema or "format" in schema):
            return schema.get("default", "fetch")
        return self._text

    def _target(self, reference: str) -> Any:
        found: Any = self._schema
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        return found


def _type(schema: dict[str, Any]) -> str:
    type_ = schema.get("type", "object" if "properties" in schema else "string")
    return str(next(one for one in type_ if one != "null") if isinstance(type_, list) else type_)


@cache
def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema_file.schema_text(name) or "")
    return found


def resources(text: str) -> Iterator[dict[str, Any]]:
    """Yield resources of every kind: with the text in every field, and in those that take any text."""
    for kind in KINDS:
        for number, (strict, turn) in enumerate(((False, 0), (True, 0), (True, 1))):
            made = Filler(kind, text, strict=strict, turn=turn).make()
            made |= {"apiVersion": f"toolhive.stacklok.dev/v1{'beta' if turn == 1 else 'alpha'}1", "kind": kind}
            if strict:
                made["metadata"] |= {"name": f"{kind.lower()}-{number}", "namespace": "default"}
            yield made


def records(text: str) -> Iterator[Any]:
    """Yield records of every kind."""
    for name in RECORDS:
        for strict, turn in ((False, 0), (True, 0), (True, 1)):
            yield Filler(name, text, strict=strict, turn=turn).make()


def altered(text: str) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the documents of rules' fixtures as they are, and with the text in one field: each field occurs once.

    Each pair is in a namespace of its own.
    """
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for file in sorted(RULES.glob("*/*.yaml")):
        documents = [one.data for one in read_documents(file.read_bytes(), str(file))[0]]
        for number, document in enumerate(documents):
            if not isinstance(document, dict):
                continue
            for path in _texts(document, ()):
                place = (str(document.get("kind")), tuple("*" if isinstance(step, int) else step for step in path))
                if place in seen or path[-1] in ("kind", "apiVersion"):
                    continue
                seen.add(place)
                before = [_in_namespace(one, f"n{len(seen)}") for one in documents]
                after = copy.deepcopy(before)
                holder = after[number]
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = text
                yield before, after


def _in_namespace(document: Any, namespace: str) -> Any:
    made = copy.deepcopy(document)
    metadata = made.get("metadata") if isinstance(made, dict) else None
    if isinstance(metadata, dict):
        metadata.setdefault("namespace", namespace)
    return made


def _texts(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, (*path, number))
    elif isinstance(value, str):
        yield path


def write(folder: Path, text: str, name: str = "") -> None:
    """Write a project of all these: ``before`` holds fixtures as they are, ``after`` with the text.

    Args:
        folder: Where.
        text: The text.
        name: Stands in the names of the folder and of all files of ``after``.
    """
    before, after = folder / "before", folder / "after" / f"d{name}"
    before.mkdir(parents=True)
    after.mkdir(parents=True)
    for number, (as_it_is, changed) in enumerate(altered(text)):
        (before / f"{number}.yaml").write_text(_stream(as_it_is), encoding="utf-8")
        (after / f"{number}{name}.yaml").write_text(_stream(changed), encoding="utf-8")
    for number, made in enumerate(resources(text)):
        (after / f"kind-{number}{name}.yaml").write_text(_stream([made]), encoding="utf-8")
    for number, record in enumerate(records(text)):
        (after / f"record-{number}{name}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


def _stream(documents: list[Any]) -> str:
    return "\n---\n".join(json.dumps(one, indent=1) for one in documents) + "\n"
