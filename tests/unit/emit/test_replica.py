"""How many replicas the proxy of a server gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sample
import yaml
from calling import call

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("transport", "asked", "given"),
    [
        ("stdio", None, None),
        ("stdio", 0, 0),
        ("stdio", 1, 1),
        ("stdio", 2, 1),
        ("streamable-http", 2, 2),
    ],
)
def test_a_server_of_transport_stdio_has_one_replica_at_most(
    tmp_path: Path, transport: str, asked: int | None, given: int | None
) -> None:
    replicas = () if asked is None else (f"replicas: {asked}",)
    file = tmp_path / "server.yaml"
    file.write_text(sample.resource("MCPServer", "fetch", "image: a:1", f"transport: {transport}", *replicas))
    outcome = call("build", str(file), "--target", "kubernetes")
    objects = [one for one in yaml.safe_load_all(outcome.out) if one and one["kind"] == "Deployment"]
    assert [one["spec"].get("replicas") for one in objects] == [given]
