"""A client of the language server, as an editor has it: the protocol over the pipes of the real process."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {
            "completionItem": {"documentationFormat": ["markdown"], "insertTextModeSupport": {"valueSet": [1, 2]}}
        },
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}
PATIENCE = 120
"""Seconds after which an answer will not come any more."""


class Client:
    """Speaks with a server that it starts in ``folder``."""

    def __init__(
        self,
        folder: Path,
        *,
        capabilities: dict[str, Any] | None = None,
        options: Any = None,
        names_folders: bool = True,
    ) -> None:
        self.folder = folder
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.messages: list[str] = []
        self.logged: list[str] = []
        self.requests: list[str] = []
        self._versions: dict[str, int] = {}
        self._number = 0
        self._answers: dict[int, Any] = {}
        self._news: queue.Queue[dict[str, Any] | None] = queue.Queue()
        code = "from mcpcfg.compiler.cli.process import run; run()"
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", code, "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.capabilities = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "project"}] if names_folders else None,
                "capabilities": CAPABILITIES if capabilities is None else capabilities,
                "initializationOptions": options,
            },
        )["capabilities"]
        self.notify("initialized", {})

    # --- what an editor does ------------------------------------------------------------------------------------

    def open(self, name: str, text: str | None = None) -> None:
        path = self.folder / name
        text = path.read_text() if text is None else text
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self._versions[name] = 1
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, name: str, text: str) -> None:
        self._versions[name] += 1
        document = {"uri": self.uri(name), "version": self._versions[name]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def save(self, name: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})

    def close(self, name: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def ask(self, what: str, name: str, line: int, column: int, **more: Any) -> Any:
        place = {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": column}}
        return self.request(f"textDocument/{what}", {**place, **more})

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def codes(self, name: str) -> list[str]:
        return [one["code"] for one in self.diagnostics.get(self.uri(name), [])]

    def wait_for(self, name: str, *codes: str) -> None:
        """Wait until the diagnostics of a document have these codes."""
        end = time.monotonic() + PATIENCE
        while self.codes(name) != list(codes):
            assert time.monotonic() < end, (self.codes(name), codes, self.messages)
            self._hear(end)

    def wait_for_news(self, name: str) -> None:
        """Wait until something is told of a document."""
        end = time.monotonic() + PATIENCE
        self.diagnostics.pop(self.uri(name), None)
        while self.uri(name) not in self.diagnostics:
            assert time.monotonic() < end, self.messages
            self._hear(end)

    def leave(self) -> int:
        self.request("shutdown", None)
        self.notify("exit", None)
        status = self.process.wait(PATIENCE)
        self.end()
        return status

    def end(self) -> None:
        """End the process, if it is still there."""
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    # --- the protocol -------------------------------------------------------------------------------------------

    def request(self, method: str, params: Any) -> Any:
        answer = self.raw(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def raw(self, method: str, params: Any) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        end = time.monotonic() + PATIENCE
        while self._number not in self._answers:
            self._hear(end)
        answer: dict[str, Any] = self._answers.pop(self._number)
        return answer

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _hear(self, end: float) -> None:
        try:
            news = self._news.get(timeout=max(0.01, end - time.monotonic()))
        except queue.Empty:
            raise AssertionError(f"nothing more is said: {self.diagnostics}, {self.messages}") from None
        assert news is not None, self._stderr()
        if "method" not in news:
            self._answers[news["id"]] = news
        elif news["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[news["params"]["uri"]] = news["params"]["diagnostics"]
        elif "id" in news:
            self.requests.append(news["method"])
            self._send({"jsonrpc": "2.0", "id": news["id"], "result": None})
        elif news["method"] == "window/logMessage":
            self.logged.append(str(news["params"]["message"]))
        else:
            self.messages.append(str(news["params"].get("message")))

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            self._news.put(json.loads(stream.read(length)))
        self._news.put(None)

    def _stderr(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()
