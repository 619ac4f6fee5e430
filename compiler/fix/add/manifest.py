"""Write the text of a new resource in the style of existing resources."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import mapping
from ...golang.yaml.scalar import style_of
from .pattern import renamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ...workspace.resource import Resource

_ORDER: Final = (
    *("image", "remoteUrl", "remoteURL", "transport", "proxyMode", "mcpPort", "proxyPort", "args", "env", "secrets"),
    *("groupRef", "oidcConfigRef", "telemetryConfigRef", "permissionProfile", "incomingAuth", "outgoingAuth", "config"),
    *("audit", "resources", "podTemplateSpec"),
)
"""Order of the fields that no model has."""
_SHARED: Final = frozenset(
    {"groupRef", "oidcConfigRef", "telemetryConfigRef", "permissionProfile", "proxyMode", "proxyPort", "resources"}
)
"""Fields that a new resource has if most of its models have the same value."""
_FEWEST: Final = 2
"""Minimum number of models that must agree on a value. The value of a single model is rarely a convention."""
_SCHEMA: Final = re.compile(r"^#[ \t]*yaml-language-server:[ \t]*\$schema=\S+$", re.MULTILINE)
_BLOCK: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?(?:\n*\n *[!-~](?:[ -~]*[!-~])?)+\n?")
"""A text of several lines that a literal block holds: no line ends with a space, and the first is not indented."""
_NESTED_LIST: Final = re.compile(r"^([ ]*)[\w.-]+:[ \t]*\n(?:[ \t]*(?:#.*)?\n)*([ ]*)- ", re.MULTILINE)


class Style(NamedTuple):
    """The style of a document in a project.

    Attributes:
        has_marker: True if the file begins with ``---``.
        schema: The comment that tells editors the JSON Schema; empty if there is none.
        is_indented: True if the items of a list are indented more than its key.
        newline: Characters that end a line.
    """

    has_marker: bool = False
    schema: str = ""
    is_indented: bool = False
    newline: str = "\n"


def style_at(text: str, kind_before: str, kind: str) -> Style:
    """Return the style of a document, for a new document of the kind ``kind``.

    In the schema comment, ``kind`` replaces ``kind_before``, the kind of the document. If that is impossible, the style
    has no schema comment.
    """
    comment = _SCHEMA.search(text)
    schema = comment.group() if comment is not None else ""
    if kind_before.lower() != kind.lower():
        is_named = kind_before.lower() in schema.lower()
        schema = re.sub(re.escape(kind_before.lower()), kind.lower(), schema, flags=re.IGNORECASE) if is_named else ""
    nested = Counter(len(match[2]) > len(match[1]) for match in _NESTED_LIST.finditer(text.replace("\r\n", "\n")))
    newline = "\r\n" if "\r\n" in text else "\n"
    return Style(text.lstrip().startswith("---"), schema, nested[True] > nested[False], newline)


def neighbor_schema(texts: Iterable[bytes], kinds: Iterable[str]) -> tuple[str, str] | None:
    """Return the first schema comment that names one of the kinds, and the kind, or ``None`` if there is none."""
    known = {kind.lower(): kind for kind in kinds}
    for text in texts:
        if b"yaml-language-server" in text:
            for comment in _SCHEMA.finditer(text.decode("utf-8", "replace")):
                kind = next((known[word] for word in re.findall(r"[a-z]+", comment[0].lower()) if word in known), None)
                if kind is not None:
                    return comment[0], kind
    return None


def with_schema(text: str, neighbor: tuple[str, str]) -> str:
    """Return the text of a resource with a schema comment for its kind.

    ``neighbor`` is the comment of another resource, and the kind that this comment names. If the comment cannot be
    adapted, the text stays the same.
    """
    kind = re.search(r"^kind:[ \t]*(\w+)", text, re.MULTILINE)
    schema = style_at(neighbor[0], neighbor[1], kind[1]).schema if kind is not None else ""
    return f"{schema}\n{text}" if schema else text


def spec_of(stated: Mapping[str, Any], models: Sequence[Resource[Any]]) -> dict[str, Any]:
    """Return the stated fields, and for each field in `_SHARED` the value that two thirds of the models have."""
    spec = dict(stated)
    for field in sorted(_SHARED - spec.keys()):
        values = [mapping(model.document.data.get("spec")).get(field) for model in models]
        most = _most_common(values)
        if most is not None and values.count(most) * 3 >= len(values) * 2:
            is_enough = values.count(most) >= _FEWEST or field == "groupRef"
            if is_enough and not (field == "proxyMode" and spec.get("transport", "stdio") != "stdio"):
                spec[field] = most
    return _ordered(spec, models)


def _most_common(values: Iterable[Any]) -> Any:
    keys = Counter(repr(value) for value in values if value is not None)
    first = keys.most_common(1)[0][0] if keys else None
    return next((value for value in values if repr(value) == first), None)


def _ordered(spec: dict[str, Any], models: Sequence[Resource[Any]]) -> dict[str, Any]:
    """Return the spec in the field order of the model that has most of its fields; others keep their usual place."""
    orders = [list(mapping(model.document.data.get("spec"))) for model in models]
    best = max(orders, key=lambda order: len(spec.keys() & set(order)), default=[])
    keys = [key for key in best if key in spec]
    usual = [*(key for key in _ORDER if key in spec), *(key for key in spec if key not in _ORDER)]
    for number, key in enumerate(usual):
        if key not in keys:
            before = [other for other in usual[:number] if other in keys]
            keys.insert(keys.index(before[-1]) + 1 if before else 0, key)
    return {key: spec[key] for key in keys}


def metadata_of(
    name: str, namespace: str | None, models: Sequence[Resource[Any]], words: Mapping[str, str]
) -> dict[str, Any]:
    """Return the metadata of a new resource: its name, and the namespace and labels that all models have.

    Args:
        namespace: The stated namespace; ``None`` to take it from the models.
        models: Resources to take the style from, the most similar first.
        words: Words of the first model, such as its name, and their replacements in the new resource.
    """
    metadata: dict[str, Any] = {"name": name}
    stated = [model.document.data["metadata"] for model in models if isinstance(model.document.data["metadata"], dict)]
    namespaces = [place for each in stated if isinstance(place := each.get("namespace"), str)]
    if namespace is None and namespaces and len(namespaces) == len(stated):
        namespace = namespaces[0] if len({*namespaces}) == 1 else renamed(namespaces[0], words.items())
    if namespace is not None:
        metadata["namespace"] = namespace
    labels = {}
    first = stated[0].get("labels") if stated else None
    for key, value in first.items() if isinstance(first, dict) else ():
        others = [mapping(each.get("labels")).get(key) for each in stated]
        if isinstance(value, str) and None not in others:
            labels[key] = value if {*others} == {value} else renamed(value, words.items())
            if labels[key] == value and {*others} != {value}:
                del labels[key]
    if labels and len(stated) > 1:
        metadata["labels"] = labels
    return metadata


def document_text(data: Mapping[str, Any], style: Style, *, comment: str = "") -> str:
    """Return a document as YAML text, without ``---``.

    Args:
        comment: A comment above the document, without ``#``.
    """
    lines = [*([style.schema] if style.schema else []), *([f"# {comment}"] if comment else [])]
    lines += _mapping(data, 0, style)
    return "".join(f"{line}{style.newline}" for line in lines)


def _mapping(data: Mapping[str, Any], column: int, style: Style) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        written = f"{' ' * column}{_scalar(key)}:"
        if isinstance(value, dict) and value:
            lines += [written, *_mapping(value, column + 2, style)]
        elif isinstance(value, list) and value:
            lines += [written, *_items(value, column + 2 * style.is_indented, style)]
        elif isinstance(value, str) and _BLOCK.fullmatch(value):
            mark = "|" if value.endswith("\n") else "|-"
            lines += [f"{written} {mark}", *(f"{' ' * (column + 2)}{line}".rstrip(" ") for line in value.splitlines())]
        else:
            lines.append(f"{written} {_scalar(value)}")
    return lines


def _items(items: list[Any], column: int, style: Style) -> list[str]:
    lines: list[str] = []
    for item in items:
        if isinstance(item, dict) and item:
            first, *rest = _mapping(item, column + 2, style)
            lines += [f"{' ' * column}- {first.lstrip()}", *rest]
        elif isinstance(item, list) and item:
            first, *rest = _items(item, column + 2, style)
            lines += [f"{' ' * column}- {first.lstrip()}", *rest]
        else:
            lines.append(f"{' ' * column}- {_scalar(item)}")
    return lines


def _scalar(value: Any) -> str:
    import json

    if not isinstance(value, str):
        return json.dumps(value)
    return value if style_of(value, v3=False) == "plain" else json.dumps(value, ensure_ascii=False)
