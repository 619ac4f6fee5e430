"""What a call says about resources outside its files."""

from __future__ import annotations

from mcpcfg.compiler.workspace.external import ProjectContext


class _Made:
    """Names that overlays make, of servers alone."""

    def have(self, kind: str, name: str) -> bool:
        return (kind, name) == ("MCPServer", "x-fetch")

    def kinds(self) -> frozenset[str]:
        return frozenset({"MCPServer"})


EXTERNAL = ProjectContext(
    external={"Secret": frozenset({"token"}), "MCPGroup": frozenset({"*"}), "ConfigMap": frozenset()}
)


def test_what_the_settings_name_is_there() -> None:
    assert EXTERNAL.has("Secret", "token")
    assert not EXTERNAL.has("Secret", "other")
    assert not EXTERNAL.has("MCPServer", "token")


def test_an_asterisk_stands_for_all_names() -> None:
    assert EXTERNAL.has("MCPGroup", "whatever")


def test_names_that_overlays_make_are_there() -> None:
    context = ProjectContext(overlays=_Made())
    assert context.has("MCPServer", "x-fetch")
    assert not context.has("MCPServer", "fetch")


def test_a_kind_may_occur_where_settings_or_overlays_name_one() -> None:
    assert EXTERNAL.may_have_any(frozenset({"Secret", "MCPServer"}))
    assert not EXTERNAL.may_have_any(frozenset({"MCPServer", "ConfigMap"}))
    assert ProjectContext(overlays=_Made()).may_have_any(frozenset({"MCPServer"}))
    assert not ProjectContext(overlays=_Made()).may_have_any(frozenset({"MCPGroup"}))


def test_by_default_files_are_whole_folders_in_an_open_world() -> None:
    assert ProjectContext()[:4] == (False, {}, True, None)
