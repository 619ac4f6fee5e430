"""One typo in every recorded document, at three releases and in both versions: what the release refuses is reported.

What a release refuses is read from its CRDs: a field that its schema does not name, where it keeps no unknown ones.
"""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from recorded import SHARED, cases, read_all

from mcpcfg.compiler.admission.admit import admit
from mcpcfg.compiler.generate.crd import definition
from mcpcfg.compiler.generate.kind import read_kinds
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import SECOND_VERSION_SINCE, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

RELEASES = ("0.21.0", "0.30.0", "0.44.0")
VERSIONS = ("v1alpha1", "v1beta1")
NEWER = SHARED.parent / "conformance-0.44.0" / "operator"
PARTS = 8


def inputs() -> Iterator[Path]:
    for group in ("operator", "openshift", "composites"):
        yield from (case.input for case in cases(group))
    if NEWER.is_dir():
        yield from (folder / "input.yaml" for folder in sorted(NEWER.iterdir()))


@cache
def documents(part: int) -> tuple[dict[str, Any], ...]:
    """Return the recorded documents of ours of a part of the inputs, each spec once."""
    found = {
        json.dumps((one["kind"], one["spec"])): one
        for file in list(inputs())[part::PARTS]
        for one in read_all(file.read_text("utf-8"))
        if str(one.get("apiVersion")).startswith(f"{TOOLHIVE.api_group}/") and isinstance(one.get("spec"), dict)
    }
    return tuple(found.values())


@cache
def schemas(release: str) -> Mapping[str, Any]:
    definitions = [definition(one, TOOLHIVE, release)["spec"] for one in read_kinds(release)]
    return {one["names"]["kind"]: one["versions"][0]["schema"]["openAPIV3Schema"] for one in definitions}


def keys(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every key."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*path, key)
            yield from keys(below, (*path, key))
    elif isinstance(value, list):
        for position, below in enumerate(value):
            yield from keys(below, (*path, position))


def misspelt(one: dict[str, Any], refused: set[tuple[str | int, ...]]) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """Return a document with one typo, at a key that its spec decides outside of what is refused, and its path."""
    source = random.Random(json.dumps(one["spec"]))
    out = copy.deepcopy(one)
    places = (("spec",), *keys(one["spec"], ("spec",)))
    path = source.choice([one for one in places if not any(one[: len(wrong)] == wrong for wrong in refused)])
    holder: Any = out
    for step in path[:-1]:
        holder = holder[step]
    key = str(path[-1])
    position = source.randrange(len(key)) if key else 0
    typo = source.choice((f"{key}s", key[:position] + key[position + 1 :], f"{key[:position]}q{key[position:]}"))
    holder[typo if typo and typo not in holder else f"{key}x"] = holder.pop(key)
    (written,) = holder.keys() - _at(one, path[:-1]).keys()
    return out, (*path[:-1], written)


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def is_refused(schema: Mapping[str, Any] | None, path: tuple[str | int, ...]) -> bool:
    """Return whether strict validation refuses the field at a path: a schema above names its fields, and not this."""
    for step in path:
        if schema is None:
            return False
        if isinstance(step, int):
            schema = schema.get("items")
        elif step in schema.get("properties", {}):
            schema = schema["properties"][step]
        elif "additionalProperties" in schema:
            schema = schema["additionalProperties"]
        else:
            return not schema.get("x-kubernetes-preserve-unknown-fields")
    return False


def found(one: dict[str, Any], release: str) -> dict[str, set[tuple[str | int, ...]]]:
    """Return the paths of what is refused, by rule."""
    read, _ = read_documents(json.dumps(one).encode(), "typo.json")
    out: dict[str, set[tuple[str | int, ...]]] = {}
    for finding in admit(read[0], profile=profile_of_release(TOOLHIVE, release)).findings:
        out.setdefault(finding.rule, set()).add(finding.path or ())
    return out


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("release", RELEASES)
def test_a_typo_is_reported_where_the_release_refuses_it_and_nowhere_else(
    release: str, version: str, part: int
) -> None:
    served = version == "v1alpha1" or holds(SECOND_VERSION_SINCE, None, release)
    wrong = {}
    for recorded in documents(part):
        one = recorded | {"apiVersion": f"{TOOLHIVE.api_group}/{version}"}
        schema = schemas(release).get(one["kind"])
        if schema is None or (version == "v1beta1" and one["kind"] == "MCPWebhookConfig"):
            continue  # no kind of the release, or none of the version
        before = found(one, release)
        typed, path = misspelt(one, {path for paths in before.values() for path in paths if len(path) > 1})
        after = found(typed, release)
        expected = {path} if is_refused(schema, path) else set()
        if not served:
            right = after == {"ADM031": {("apiVersion",)}}
        else:
            right = after.get("ADM001", set()) - before.get("ADM001", set()) == expected
        if not right:
            wrong[one["metadata"]["name"], path] = (expected, after)

    assert documents(part)
    assert wrong == {}
