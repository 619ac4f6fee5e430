"""Write ``docs/agent-session.md``: two clients talk to the MCP server, and how long it takes. Run it in the root.

It needs the extra ``mcp``, and Node with access to npm for the Inspector.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "agent-session.md"
INSPECTOR = ("npx", "--yes", "@modelcontextprotocol/inspector", "--cli")
DRAFT = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: weather}
spec:
  imagee: ghcr.io/acme/weather:1.2.0
  transport: STDIO
  groupRef: {name: suport-desk}
  env: [{name: VERBOSE, value: yes}]
"""
HEAD = """\
# A session of an agent

`docs/agent_session.py` writes this page. It starts `mcpcfg mcp` in a copy of `fixtures/projects/virtual-server`, and
lets two clients call its tools: that of the Python SDK of MCP, and the MCP Inspector. `…` stands for what is left out.

## The client of the SDK

An agent writes a server with four faults:

"""
CALLS_OF_INSPECTOR = (
    ("tools/list",),
    ("tools/call", "--tool-name", "check", "--tool-arg", 'paths=["weather.yaml"]'),
    ("tools/call", "--tool-name", "explain", "--tool-arg", "what=MCPServer.spec.transport"),
    ("resources/read", "--uri", "mcpcfg://kind/MCPGroup"),
    ("tools/call", "--tool-name", "check", "--tool-arg", 'paths=["../outside.yaml"]'),
)
MOST_LINES = 14
MOST_CHARACTERS = 160


def project(folder: str) -> Path:
    """Return a copy of the example project."""
    return Path(shutil.copytree(ROOT / "fixtures" / "projects" / "virtual-server", Path(folder) / "project"))


def command(root: Path) -> list[str]:
    """Return the command that starts the server."""
    return [sys.executable, "-P", "-m", "mcpcfg", "mcp", "--root", str(root)]


def block(text: str, language: str) -> str:
    """Return a code block with the first lines of a text."""
    lines = [line if len(line) <= MOST_CHARACTERS else f"{line[:MOST_CHARACTERS]}…" for line in text.splitlines()]
    more = ["…"] if len(lines) > MOST_LINES else []
    return "\n".join([f"```{language}", *lines[:MOST_LINES], *more, "```", ""])


def call_shown(name: str, arguments: dict[str, Any]) -> str:
    """Return a call as the page shows it. Texts of files are left out."""
    shown = {key: dict.fromkeys(value, "…") if key == "files" else value for key, value in arguments.items()}
    return f"{name} {json.dumps(shown, ensure_ascii=False)}"


def finding_lines(report: dict[str, Any]) -> str:
    """Return the findings of a report, one a line, with what to do."""
    lines = []
    for finding in report["findings"]:
        fix = f"; fix: {finding['fix']['title']}" if "fix" in finding else ""
        hint = f"; hint: {finding['hint']}" if "hint" in finding else ""
        lines.append(f"{finding['file']}:{finding['line']} {finding['rule']} {finding['message']}{hint}{fix}")
    counts = {name: report["summary"][name] for name in ("errors", "warnings", "infos")}
    return "\n".join([*lines, json.dumps(counts)])


def with_edits(text: str, findings: list[dict[str, Any]]) -> str:
    """Return the text with the edits of all fixes, made from the last to the first."""
    lines = text.splitlines(keepends=True)
    edits = [edit for finding in findings for edit in finding.get("fix", {}).get("edits", ())]
    for edit in sorted(edits, key=lambda edit: (edit["line"], edit["column"]), reverse=True):
        line = lines[edit["line"] - 1]
        lines[edit["line"] - 1] = line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]
    return "".join(lines)


