"""Conversations with the MCP server: in this process with the client of the SDK, or line by line with a process."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
from mcp.client.client import Client

from mcpcfg.compiler.agent.server import ToolServer
from mcpcfg.compiler.disk import confinement

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from mcp_types import CallToolResult

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@contextlib.contextmanager
def confined(root: Path) -> Iterator[None]:
    """Read files only below a folder, which is the current one, as the server does."""
    with contextlib.chdir(root):
        confinement.confine(str(root))
        try:
            yield
        finally:
            confinement._folders.clear()


def talk(root: Path, conversation: Callable[[Client], Awaitable[Any]], *, may_write: bool = False) -> Any:
    """Let the client of the SDK talk to a server in this process, and return what the conversation returns."""

    async def run() -> Any:
        async with Client(ToolServer(may_write=may_write).protocol()) as client:
            return await conversation(client)

    with confined(root):
        return anyio.run(run)


def ask(root: Path, name: str, /, *, may_write: bool = False, **arguments: Any) -> CallToolResult:
    """Call one tool."""
    result: CallToolResult = talk(root, lambda client: client.call_tool(name, arguments), may_write=may_write)
    return result


def text_of(result: CallToolResult) -> str:
    """Return the text of a result."""
    return "".join(getattr(part, "text", "") for part in result.content)


@contextlib.contextmanager
def process(root: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start the server as a program, and kill it at the end."""
    command = [sys.executable, "-P", "-m", "mcpcfg", "mcp", "--root", str(root), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        try:
            yield server
        finally:
            server.kill()


def send(server: subprocess.Popen[bytes], message: Any) -> None:
    """Write a message, or any bytes, as a line."""
    assert server.stdin is not None
    server.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
    server.stdin.flush()


def receive(server: subprocess.Popen[bytes], request_id: int | str) -> Any:
    """Return the answer to a request; skip what comes before it."""
    assert server.stdout is not None
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == request_id:
            return answer
    return None


def call_message(request_id: int, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the message that calls a tool."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
