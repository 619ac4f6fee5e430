"""What a call says about resources outside its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.workspace.context import ProjectContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class _Made:
    """Names that overlays make, of servers alone."""

    def may_have(self, kind: str, name: str) -> bool:
        return (kind, name) == ("MCPServer", "x-fetch")

    def is_renamed(self, file: str) -> bool:
        raise NotImplementedError

    def may_differ(self, file: str, other: str) -> bool:
        raise NotImplementedError

    def kinds(self) -> frozenset[str]:
        return frozenset({"MCPServer"})

    def altering_folders(self, files: Iterable[str]) -> Sequence[str]:
        raise NotImplementedError


EXTERNAL = ProjectContext(
    external={"Secret": frozenset({"token"}), "MCPGroup": frozenset({"*"}), "ConfigMap": frozenset()}
)


def test_names_in_the_settings_exist() -> None:
    assert EXTERNAL.has("Secret", "token")
    assert not EXTERNAL.has("Secret", "other")
    assert not EXTERNAL.has("MCPServer", "token")


def test_an_asterisk_in_the_settings_matches_every_name() -> None:
    assert EXTERNAL.has("MCPGroup", "whatever")


def test_names_from_overlays_exist() -> None:
    context = ProjectContext(overlays=_Made())
    assert context.has("MCPServer", "x-fetch")
    assert not context.has("MCPServer", "fetch")


def test_a_kind_may_exist_elsewhere_if_settings_or_overlays_have_it() -> None:
    assert EXTERNAL.may_have_any(frozenset({"Secret", "MCPServer"}))
    assert not EXTERNAL.may_have_any(frozenset({"MCPServer", "ConfigMap"}))
    assert ProjectContext(overlays=_Made()).may_have_any(frozenset({"MCPServer"}))
    assert not ProjectContext(overlays=_Made()).may_have_any(frozenset({"MCPGroup"}))


def test_the_default_context_is_open_and_complete() -> None:
    assert ProjectContext()[:4] == (False, {}, True, None)
