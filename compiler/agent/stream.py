"""Read the messages of the client as lines of limited length, and answer those that the SDK would drop.

The SDK drops a message that it cannot read, so the client would wait forever. In its place, `BoundedLines` returns a
request with the same id and an unknown method, so the client gets an error.
"""

from __future__ import annotations

import re
from typing import BinaryIO, Final

import anyio.to_thread
from mcp_types import jsonrpc_message_adapter

MOST_BYTES: Final = 16 * 1024 * 1024
"""Maximum bytes of a message, which is kept in memory as a whole. It has space for the texts of a large project."""
_HEAD: Final = 256
"""Bytes at the start of a skipped message that are searched for its id, which clients write first."""
_ID: Final = re.compile(rb'"id"\s*:\s*(-?(?:0|[1-9]\d{0,17})|"[\w.:/-]{1,100}")\s*[,}]')
_UNREADABLE: Final = "a message that is no JSON-RPC 2.0, or is nested deeper than 190 levels"
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]')
"""A string or a bracket of a JSON text."""


class BoundedLines:
    """An asynchronous iterator over the lines of a stream, which the transport of the SDK reads.

    A line that is too long is skipped without loading it into memory.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __aiter__(self) -> BoundedLines:
        return self

    async def __anext__(self) -> str:
        line = await anyio.to_thread.run_sync(self._read, abandon_on_cancel=True)
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    def _read(self) -> bytes:
        try:
            line = self._stream.readline(MOST_BYTES + 1)
            if len(line) <= MOST_BYTES:
                return line if _is_readable(line) else _instead_of(_own_id(line), _UNREADABLE)
            head = line[:_HEAD]
            while line and not line.endswith(b"\n"):
                line = self._stream.readline(1 << 20)  # in parts of 1 MiB, which are dropped
        except OSError:
            return b""
        request_id = _ID.search(head)
        reason = f"a message larger than {MOST_BYTES >> 20} MiB; name paths instead of files"
        return _instead_of(request_id and request_id[1], reason)


def _is_readable(line: bytes) -> bool:
    """Return whether the SDK can read a line. The end of the stream counts as readable."""
    try:
        # The SDK decodes and reads it again in the same way. That takes less than a tenth of the shortest call.
        jsonrpc_message_adapter.validate_json(line.decode("utf-8", "replace"), by_name=False)
    except ValueError:
        return not line
    return True


def _own_id(line: bytes) -> bytes | None:
    """Return the id of a message as JSON, or ``None`` if it has none. An ``id`` within its parameters is another."""
    depth = 0
    for token in _TOKEN.finditer(line):
        if token[0] in b"[{":
            depth += 1
        elif token[0] in b"]}":
            depth -= 1
        elif depth == 1 and (request_id := _ID.match(line, token.start())):
            return request_id[1]
    return None


def _instead_of(request_id: bytes | None, reason: str) -> bytes:
    """Return the line to read instead of a message: its error quotes the reason. Without an id, nothing is answered."""
    if request_id is None:
        return f"{reason}\n".encode()
    return b'{"jsonrpc":"2.0","id":%s,"method":"%s"}\n' % (request_id, reason.encode())
