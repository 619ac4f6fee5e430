"""Check authorization configurations in files and run configurations.

Source: toolhive 0.21.0, packages authz/authorizers, authz/authorizers/cedar and authz/authorizers/http.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.placeholder import is_placeholder
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import did_you_mean
from ...golang import url
from ...golang.letter import folded
from ...toolhive.cedar_rule import ENTITY_TYPE, IGNORED_REST, NEVER_MATCHES
from ...toolhive.release import NEWEST_MODELLED
from ..shape import decode
from ..unknown_key import decoding_faults
from .audit import UNDECODABLE, UNKNOWN_FIELD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.fault import Flaw
    from ...diagnostics.span import Path

AUTHZ_TYPE = rule("FIL010 authz-type-refused", "process", "An authorization configuration has no known version or type")
AUTHZ_INCOMPLETE = rule(
    "FIL011 authz-incomplete", "process", "An authorization configuration lacks what its type needs"
)
POLICY = rule("FIL012 authz-policy-unreadable", "process", "A Cedar policy cannot be read", unmodelled="all")
ENTITIES = rule("FIL013 authz-entities-unreadable", "process", "Cedar entities cannot be read", unmodelled="all")


TYPES = ("cedarv1", "httpv1")
CLAIM_MAPPINGS = ("mpe", "standard")
_BODIES = {"cedarv1": ("cedar", "CedarOptions"), "httpv1": ("pdp", "DecisionPointOptions")}


def check_authz(document: Any, release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return the faults of an authorization configuration that ``release`` reads."""
    if not isinstance(document, dict):
        return [Fault((), UNDECODABLE, f"an object is expected here, not {shown(document)}")]
    fields = {key.lower(): key for key in document}
    faults: list[Fault] = []
    for name in ("version", "type"):
        value = document.get(fields.get(name, name))
        if value is not None and not isinstance(value, str):
            faults.append(Fault((fields[name],), UNDECODABLE, f"text is expected here, not {shown(value)}"))
        elif not value:
            path = (fields[name],) if name in fields else ()
            faults.append(Fault(path, AUTHZ_TYPE, f'the configuration states no "{name}"'))
    kind = document.get(fields.get("type", "type"))
    if isinstance(kind, str) and kind and kind not in TYPES:
        message = f'{shown(kind)} is neither "cedarv1" nor "httpv1"'
        hint = did_you_mean(kind, TYPES)
        faults.append(Fault((fields["type"],), AUTHZ_TYPE, message, hint))
    if faults or not isinstance(kind, str):
        return faults
    return list(_check_body(document, fields, kind, release))


def is_loadable(document: Any) -> bool:
    """Return whether ToolHive loads a configuration. It parses policies and entities only when a proxy starts."""
    return not refusals(document)


def refusals(document: Any, release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return the faults that keep ToolHive from loading a configuration."""
    fatal = {UNDECODABLE, AUTHZ_TYPE, AUTHZ_INCOMPLETE}
    return [fault for fault in check_authz(document, release) if fault.rule in fatal]


def unknown_keys(document: Any, release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return a fault for each key of a configuration that ToolHive skips."""
    return [fault for fault in check_authz(document, release) if fault.rule == UNKNOWN_FIELD]


def cedar_document(document: Mapping[str, Any], release: str) -> dict[str, Any] | None:
    """Return a configuration with Cedar options as Go decodes it, which ignores the case of keys.

    The result is ``None`` if the options are missing or cannot be decoded.
    """
    fields = {folded(key): value for key, value in document.items()}
    if fields.get("cedar") is None:
        return None
    options, misfits, _ = decode(fields["cedar"], "CedarOptions", release)
    return None if misfits else {"version": fields.get("version"), "type": fields.get("type"), "cedar": options}


def _check_body(document: Mapping[str, Any], fields: Mapping[str, str], kind: str, release: str) -> Iterator[Fault]:
    key, name = _BODIES[kind]
    path: Path = (fields.get(key, key),)
    body = document.get(fields.get(key, key))
    if body is None:
        path = path if key in fields else ()
        yield Fault(path, AUTHZ_INCOMPLETE, f'a configuration of type {kind} has no "{key}"', f"add {key}")
        return
    decoded, misfits, unknown = decode(body, name, release)
    if not isinstance(body, dict):
        misfits = misfits[:1]
    yield from below(path, decoding_faults(name, misfits, unknown, UNDECODABLE, UNKNOWN_FIELD))
    if misfits:
        return
    yield from below(path, _cedar(decoded, release) if kind == "cedarv1" else _decision_point(decoded, body))


def _cedar(options: Mapping[str, Any], release: str) -> Iterator[Fault]:
    from ...language.cedar.entities import entities_faults
    from ...language.cedar.policy import ignored_rest, never_matches, policy_faults
    from ...toolhive.release import ADDRESSES_KEPT_SINCE, holds

    policies = options["policies"]
    if not policies:
        hint = "add a policy"
        yield Fault(() if policies is None else ("policies",), AUTHZ_INCOMPLETE, "there are no policies", hint)
    for number, text in enumerate(policies or ()):
        path = ("policies", number)
        faults = policy_faults(text)
        for fault in faults:
            yield Fault(path, POLICY, f"the policy cannot be read: {_with_position(fault, text)}", fault.hint)
        if not faults:
            rest = ignored_rest(text)
            if rest is not None:
                yield Fault(path, IGNORED_REST, _with_position(rest, text), "write each policy as an item of its own")
            keeps_address = holds(ADDRESSES_KEPT_SINCE, None, release)
            for fault in never_matches(text, keeps_address=keeps_address):
                yield Fault(path, NEVER_MATCHES, f"the policy never applies: {_with_position(fault, text)}")
    group = options.get("group_entity_type") or ""
    if group and re.fullmatch(ENTITY_TYPE, group) is None and not is_placeholder(group):
        message = f"{shown(group)} is not the name of a Cedar type"
        yield Fault(("group_entity_type",), POLICY, message, "write letters, digits and _, such as Group")
    text = options["entities_json"]
    for fault in entities_faults(text):
        yield Fault(("entities_json",), ENTITIES, f"the entities cannot be read: {_with_position(fault, text)}")


def _with_position(fault: Flaw, text: str) -> str:
    line, column = fault.position(text)
    return f"{fault.message} (line {line}, column {column} of the text)"


def _decision_point(options: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[Fault]:
    address = options["http"]["url"]
    if not address:
        path = ("http",) if isinstance(body.get("http"), dict) else ()
        yield Fault(path, AUTHZ_INCOMPLETE, 'the decision point has no "http.url"', "set http.url")
    elif _scheme(address) not in {"http", "https"}:
        message = f"{shown(address)} is not an http or https URL"
        yield Fault(("http", "url"), AUTHZ_INCOMPLETE, message, "write an http or https address")
    mapping = options["claim_mapping"]
    if mapping not in CLAIM_MAPPINGS:
        message = f'{shown(mapping)} is neither "mpe" nor "standard"' if mapping else '"claim_mapping" is missing'
        hint = 'write "standard" or "mpe"'
        yield Fault(("claim_mapping",) if mapping else (), AUTHZ_INCOMPLETE, message, hint)


def _scheme(address: str) -> str:
    try:
        return url.parse(address).scheme
    except url.UrlError:
        return ""