async def session(root: Path) -> list[str]:
    """Return the transcript of the session with the client of the SDK."""
    first, *rest = command(root)
    parts = [block(DRAFT, "yaml")]
    async with Client(stdio_client(StdioServerParameters(command=first, args=rest))) as client:

        async def ask(say: str, name: str, /, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(name, arguments)
            parts.append(f"{say}\n\n{block(call_shown(name, arguments), 'text')}")
            answer: dict[str, Any] = result.structured_content
            return answer

        def answered(text: str, language: str = "text") -> None:
            parts.append(f"Answer:\n\n{block(text, language)}")

        draft = {"weather.yaml": DRAFT}
        report = await ask("It asks whether the draft would run:", "check", paths=["."], files=draft)
        answered(finding_lines(report))
        page = await ask("It does not know one of the rules:", "explain", what="REF001")
        answered(page["page"])
        text = with_edits(DRAFT, report["findings"]).replace("suport-desk", "support-tools")
        parts.append(
            f"It makes the three edits, and writes the name of the group that exists:\n\n{block(text, 'yaml')}"
        )
        draft = {"weather.yaml": text}
        answered(finding_lines(await ask("It checks again:", "check", paths=["."], files=draft, severity="error")))
        built = await ask("It compiles the draft:", "build", files=draft, target="runconfig")
        answered(built["files"][0]["text"], "json")
        changes = (await ask("It asks what the draft does to the cluster:", "diff", files=draft))["changes"]
        lines = (" ".join([item["change"], item["kind"], item["name"], *map(str, item["effects"])]) for item in changes)
        answered("\n".join(lines))
        (root / "weather.yaml").write_text(text, "utf-8")
        tools = await ask(
            "It writes the file, and asks which tools clients of the virtual server see:",
            "simulate",
            subject="tools",
            name="desk",
            backendTools={
                "weather": ["forecast"],
                "tickets": ["search", "get"],
                "fetch": ["fetch"],
                "wiki": ["lookup"],
            },
        )
        answered("\n".join(tools["visible"]))
    return parts


def inspector_session(root: Path) -> list[str]:
    """Return the transcript of calls with the Inspector."""
    (root / "weather.yaml").write_text(DRAFT, "utf-8")
    parts = ["## The MCP Inspector\n\nA client that nobody here wrote gets the same answers:\n"]
    for method in CALLS_OF_INSPECTOR:
        words = [*INSPECTOR, *command(root), "--method", *method]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        shown = " ".join(["npx @modelcontextprotocol/inspector --cli mcpcfg mcp --method", *method])
        parts.append(f"```text\n$ {shown}\n```\n\n{block(done.stdout, 'json')}")
    return parts


async def starts(root: Path) -> list[float]:
    """Return how many seconds ten starts took, until a client could call."""
    first, *rest = command(root)
    seconds = []
    for _ in range(10):
        began = time.perf_counter()
        async with Client(stdio_client(StdioServerParameters(command=first, args=rest))):
            seconds.append(time.perf_counter() - began)
    return seconds


class Wire:
    """A connection to a server, message by message."""

    def __init__(self, root: Path) -> None:
        self.process = subprocess.Popen(command(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
        self.send("initialize", hello)
        self.receive()

    def write(self, line: bytes) -> None:
        """Write a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any]) -> None:
        """Write a request."""
        self.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())

    def receive(self) -> dict[str, Any]:
        """Return the next answer to a request."""
        assert self.process.stdout is not None
        while True:
            answer: dict[str, Any] = json.loads(self.process.stdout.readline())
            if answer.get("id") == 1:
                return answer

    def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool. Return the text of its error, or an empty text."""
        self.send("tools/call", {"name": tool, "arguments": arguments})
        answer = self.receive()
        result = answer.get("result", {})
        failed = result.get("isError") or "error" in answer
        return str(answer["error"]["data"] if "error" in answer else result["content"][0]["text"]) if failed else ""

    def close(self) -> int:
        """Close the connection as a client that vanishes does. Return the exit status of the server."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def hostile(root: Path) -> list[str]:
    """Return the table of hostile calls and what they got."""
    (root.parent / "outside.yaml").write_text(DRAFT, "utf-8")
    (root / "link.yaml").symlink_to(root.parent / "outside.yaml")
    wire = Wire(root)
    paths = ("../outside.yaml", "/etc/passwd", "link.yaml", ".git/config")
    rows = [(f"`check` of `{path}`", wire.call("check", paths=[path])) for path in paths]
    rows.append(("`fix` with `write`", wire.call("fix", write=True)))
    rows.append(("a text of 100 MB", wire.call("check", files={"large.yaml": "a" * 100_000_000})))
    for line in (b"{", b"\xff\xfe", b'{"jsonrpc":"2.0","method":1}'):
        wire.write(line)
    alive = not wire.call("explain", what="REF001")
    rows.append(("messages that are not JSON-RPC", "the next call is answered" if alive else "none is answered"))
    for _ in range(1000):
        wire.send("tools/call", {"name": "check", "arguments": {"files": {"weather.yaml": DRAFT}}})
    errors = sum(bool(wire.receive()["result"].get("isError")) for _ in range(1000))
    rows.append(("1,000 calls at once", f"{1000 - errors:,} answers, {errors} errors"))
    wire.send("tools/call", {"name": "check", "arguments": {}})
    rows.append(("a client that vanishes during a call", f"the server ends with status {wire.close()}"))
    table = "".join(f"| {what} | {got} |\n" for what, got in rows)
    return [f"## Hostile calls\n\n| call | what it got |\n| --- | --- |\n{table}"]


def figures(root: Path) -> list[str]:
    """Return the table of figures."""
    files = sorted((ROOT / "fixtures" / "sound").glob("*.yaml"))[:20]
    texts = {file.name: file.read_text("utf-8") for file in files}
    wire = Wire(root)
    calls = []
    for _ in range(30):
        began = time.perf_counter()
        wire.call("check", files=texts)
        calls.append(time.perf_counter() - began)
    memory = [_resident_mib(wire.process.pid)]
    for _ in range(10_000):
        wire.call("check", files={"weather.yaml": DRAFT})
    memory.append(_resident_mib(wire.process.pid))
    wire.close()
    used = _processor_seconds()
    seconds = anyio.run(starts, root)
    used = (_processor_seconds() - used) / len(seconds)
    rows = (
        ("start, until a client can call", f"{min(seconds):.1f} s"),
        ("processor time of a start and an end", f"{used:.1f} s"),
        (f"a call of `check` with {len(texts)} files", f"{min(calls) * 1000:.0f} ms"),
        ("memory after 30 such calls", f"{memory[0]} MiB"),
        ("memory after 10,000 more calls", f"{memory[1]} MiB"),
    )
    table = "".join(f"| {what} | {figure} |\n" for what, figure in rows)
    said = "The least of ten starts and of thirty calls, on two cores that other programs kept busy."
    return [f"## Figures\n\n{said}\n\n| what | figure |\n| --- | ---: |\n{table}"]


def _processor_seconds() -> float:
    import resource  # Windows has none, where the tests import this module

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _resident_mib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        root = project(folder)
        parts = [*anyio.run(session, root), *inspector_session(root), *hostile(root), *figures(root)]
    PAGE.write_text(HEAD + "\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
