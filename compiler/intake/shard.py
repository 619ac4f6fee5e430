"""A part of a check, for another machine to go on with: the facts of some files of a project as JSON.

Unlike the cache, which only its owner writes, such a file comes from elsewhere; it is read like any other input.
"""

from __future__ import annotations

import json
import marshal
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.source import InputError

from .stored import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcpcfg.compiler.disk.files import FoundFile
    from mcpcfg.compiler.project.discovery import Project

    from .stored import Plain

FORM = "mcpcfg-shard-1"


class Shard(NamedTuple):
    """Which part of the files is meant.

    Attributes:
        number: Counts from 1.
        of: How many parts there are.
    """

    number: int
    of: int

    def share(self, found: Sequence[FoundFile]) -> tuple[FoundFile, ...]:
        """Give the files of this part: every N-th, so that parts are about alike."""
        return tuple(found[self.number - 1 :: self.of])


def parse(text: str) -> Shard:
    """Read ``I/N``.

    Raises:
        ValueError: It is not of that form, or there is no such part.
    """
    number, _, of = text.partition("/")
    shard = Shard(int(number), int(of))
    if not 1 <= shard.number <= shard.of:
        raise ValueError(text)
    return shard


class Call(NamedTuple):
    """How the project was asked for, as all parts and the joining have to ask for it.

    Attributes:
        asked: The paths.
        config: The configuration file that was named.
        closed: The given files are all there is.
        namespace: For documents that state none.
    """

    asked: tuple[str, ...]
    config: str | None
    closed: bool
    namespace: str | None


class Parts(NamedTuple):
    """All parts of a check.

    Attributes:
        call: How the project was asked for.
        basis: What the facts depend on beside the files.
        entries: The facts by file.
    """

    call: Call
    basis: str
    entries: dict[str, Entry]


def basis_of(project: Project, version: str) -> str:
    """Give the digest of what facts depend on beside the texts: version, configuration, list of files."""
    settings = project.settings._replace(file=None, external={})
    external = sorted((kind, sorted(names)) for kind, names in project.settings.external.items())
    told = repr((version, settings, external, [tuple(file) for file in project.files]))
    return blake2b(told.encode(), digest_size=16).hexdigest()


def write(shard: Shard, call: Call, basis: str, entries: Mapping[str, Entry]) -> str:
    """Write the facts of a part."""
    files = {path: None if entry.facts is None else _as_json(entry.facts) for path, entry in sorted(entries.items())}
    text = json.dumps(files)
    head = {"form": FORM, "shard": list(shard), "call": call._asdict(), "basis": basis, "digest": _digest(text)}
    return json.dumps(head | {"files": text}) + "\n"


def read(files: Sequence[str]) -> Parts:
    """Read all parts of a check.

    Raises:
        InputError: A file is none of ours or was changed, the parts are not of one check, or one is missing.
    """
    parts = [(file, *_load(file)) for file in files]
    first, head, _ = parts[0]
    entries: dict[str, Entry] = {}
    for file, other, facts in parts:
        if any(other[key] != head[key] for key in ("call", "basis")) or other["shard"][1] != head["shard"][1]:
            raise InputError(f"{file} and {first} are not parts of one check: version, options or files differ")
        for path, one in facts.items():
            entries[path] = Entry(b"", None if one is None else _from_json(one))
    of = head["shard"][1]
    missing = sorted(set(range(1, of + 1)).difference(one["shard"][0] for _, one, _ in parts))
    if missing:
        raise InputError(f"part {', '.join(map(str, missing))} of {of} is missing")
    call = Call(**head["call"])
    return Parts(call._replace(asked=tuple(call.asked)), head["basis"], entries)


def _load(file: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the head of a file and the facts in it."""
    try:
        with open(file, encoding="utf-8") as stream:
            head = json.load(stream)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("form") != FORM:
        raise InputError(f"{file}: not written by mcpcfg check --shard")
    text = head.get("files")
    if not isinstance(text, str) or _digest(text) != head.get("digest"):
        raise InputError(f"{file}: changed since it was written")
    return head, json.loads(text)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


# Resources and records end in their data, which is bytes in facts and plain here.


def _as_json(facts: Plain) -> list[Any]:
    file, findings, documents, resources, records, *rest = facts
    return [file, findings, documents, [_open(one) for one in resources], [_open(one) for one in records], *rest]


def _from_json(facts: list[Any]) -> Plain:
    file, findings, documents, resources, records, *rest = facts
    closed = (tuple(map(_close, resources)), tuple(map(_close, records)))
    return (file, _tuples(findings), documents, *closed, *map(_tuples, rest))


def _open(one: Plain) -> list[Any]:
    return [*one[:-1], marshal.loads(one[-1])]  # noqa: S302 - made by this process


def _close(one: list[Any]) -> Plain:
    return (*map(_tuples, one[:-1]), marshal.dumps(one[-1]))


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return value
