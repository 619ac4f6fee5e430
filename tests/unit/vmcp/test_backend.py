"""Backends of the virtual server's configuration, each looked at."""

from __future__ import annotations

from mcpcfg.compiler.vmcp.validate import _backends


def test_a_backend_without_a_bundle_hides_none_after_it() -> None:
    backends = [
        {"name": "a"},
        {"name": "b", "type": "entry", "caBundlePath": "/etc/ca.crt"},
        {"name": "c", "caBundlePath": "/etc/ca.crt"},
        {"name": "d", "type": "entry", "caBundlePath": "../ca.crt"},
        {"name": "e", "type": "other"},
    ]
    assert [one.path for one in _backends(backends)] == [
        ("backends", 2, "caBundlePath"),
        ("backends", 3, "caBundlePath"),
        ("backends", 4, "type"),
    ]
