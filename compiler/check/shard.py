"""Write the facts of one part of a project's files as JSON, and read the files of all parts on another machine.

Only its owner writes the cache, but anybody may have written the file of a part. So its content is validated.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from ..disk.files import read_named
from ..project.discovery import chart_templates
from .serialize import facts_from_plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..disk.files import FoundFile, Texts
    from ..project.discovery import Project
    from ..project.settings import Unused
    from .facts import Facts
    from .serialize import Plain

FORM = "mcpcfg-shard-6"
"""Format of the file; it changes with the format of facts."""
_MOST_BYTES = 1024 * 1024 * 1024
"""Maximum size of the file of a part in bytes (1 GiB), because the whole file is read into memory."""
_MOST_MISSING = 10
"""Maximum number of missing parts that a message lists, so that it stays readable."""


class Shard(NamedTuple):
    """The number of a part, and how many parts there are.

    Attributes:
        number: Number of the part, starting at 1.
    """

    number: int
    of: int

    def share(self, files: Sequence[FoundFile]) -> tuple[FoundFile, ...]:
        """Return the files of this part: every N-th file, so the parts are about equally large."""
        return tuple(files[self.number - 1 :: self.of])


def parse(text: str) -> Shard:
    """Parse the argument ``I/N`` of ``--shard``: part I of N parts.

    Raises:
        ValueError: The text has another form, or there is no such part.
    """
    part, _, total = text.partition("/")
    shard = Shard(int(part), int(total))
    if not 1 <= shard.number <= shard.of:
        raise ValueError(text)
    return shard


class ShardCall(NamedTuple):
    """The options of a check that all parts and the merging call must share.

    Attributes:
        config: The configuration file, if it was given.
        closed: True if the given files are everything in the cluster.
        namespace: The namespace of documents that state none.
        isolated: True if each file is a project by itself.
        release: The release of the operator that judges.
        unused: The severity of errors in files that nothing applies, if it was given.
        crds: Files and folders with CRDs that admit objects.
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
        call: The options that all parts share.
        basis: The digest of version, configuration and list of files; see `basis_of`.
        facts: The facts of files as plain data, by path; ``None`` for a file with nothing to check.
    """

    call: ShardCall
    basis: str
    facts: dict[str, Plain | None]

    def unpacked(self, texts: Texts) -> dict[str, Facts | None]:
        """Return the decoded facts of all files by path; ``None`` for a file with nothing to check.

        Raises:
            InputError: The facts were changed after they were written.
        """
        try:
            facts_by_path = {
                path: None if facts is None else facts_from_plain(facts, texts) for path, facts in self.facts.items()
            }
            # Otherwise, reports could show lines of files that were not checked.
            if all(facts is None or facts.file == path for path, facts in facts_by_path.items()):
                return facts_by_path
        except _FAULTS as error:
            raise InputError("the parts were changed since they were written") from error
        raise InputError("the parts were changed since they were written")


def basis_of(project: Project, version: str) -> str:
    """Return a digest of the version, the configuration and the list of files, on which facts depend."""
    settings = project.settings._replace(file=None, external={})
    external = sorted((kind, sorted(names)) for kind, names in project.settings.external.items())
    templates = sorted(chart_templates([file.path for file in project.files]))
    basis = repr((version, settings, external, [tuple(file) for file in project.files], templates))
    # 128 bits make accidental collisions impossible in practice.
    return blake2b(basis.encode(), digest_size=16).hexdigest()


def write(shard: Shard, call: ShardCall, basis: str, facts: Mapping[str, Plain | None]) -> str:
    """Return the content of the file for a part.

    Args:
        call: The options that all parts share.
        facts: The facts of files as plain data, by path; ``None`` for a file with nothing to check.
    """
    text = json.dumps(facts)
    header = {"form": FORM, "shard": list(shard), "call": call._asdict(), "basis": basis}
    return json.dumps(header | {"digest": digest(header, text), "text": text}) + "\n"


def read(files: Sequence[str]) -> Parts:
    """Read the files of all parts of a check, and return the joined facts.

    Raises:
        InputError: A file has another format or was changed, the parts belong to different checks, or one is missing.
    """
    first, *others = parts = [_load(file) for file in files]
    for other in others:
        if (other.call, other.basis, other.shard.of) != (first.call, first.basis, first.shard.of):
            raise InputError(
                f"{other.file} and {first.file} are not parts of one check: version, options or files differ"
            )
    total = first.shard.of
    numbers = {part.shard.number for part in parts}
    if len(numbers) < total:
        missing = islice((number for number in range(1, total + 1) if number not in numbers), _MOST_MISSING)
        raise InputError(f"part {', '.join(map(str, missing))} of {total} is missing")
    return Parts(first.call, first.basis, {path: facts for part in parts for path, facts in part.facts.items()})


class _Part(NamedTuple):
    """The content of the file of one part."""

    file: str
    shard: Shard
    call: ShardCall
    basis: str
    facts: dict[str, Plain | None]


def _load(file: str) -> _Part:
    try:
        header = json.loads(read_named(file, _MOST_BYTES))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("form") != FORM:
        raise InputError(f"{file}: not written by mcpcfg check --shard")
    try:
        text, digest_in_file = header.pop("text"), header.pop("digest")
        if digest(header, text) != digest_in_file:
            raise InputError(f"{file}: changed since it was written")
        shard, call = parse("/".join(map(str, header["shard"]))), ShardCall(**header["call"])
        facts = {path: plain and _from_json(plain) for path, plain in json.loads(text).items()}
        return _Part(file, shard, call._replace(asked=tuple(call.asked), crds=tuple(call.crds)), header["basis"], facts)
    except _FAULTS as error:
        raise InputError(f"{file}: changed since it was written") from error


_FAULTS: Final = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
"""Exceptions that unpacking may raise for facts that `write` did not write.

The digest does not prevent such facts, because whoever changes the facts can compute the digest again.
"""


def digest(header: dict[str, Any], text: str) -> str:
    """Return the digest of ``header``, without its own digest, and ``text``, the facts of a part as JSON."""
    content = json.dumps(header, sort_keys=True) + text
    # 128 bits, as in `basis_of`.
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _from_json(plain: list[Any]) -> Plain:
    """Convert lists back into tuples, which JSON does not have, except in the data of documents."""
    file_facts, release, findings, objects, records, kustomizations, deliveries, ignores = plain
    return (
        _tuples(file_facts),
        _tuples(release),
        _tuples(findings),
        [[(*_tuples(row[:2]), row[2], *_tuples(row[3:])) for row in resources] for resources in objects],
        [(*_tuples(row[:2]), row[2]) for row in records],
        _tuples(kustomizations),
        _tuples(deliveries),
        _tuples(ignores),
    )


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return value
