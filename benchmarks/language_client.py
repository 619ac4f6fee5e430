"""Opens files in a language server as an editor does, and returns the diagnostics that the server publishes."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60


def diagnostics(command: list[str], settings: dict[str, Any], files: list[Path]) -> dict[Path, list[str]]:
    """Return the diagnostics of each file as ``line:column: message``. The server is ended after a minute."""
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - a peer
    end = threading.Timer(SECONDS, server.kill)
    end.start()
    try:
        return _Session(cast("IO[bytes]", server.stdin), cast("IO[bytes]", server.stdout), settings).opened(files)
    finally:
        end.cancel()
        server.kill()
        server.wait()


class _Session:
    """A conversation with a server over its standard input and output."""

    def __init__(self, to_server: IO[bytes], from_server: IO[bytes], settings: dict[str, Any]) -> None:
        self._to_server, self._from_server, self._settings = to_server, from_server, settings

    def opened(self, files: list[Path]) -> dict[Path, list[str]]:
        """Open the files once the server has its settings, and wait for the diagnostics of each."""
        capabilities = {"workspace": {"configuration": True}, "textDocument": {"publishDiagnostics": {}}}
        start = {"processId": os.getpid(), "rootUri": files[0].parent.as_uri(), "capabilities": capabilities}
        self._send({"id": 1, "method": "initialize", "params": start})
        found: dict[Path, list[str]] = {}
        addresses = {file.as_uri(): file for file in files}
        is_open = False
        while len(found) < len(files):
            message = self._receive()
            method = message.get("method")
            if message.get("id") == 1 and method is None:
                self._send({"method": "initialized", "params": {}})
                self._send({"method": "workspace/didChangeConfiguration", "params": {"settings": self._settings}})
            elif method == "workspace/configuration":
                wanted = [self._settings.get(item.get("section"), {}) for item in message["params"]["items"]]
                self._send({"id": message["id"], "result": wanted})
                if not is_open:
                    is_open = True
                    for file in files:
                        self._open(file)
            elif method == "textDocument/publishDiagnostics":
                file = addresses[message["params"]["uri"]]
                found[file] = [_line(one) for one in message["params"]["diagnostics"]]
            elif method is not None and "id" in message:
                self._send({"id": message["id"], "result": None})
        return found

    def _open(self, file: Path) -> None:
        text = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": file.read_text(encoding="utf-8")}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": text}})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to_server.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._to_server.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while (line := self._from_server.readline()) != b"\r\n":
            if not line:
                raise SystemExit("the language server ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self._from_server.read(length))
        return message


def _line(diagnostic: dict[str, Any]) -> str:
    start = diagnostic["range"]["start"]
    return f"{start['line'] + 1}:{start['character'] + 1}: {diagnostic['message']}"
