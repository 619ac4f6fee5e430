"""Turn breaches of a published schema, and values that the service cannot decode, into faults."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from . import LOADER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path
    from ...golang.shape import Misfit
    from ..schema.check import Breach, BreachKind

SCHEMA = (
    "JSON Schemas of toolhive-core 0.0.16: legacy registry, upstream registry, skills, publisher extensions;"
    " MCP registry 1.6.0, server.json schema of 2025-12-11."
)
schema_rule = partial(rule, stage="admission", source=SCHEMA)
FIELD_MISSING = schema_rule(
    "REG001",
    "registry-field-missing",
    "A registry file or catalog record lacks a field that its schema requires",
    checks="An object in a registry file, or a server or skill record, lacks a field that the published schema"
    " requires.",
    why="The build of a catalog refuses the file or the record. A service that loads it treats the field as empty, and"
    " lists a server without a description, tier or tools.",
    example='"weather": { "image": "ghcr.io/acme/weather:1", "status": "Active" }',
    fix="Add the field that the message names.",
)
WRONG_TYPE = schema_rule(
    "REG002",
    "registry-wrong-type",
    "A value in a registry file or catalog record is not of the type that its schema requires",
    unmodelled="newer",
    checks="A value has a JSON type other than the one that the published schema requires.",
    why="The build of a catalog refuses the file or the record, and the service fails to load it: one number in a list"
    " of strings is enough to lose the whole registry.",
    example='"tools": "fetch"',
    fix='Use the required type: `"tools": ["fetch"]`.',
)
VALUE_REFUSED = schema_rule(
    "REG003",
    "registry-value-outside-list",
    "A value in a registry file or catalog record is not one of those allowed",
    checks="A value is not one of those that the published schema lists, or is one that it rules out.",
    why="The build of a catalog refuses the file or the record. A remote cannot be `stdio`, and the version of a"
    " package cannot be `latest`. In the legacy format the values of `status` begin with a capital letter; in"
    " publisher extensions both spellings are allowed.",
    example='"status": "active"',
    fix='Write `"status": "Active"`.',
)
TEXT_REFUSED = schema_rule(
    "REG004",
    "registry-text-refused",
    "A string in a registry file or catalog record does not have the form that its schema requires",
    checks="A string is too short, too long, or does not have the form that the published schema requires: a pattern,"
    " a URL, a time, a host name.",
    why="The build of a catalog refuses the file or the record. Images are a common pitfall: digests and capital"
    " letters are refused. The description of a server record has at most 100 characters.",
    example='"image": "ghcr.io/acme/weather@sha256:0123…"',
    fix='Name a tag: `"image": "ghcr.io/acme/weather:2.1.0"`.',
)
NUMBER_REFUSED = schema_rule(
    "REG005",
    "registry-number-out-of-range",
    "A number in a registry file or catalog record is out of range",
    checks="A number is smaller or larger than the published schema allows.",
    why="The build of a catalog refuses the file or the record. A port of 0 does not stand for any port: leave the"
    " field out for that.",
    example='"target_port": 0',
    fix="Leave the field out, or name a port from 1 to 65535.",
)
LIST_REFUSED = schema_rule(
    "REG006",
    "registry-list-refused",
    "A list in a registry file or catalog record is too short, or repeats an item",
    checks="A list has fewer items than the published schema requires, or contains an item twice.",
    why="The build of a catalog refuses the file or the record. An entry of the legacy format must name at least one"
    " tool, and its tags cannot be an empty list.",
    example='"tags": []',
    fix="Leave the field out, or list enough distinct items.",
)
UNDECODABLE = rule(
    "REG007",
    "registry-undecodable",
    "The service cannot decode a registry file or catalog record",
    stage="process",
    unmodelled="newer",
    checks="A value does not fit the field that the service reads it into, although the published schema accepts it:"
    " the entry's key does not match, the schema treats 1.0 as a whole number, or does not describe the field.",
    why="Loading the registry fails, for every server in it.",
    example='"servers": { "ab": { "image": 5 } }',
    fix="Use the type that the field has.",
    source=LOADER,
)
UNKNOWN_FIELD = rule(
    "REG017",
    "registry-unknown-field",
    "A key of a registry file or catalog record is not known",
    stage="lint",
    checks="A key is not known, in publisher extensions too. The finding is a warning where the key resembles a known"
    " one that the object lacks, otherwise an info.",
    why="Unknown keys pass every check and are skipped when the file is loaded: the setting has no effect.",
    example='"enviroment_vars": [ … ]',
    fix="Use the known key.",
    source=LOADER,
)
KUBERNETES = rule(
    "REG024",
    "registry-kubernetes-odd",
    "A server's location in a cluster is invalid",
    stage="lint",
    checks="A value of `metadata.kubernetes` in the legacy format: a name or namespace that Kubernetes refuses, a `uid`"
    " that is not a UUID, an unknown transport.",
    why="The published schema of the legacy format does not check it. That of publisher extensions does, and refuses"
    " the record into which the entry is converted.",
    example='"kubernetes": { "kind": "MCPServer", "name": "My Server" }',
    fix="Write the values that `kubectl get` shows.",
    source="The published schema of publisher extensions: KubernetesMetadata.",
)
KEY_UNCHECKED = rule(
    "REG010",
    "registry-key-unchecked",
    "The key of an entry does not match, so nothing checks the entry",
    stage="lint",
    checks="The key of an entry in the legacy format does not match `^[a-z0-9][a-z0-9-]+[a-z0-9]$`.",
    why="The published schema checks only entries whose key matches. This one passes whatever it contains, and its"
    " mistakes show when somebody runs it.",
    example='"My_Server": { "image": "" }',
    fix="Use three or more lower-case letters, digits and hyphens: `my-server`.",
    source=SCHEMA,
)


def breach_faults(breaches: Iterable[Breach]) -> Iterator[Fault]:
    """Yield a fault for each breach. If a text breaks several constraints, only its first breach is reported."""
    by_kind: dict[BreachKind, Rule] = {
        "missing": FIELD_MISSING,
        "type": WRONG_TYPE,
        "value": VALUE_REFUSED,
        "text": TEXT_REFUSED,
        "number": NUMBER_REFUSED,
        "items": LIST_REFUSED,
        "skipped": KEY_UNCHECKED,
        "unchecked": KUBERNETES,
    }
    reported: set[tuple[Path, str]] = set()
    for breach in breaches:
        if breach.kind == "text" and (breach.path, "text") in reported:
            continue
        reported.add((breach.path, breach.kind))
        yield Fault(breach.path, by_kind[breach.kind], breach.message, on_key=breach.kind == "skipped")


def misfit_faults(misfits: Iterable[Misfit], breaches: Iterable[Breach]) -> Iterator[Fault]:
    """Yield a fault for each value that the service cannot decode, unless a breach already reports its type."""
    reported = {breach.path for breach in breaches if breach.kind == "type"}
    for misfit in misfits:
        if misfit.path not in reported:
            message = f"the service expects {misfit.expected} here, not {misfit.actual}"
            yield Fault(misfit.path, UNDECODABLE, message)
