"""What a permission profile allows, and what of it comes to nothing."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.permission.check import check_profile


def found(*, read: list[str], write: list[str] | None = None) -> list[tuple[tuple[str | int, ...], str]]:
    return [(one.path, one.message) for one in check_profile({"read": read, "write": write or []})]


def test_mounts_with_different_targets_have_no_fault() -> None:
    assert found(read=["/srv", "/a:/b"], write=["/c:/d"]) == []


@pytest.mark.parametrize(
    ("mount", "message"),
    [
        ("/a:/b:/c", "cannot be read: it contains more than the one colon"),
        ("resource://x:/y", "names a resource, which this version does not mount"),
        ("/srv:data", "has no absolute path in the container"),
    ],
)
def test_mounts_after_a_faulty_mount_are_checked(mount: str, message: str) -> None:
    (first, second) = found(read=[mount, "/srv:/x", "/opt:/x"])
    assert first[0] == ("read", 0)
    assert message in first[1]
    assert second == (("read", 2), '/x is the target of "/srv:/x" too')


def test_a_target_in_both_read_and_write_is_reported_as_repeated() -> None:
    assert found(read=["/srv:/x"], write=["/opt:/x"]) == [(("write", 0), '/x is the target of "/srv:/x" too')]
    assert found(read=["/srv:/x", "/srv:/x"]) == []
