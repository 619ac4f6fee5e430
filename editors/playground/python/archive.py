"""Packs files for the page. `program.js` unpacks them: Python takes five times as long to unpack a tar."""

from __future__ import annotations

import gzip
import json
from pathlib import PurePosixPath


def packed(files: dict[str, bytes]) -> bytes:
    """Return files, compressed: a line of JSON with the name and size of each, and their bytes.

    Files of one format stand together, which compresses better. The archive depends on the files alone.
    """
    names = sorted(files, key=lambda name: (PurePosixPath(name).suffix, name))
    head = json.dumps([[name, len(files[name])] for name in names], separators=(",", ":"))
    return gzip.compress(b"\n".join([head.encode(), b"".join(files[name] for name in names)]), 9, mtime=0)
