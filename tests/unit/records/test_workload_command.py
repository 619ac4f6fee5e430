"""Workload requests as people compile them: with ``build`` and the ports that their machine has free."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.cli.main import main

from .conftest import CONFORMANCE, fixture_rows, recorded_rows

if TYPE_CHECKING:
    from pathlib import Path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    assert isinstance(ended.value.code, int)
    return ended.value.code, capsys.readouterr().out


def ports(text: str | None) -> list[str]:
    """Return the recorded ports as options: the service drew them at random where the request states none."""
    config = json.loads(text) if text is not None else {}
    options = {"--proxy-port": config.get("port"), "--target-port": config.get("target_port")}
    return [word for option, port in options.items() if port is not None for word in (option, str(port))]


def build(capsys: pytest.CaptureFixture[str], request: Path, registry: Path, text: str | None) -> tuple[int, str]:
    command = ("build", "--as", "workload", "--target", "runconfig", "--closed")
    return run(capsys, *command, *ports(text), str(request), str(registry))


def details(capsys: pytest.CaptureFixture[str], *paths: Path, text: str) -> dict[str, Any]:
    out = run(capsys, "workload", "show", "--format", "json", *ports(text), *map(str, paths))[1]
    shown: dict[str, Any] = json.loads(out)
    return shown


@pytest.mark.parametrize("row", fixture_rows("workload"), ids=lambda row: row["name"])
def test_a_request_is_compiled_byte_for_byte_and_shown_as_recorded(
    row: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request, registry, stored = (tmp_path / name for name in ("request.json", "registry.json", "stored.json"))
    request.write_text(json.dumps(row["input"]))
    registry.write_text(json.dumps(row["registry"]))
    text = row.get("runconfig")

    assert build(capsys, request, registry, text) == ((1, "") if text is None else (0, f"{text.rstrip()}\n"))
    if text is not None:
        stored.write_text(text)
        assert details(capsys, request, registry, text=text) == row["details"]
        assert details(capsys, stored, text=text) == row["details"]


def test_every_recorded_request_is_compiled_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = tmp_path / "stored.json"
    for row, _ in recorded_rows("workload"):
        request = CONFORMANCE / "files" / row["file"]
        text = row.get("runconfig")
        made = build(capsys, request, request.with_name("registry.json"), text)
        assert made == ((1, "") if row["error"] else (0, f"{(text or '').rstrip()}\n")), row["file"]
        if text:
            stored.write_text(text)
            shown = details(capsys, request, request.with_name("registry.json"), text=text)
            assert shown == details(capsys, stored, text=text) == row["details"], row["file"]


def test_requests_without_names_are_built_shown_and_distinguished_by_their_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry: dict[str, object] = {
        "description": "Weather for cities",
        "image": "ghcr.io/acme/weather:1",
        "status": "Active",
    }
    entry |= {"tier": "Community", "transport": "stdio", "tools": ["forecast"]}
    registry = tmp_path / "registry.json"
    registry.write_text(
        json.dumps({"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "servers": {"weather": entry}})
    )
    alone = tmp_path / "a.json"
    alone.write_text('{"image": "weather"}')
    again = tmp_path / "b.json"
    again.write_text('{"image": "weather", "proxy_port": 8080}')

    code, text = build(capsys, alone, registry, None)
    assert (code, json.loads(text)["name"]) == (0, "weather")
    assert details(capsys, alone, registry, text=text)["name"] == "weather"

    code, out = run(capsys, "check", "--format", "json", "--as", "workload", *map(str, (alone, again, registry)))
    (finding,) = [one for one in json.loads(out)["findings"] if one["severity"] == "error"]
    assert (code, finding["rule"], finding["file"]) == (1, "WRK018", str(again))
    assert '"weather"' in finding["message"]
