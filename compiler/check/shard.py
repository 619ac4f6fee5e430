"""A part of a check, for another machine to go on with: the facts of some files of a project as JSON.

Unlike the cache, which only its owner writes, such a file comes from elsewhere; it is read like any other input.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.span import InputError
from ..disk.chart import chart_templates
from .serialize import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..disk.files import FoundFile
    from ..project.discovery import Project
    from .facts import Facts
    from .serialize import Plain
    from .texts import Texts

FORM = "mcpcfg-shard-4"


class Shard(NamedTuple):
    """Which part of the files is meant.

    Attributes:
        number: Counts from 1.
        of: How many parts there are.
    """

    number: int
    of: int

    def share(self, found: Sequence[FoundFile]) -> tuple[FoundFile, ...]:
        """Return the files of this part: every N-th, so that parts are about alike."""
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
        isolated: Each file is a project of its own.
    """

    asked: tuple[str, ...]
    config: str | None
    closed: bool
    namespace: str | None
    isolated: bool


class Parts(NamedTuple):
    """All parts of a check.

    Attributes:
        call: How the project was asked for.
        basis: What the facts depend on beside the files.
        facts: The facts of files as plain data, by path; ``None`` where that is nothing of ours.
    """

    call: Call
    basis: str
    facts: dict[str, Plain | None]

    def known(self, texts: Texts) -> dict[str, Facts | None]:
        """Return the facts of files; ``texts`` opens them again."""
        return {path: None if one is None else facts_of(one, texts) for path, one in self.facts.items()}


def basis_of(project: Project, version: str) -> str:
    """Return the digest of what facts depend on beside the texts: version, configuration, list of files."""
    settings = project.settings._replace(file=None, external={})
    external = sorted((kind, sorted(names)) for kind, names in project.settings.external.items())
    templates = sorted(chart_templates([file.path for file in project.files]))
    basis = repr((version, settings, external, [tuple(file) for file in project.files], templates))
    return blake2b(basis.encode(), digest_size=16).hexdigest()


def write(shard: Shard, call: Call, basis: str, facts: Mapping[str, Plain | None]) -> str:
    """Write the facts of a part.

    Args:
        shard: Which part.
        call: How the project was asked for.
        basis: What `basis_of` returns.
        facts: The facts of files as plain data, by path; ``None`` where that is nothing of ours.
    """
    text = json.dumps(facts)
    head = {"form": FORM, "shard": list(shard), "call": call._asdict(), "basis": basis, "digest": _digest(text)}
    return json.dumps(head | {"text": text}) + "\n"


def read(files: Sequence[str]) -> Parts:
    """Read all parts of a check.

    Raises:
        InputError: A file is none of ours or was changed, the parts are not of one check, or one is missing.
    """
    parts = [(file, *_load(file)) for file in files]
    first, head, _ = parts[0]
    facts: dict[str, Plain | None] = {}
    numbers: set[int] = set()
    for file, other, body in parts:
        if any(other[key] != head[key] for key in ("call", "basis")) or other["shard"][1] != head["shard"][1]:
            raise InputError(f"{file} and {first} are not parts of one check: version, options or files differ")
        numbers.add(other["shard"][0])
        facts |= {path: one and _from_json(one) for path, one in body.items()}
    of = head["shard"][1]
    missing = sorted(set(range(1, of + 1)).difference(numbers))
    if missing:
        raise InputError(f"part {', '.join(map(str, missing))} of {of} is missing")
    call = Call(**head["call"])
    return Parts(call._replace(asked=tuple(call.asked)), head["basis"], facts)


def _load(file: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the head of a file and its facts."""
    try:
        with open(file, encoding="utf-8") as stream:
            head = json.load(stream)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("form") != FORM:
        raise InputError(f"{file}: not written by mcpcfg check --shard")
    text = head.get("text")
    if not isinstance(text, str) or _digest(text) != head.get("digest"):
        raise InputError(f"{file}: changed since it was written")
    return head, json.loads(text)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _from_json(plain: list[Any]) -> Plain:
    """Return plain data with tuples where it had them, before JSON made lists of them; data of documents has lists."""
    head, later, findings, resources, records, kustomizations, ignores = plain
    return (
        _tuples(head),
        later,
        _tuples(findings),
        [(*_tuples(one[:2]), one[2], *_tuples(one[3:])) for one in resources],
        [(*_tuples(one[:2]), one[2]) for one in records],
        _tuples(kustomizations),
        _tuples(ignores),
    )


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return value
