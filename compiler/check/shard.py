"""A part of a check, for another machine to go on with: the facts of some files of a project as JSON.

Unlike the cache, which only its owner writes, such a file comes from elsewhere; it is read like any other input.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.span import InputError
from ..disk.files import read_named
from ..project.discovery import chart_templates
from .serialize import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..disk.files import FoundFile, Texts
    from ..project.discovery import Project
    from ..project.settings import Unused
    from .facts import Facts
    from .serialize import Plain

FORM = "mcpcfg-shard-6"
_MOST_BYTES = 1024 * 1024 * 1024
_MOST_MISSING = 10


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
        release: The release of the operator that judges.
        unused: The severity of errors in files that nothing applies, where the call states it.
        crds: Files and folders of CRDs that admit objects.
    """

    asked: tuple[str, ...]
    config: str | None
    closed: bool
    namespace: str | None
    isolated: bool
    release: str | None = None
    unused: Unused | None = None
    crds: tuple[str, ...] = ()


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
        """Return the facts of files; ``texts`` opens them again.

        Raises:
            InputError: They are not as they were written.
        """
        try:
            known = {path: None if one is None else facts_of(one, texts) for path, one in self.facts.items()}
            # A line that is shown is one of the file that was checked, and of no other.
            if all(one is None or one.file == path for path, one in known.items()):
                return known
        except _FAULTS as error:
            raise InputError("the parts were changed since they were written") from error
        raise InputError("the parts were changed since they were written")


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
    head = {"form": FORM, "shard": list(shard), "call": call._asdict(), "basis": basis}
    return json.dumps(head | {"digest": digest(head, text), "text": text}) + "\n"


def read(files: Sequence[str]) -> Parts:
    """Read all parts of a check.

    Raises:
        InputError: A file is none of ours or was changed, the parts are not of one check, or one is missing.
    """
    first, *others = parts = [_load(file) for file in files]
    for other in others:
        if (other.call, other.basis, other.shard.of) != (first.call, first.basis, first.shard.of):
            raise InputError(
                f"{other.file} and {first.file} are not parts of one check: version, options or files differ"
            )
    of = first.shard.of
    numbers = {part.shard.number for part in parts}
    if len(numbers) < of:
        missing = islice((number for number in range(1, of + 1) if number not in numbers), _MOST_MISSING)
        raise InputError(f"part {', '.join(map(str, missing))} of {of} is missing")
    return Parts(first.call, first.basis, {path: one for part in parts for path, one in part.facts.items()})


class _Part(NamedTuple):
    """What one file holds."""

    file: str
    shard: Shard
    call: Call
    basis: str
    facts: dict[str, Plain | None]


def _load(file: str) -> _Part:
    """Read one part."""
    try:
        head = json.loads(read_named(file, _MOST_BYTES))
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("form") != FORM:
        raise InputError(f"{file}: not written by mcpcfg check --shard")
    try:
        text, stated = head.pop("text"), head.pop("digest")
        if digest(head, text) != stated:
            raise InputError(f"{file}: changed since it was written")
        shard, call = parse("/".join(map(str, head["shard"]))), Call(**head["call"])
        facts = {path: one and _from_json(one) for path, one in json.loads(text).items()}
        return _Part(file, shard, call._replace(asked=tuple(call.asked), crds=tuple(call.crds)), head["basis"], facts)
    except _FAULTS as error:
        raise InputError(f"{file}: changed since it was written") from error


_FAULTS: Final = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
"""What comes of facts that no `write` has written: whoever changes a part may take its digest anew."""


def digest(head: dict[str, Any], text: str) -> str:
    """Return the digest of a part: of its head, without the digest itself, and of its facts."""
    whole = json.dumps(head, sort_keys=True) + text
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _from_json(plain: list[Any]) -> Plain:
    """Return plain data with tuples where it had them, before JSON made lists of them; data of documents has lists."""
    head, later, findings, objects, records, kustomizations, deliveries, ignores = plain
    return (
        _tuples(head),
        _tuples(later),
        _tuples(findings),
        [[(*_tuples(one[:2]), one[2], *_tuples(one[3:])) for one in resources] for resources in objects],
        [(*_tuples(one[:2]), one[2]) for one in records],
        _tuples(kustomizations),
        _tuples(deliveries),
        _tuples(ignores),
    )


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return value
