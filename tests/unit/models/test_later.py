"""What later releases took up, held against the schemas that they shipped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from recorded import SHARED

from mcpcfg.compiler.diagnostics.version import RELEASE
from mcpcfg.compiler.models import later
from mcpcfg.schemas._admission import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMELINE = SHARED.parent / "releases" / "timeline.json"
with_timeline = pytest.mark.skipif(not TIMELINE.is_file(), reason="the shared folder of releases is not there")


def _number(tag: str) -> tuple[int, ...]:
    return tuple(map(int, tag.removeprefix("v").split(".")))


def _changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each release after ours with what it changed."""
    for release in json.loads(TIMELINE.read_text(encoding="utf-8"))["releases"]:
        if _number(release["tag"]) > _number(RELEASE):
            yield release["tag"].removeprefix("v"), release["changes"]


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.replace("[]", ".*").replace("{}", ".*").split("."))


def _declared(additions: tuple[later.Addition, ...]) -> set[tuple[str, str, tuple[str, ...], str]]:
    return {
        (one.release, kind, steps, name) for one in additions for kind, steps in later.places(one) for name in one.names
    }


@with_timeline
def test_every_field_that_a_later_release_took_up_is_declared() -> None:
    added: dict[tuple[str, tuple[str, ...]], str] = {}
    for release, changes in _changes():
        for kind in KINDS.keys() & changes["kinds"].keys():
            for path in changes["kinds"][kind].get("added_top", ()):
                steps = _steps(path)
                if not any((kind, steps[:length]) in added for length in range(1, len(steps))):
                    added[kind, steps] = release

    assert {(release, kind, steps[:-1], steps[-1]) for (kind, steps), release in added.items()} == _declared(
        later.FIELDS
    )


@with_timeline
def test_every_text_and_every_field_that_became_optional_is_declared() -> None:
    values, optional = set(), set()
    for release, changes in _changes():
        for kind in KINDS.keys() & changes["kinds"].keys():
            own = changes["kinds"][kind]
            values |= {
                (release, kind, _steps(one["path"]), text) for one in own.get("enum", ()) for text in one["added"]
            }
            optional |= {
                (release, kind, _steps(one["path"]), name)
                for one in own.get("required", ())
                for name in one["no_longer"]
            }

    assert (values, optional) == (_declared(later.VALUES), _declared(later.OPTIONAL))


@with_timeline
def test_the_kinds_and_the_newest_release_are_those_of_the_timeline() -> None:
    releases = list(_changes())

    assert {kind: release for release, changes in releases for kind in changes["kinds_added"]} == later.KINDS
    assert releases[-1][0] == later.NEWEST


@pytest.mark.parametrize(
    ("kind", "path", "name", "release"),
    [
        ("MCPServer", ("spec",), "authzConfigRef", "0.30.0"),
        ("MCPGroup", ("spec",), "authzConfigRef", None),
        ("MCPServer", ("spec", "authzConfig"), "authzConfigRef", None),
        ("VirtualMCPServer", ("spec", "config", "compositeTools", 3), "annotations", "0.42.1"),
        ("VirtualMCPServer", ("spec", "authServerConfig"), "cimd", "0.29.0"),
        ("MCPExternalAuthConfig", ("spec", "embeddedAuthServer"), "cimd", "0.29.0"),
    ],
)
def test_a_field_is_known_at_its_very_place(kind: str, path: Any, name: str, release: str | None) -> None:
    assert later.release_of(later.FIELDS, kind, path, name) == release


def test_the_fields_of_a_place_are_those_of_its_kind() -> None:
    assert later.fields_of("MCPServer", ("spec",))["authzConfigRef"] == "0.30.0"
    assert later.fields_of("MCPRegistry", ("spec",)) == {"imagePullSecrets": "0.26.0"}
    assert later.fields_of("MCPRegistry", ("status",)) == {}
    assert later.fields_of("MCPGroup", ("spec",)) == {}
