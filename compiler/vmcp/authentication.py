"""Check ``incomingAuth`` and ``outgoingAuth`` of a vMCP configuration like the validator of the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.plain import mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RECORDED
from ..toolhive.constants import TOKEN_TYPE_URN
from ..toolhive.release import holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.finding import Rule
    from ..diagnostics.span import Path

INCOMING = rule(
    "VMC102 incoming-auth-refused",
    "process",
    "The authentication of clients is of a type that the vMCP process does not know, or incomplete",
    verified=RECORDED,
)
AUTHORIZATION = rule(
    "VMC103 authorization-refused",
    "process",
    "The authorization of a virtual server is of a type that its process does not know",
    verified=RECORDED,
)
OUTGOING = rule(
    "VMC104 outgoing-auth-refused",
    "process",
    "The authentication to a backend is of a type that the vMCP process does not know, or incomplete",
    verified=RECORDED,
)


STRATEGIES: Final = ("unauthenticated", "header_injection", "token_exchange", "upstream_inject")
LATER_STRATEGIES: Final = {"aws_sts": "0.26.0", "obo": "0.32.0", "xaa": "0.32.0"}
"""The first release with a strategy, for strategies that v0.21.0 does not have."""
ID_TOKEN: Final = f"{TOKEN_TYPE_URN}id_token"
CA_HINT: Final = "write a path such as /etc/certs/ca.crt"


def incoming_faults(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of ``incomingAuth`` that the validator refuses."""
    path: Path = ("incomingAuth",)
    yield from one_of((*path, "type"), given.get("type"), ("oidc", "local", "anonymous"), INCOMING)
    if given.get("type") == "oidc":
        oidc = given.get("oidc")
        if oidc is None:
            message = "clients authenticate with OIDC, but there is no oidc block"
            yield Fault((*path, "oidc"), INCOMING, message, "write oidc with issuer and audience")
        else:
            for field in ("issuer", "audience"):
                if not oidc.get(field):
                    yield Fault((*path, "oidc", field), INCOMING, f"the OIDC provider has no {field}")
            bundle = oidc.get("caBundlePath") or ""
            if bundle and not is_plain_path(bundle):
                message = f'the path {shown(bundle)} of the CA bundle is not an absolute path without ".."'
                yield Fault((*path, "oidc", "caBundlePath"), INCOMING, message, CA_HINT)
    authz = given.get("authz")
    if authz is not None:
        yield from _authz(authz, (*path, "authz"))


def _authz(authz: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if authz.get("type") not in ("cedar", "none"):
        message = f"authorization has the type {shown(authz.get('type') or '')}; the process knows cedar and none"
        yield Fault((*path, "type"), AUTHORIZATION, message, "write cedar, or remove authz")
    elif authz["type"] == "cedar" and not authz.get("policies"):
        yield Fault(
            (*path, "policies"), AUTHORIZATION, "Cedar authorization has no policies", "write policies, or type: none"
        )


def outgoing_faults(given: Mapping[str, Any], release: str) -> Iterator[Fault]:
    """Yield the faults of ``outgoingAuth`` that the validator of a release refuses."""
    path: Path = ("outgoingAuth",)
    yield from one_of((*path, "source"), given.get("source"), ("inline", "discovered"), OUTGOING)
    if given.get("default") is not None:
        yield from _strategy(given["default"], (*path, "default"), release)
    for name, strategy in mapping(given.get("backends")).items():
        yield from _strategy(strategy, (*path, "backends", name), release)


def _strategy(strategy: Mapping[str, Any] | None, path: Path, release: str) -> Iterator[Fault]:
    if strategy is None:
        yield Fault(path, OUTGOING, f"{shown(path[-1])} has no authentication strategy")
        return
    kind = strategy.get("type")
    kinds = (
        *STRATEGIES,
        *(later_kind for later_kind, since in LATER_STRATEGIES.items() if holds(since, None, release)),
    )
    if kind not in kinds:
        yield from one_of((*path, "type"), kind, kinds, OUTGOING)
    elif kind == "token_exchange":
        yield from _block_field_faults(strategy, path, "tokenExchange", ("tokenUrl",))
    elif kind == "header_injection":
        yield from _block_field_faults(strategy, path, "headerInjection", ("headerName",))
    elif kind == "upstream_inject":
        yield from _block_field_faults(strategy, path, "upstreamInject", ())
    elif kind == "aws_sts":
        yield from _block_field_faults(strategy, path, "awsSts", ("region",))
    elif kind == "obo":
        yield from _block_field_faults(strategy, path, "obo", ("tokenUrl",))
        given = mapping(strategy.get("obo"))
        if given.get("clientSecret") and given.get("clientSecretEnv"):
            message = "the strategy obo has a clientSecret and a clientSecretEnv"
            yield Fault((*path, "obo", "clientSecretEnv"), OUTGOING, message, "keep one of the two")
    elif kind == "xaa":
        yield from _block_field_faults(strategy, path, "xaa", ("idpTokenUrl", "targetTokenUrl", "targetAudience"))
        kind = mapping(strategy.get("xaa")).get("subjectTokenType") or ID_TOKEN
        if kind != ID_TOKEN:
            message = f"the strategy xaa does not take tokens of type {shown(kind)}"
            yield Fault((*path, "xaa", "subjectTokenType"), OUTGOING, message, f"write {ID_TOKEN}")


def _block_field_faults(strategy: Mapping[str, Any], path: Path, block: str, fields: Sequence[str]) -> Iterator[Fault]:
    given = strategy.get(block)
    if given is None:
        message = f"the strategy {strategy['type']} needs the block {block}"
        yield Fault((*path, block), OUTGOING, message)
        return
    for field in fields:
        if not given.get(field):
            message = f"the strategy {strategy['type']} has no {field}"
            yield Fault((*path, block, field), OUTGOING, message)


def is_plain_path(path: str) -> bool:
    """Return whether a path is absolute and contains neither ``..`` nor a null character."""
    return path.startswith("/") and "\0" not in path and ".." not in path


def one_of(path: Path, value: Any, allowed: Sequence[str], broken: Rule) -> Iterator[Fault]:
    """Yield a fault of the rule ``broken`` if the value at ``path`` is missing or not one of ``allowed``."""
    if value in allowed:
        return
    listing = ", ".join(allowed)
    message = (
        f"{path[-1]} is {shown(value)}, none of {listing}" if value else f"{path[-1]} is missing: one of {listing}"
    )
    yield Fault(
        path,
        broken,
        message,
        did_you_mean(value, allowed, likeness=VAGUE) if isinstance(value, str) and value else None,
    )
