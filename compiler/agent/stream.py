"""Read standard input as lines of limited length, so no message can fill the memory."""

from __future__ import annotations

import re
from typing import BinaryIO, Final

import anyio.to_thread

MOST_BYTES: Final = 16 * 1024 * 1024
"""Maximum bytes of a message, which is kept in memory as a whole. It has space for the texts of a large project."""
_HEAD: Final = 256
"""Bytes at the start of a skipped message that are searched for its id, which clients write first."""
_ID: Final = re.compile(rb'"id"\s*:\s*(-?\d{1,20}|"[\w.:/-]{1,100}")')


class BoundedLines:
    """An asynchronous iterator over the lines of a stream, which the transport of the SDK reads.

    A line that is too long is skipped without loading it into memory. In its place, the iterator returns a request with
    the same id and an unknown method, so the client gets an error instead of waiting forever.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __aiter__(self) -> BoundedLines:
        """Return the iterator itself."""
        return self

    async def __anext__(self) -> str:
        """Return the next line.

        Raises:
            StopAsyncIteration: The client has closed the stream.
        """
        line = await anyio.to_thread.run_sync(self._read, abandon_on_cancel=True)
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    def _read(self) -> bytes:
        try:
            line = self._stream.readline(MOST_BYTES + 1)
            if len(line) <= MOST_BYTES:
                return line
            head = line[:_HEAD]
            while line and not line.endswith(b"\n"):
                line = self._stream.readline(1 << 20)  # in parts of 1 MiB, which are dropped
        except OSError:
            return b""
        request_id = _ID.search(head)
        if request_id is None:
            return b"a message that is too large\n"
        method = f"a message larger than {MOST_BYTES >> 20} MiB; name paths instead of files"
        return b'{"jsonrpc":"2.0","id":%s,"method":"%s"}\n' % (request_id[1], method.encode())
