"""Read authorization documents, which ConfigMaps contain, like the operator."""

from __future__ import annotations

from typing import Any

from ..compiler.diagnostics.budget import cache_by_text
from ..compiler.diagnostics.named_tuple import NamedTuple
from ..compiler.golang.decoder import Decoder
from ..compiler.golang.shape import StructTable, Types
from ..compiler.reading.fault import UnreadableError
from ..compiler.reading.loose import read_loosely

CEDAR = "cedarv1"
HTTP = "httpv1"
CLAIM_MAPPINGS = ("mpe", "standard")
_STRUCTS = """\
Header version!:string type!:string
Cedar cedar:*CedarOptions
CedarOptions policies!:[]string entities_json!:string primary_upstream_provider:string group_claim_name:string \
role_claim_name:string
Http pdp:*HttpOptions
HttpOptions http:*Connection context:*Context claim_mapping:string
Connection url!:string timeout:int insecure_skip_verify:bool
Context include_args:bool include_operation:bool
"""
TYPES = Types(StructTable(_STRUCTS))
"""Go structs of authorization documents: ``Header`` for every document, then one for each type of document.

Source: the authorization configuration of the product, v0.21.0.
"""


class Problem(NamedTuple):
    """The reason why the operator refuses an authorization document.

    Attributes:
        message: A clause that follows the name of the document, such as "is blank".
        hint: Advice for the user, or ``None``.
    """

    message: str
    hint: str | None = None


class AuthzDocument(NamedTuple):
    """The content of an authorization document that the operator accepts.

    Attributes:
        type: Type that the document states: ``CEDAR`` or ``HTTP``.
        policies: Cedar policies; empty for a policy decision point.
        entities: Cedar entities as JSON text.
        address: The URL of the policy decision point; empty for Cedar.
    """

    type: str
    policies: tuple[str, ...] = ()
    entities: str = ""
    address: str = ""


@cache_by_text(64)
def read(text: str) -> AuthzDocument | Problem:
    """Return the authorization document in a YAML or JSON text, or the reason why the operator refuses the text.

    Results are cached, because many resources may share a text.
    """
    if not text.strip():
        return Problem("is blank")
    try:
        data = read_loosely(text).data
    except UnreadableError as refused:
        fault = refused.faults[0]
        line = text.count("\n", 0, fault.start) + 1
        return Problem(f"cannot be read, line {line}: {' '.join(fault.message.split())}")
    return read_data(data)


def read_data(data: Any) -> AuthzDocument | Problem:
    """Return the authorization document in parsed data, or the reason why the operator refuses the data."""
    header = _decoded(data, "Header")
    if isinstance(header, Problem):
        return header
    for field in ("version", "type"):
        if not header[field]:
            return Problem(f"states no {field}", 'write version: "1.0" and type: cedarv1')
    kind: str = header["type"]
    if kind == CEDAR:
        return _cedar(data)
    if kind == HTTP:
        return _http(data)
    return Problem(f'is of type "{kind}", which is neither {CEDAR} nor {HTTP}', f"write {CEDAR} for Cedar policies")


def _cedar(data: Any) -> AuthzDocument | Problem:
    body = _decoded(data, "Cedar")
    if isinstance(body, Problem):
        return body
    options = body["cedar"]
    if options is None:
        return Problem("has no cedar block", "add cedar.policies")
    if not options["policies"]:
        return Problem("has no policies", "add at least one to cedar.policies")
    return AuthzDocument(CEDAR, tuple(options["policies"]), options["entities_json"])


def _http(data: Any) -> AuthzDocument | Problem:
    body = _decoded(data, "Http")
    if isinstance(body, Problem):
        return body
    options = body["pdp"]
    if options is None:
        return Problem("has no pdp block", "add pdp.http.url")
    if options["http"] is None:
        return Problem("has no pdp.http block", "add pdp.http.url")
    if not options["http"]["url"]:
        return Problem("has no pdp.http.url", "write the address of the policy decision point")
    if options["claim_mapping"] not in CLAIM_MAPPINGS:
        return Problem("has no pdp.claim_mapping of mpe or standard", "set one of the two")
    return AuthzDocument(HTTP, address=options["http"]["url"])


def address_fault(address: str) -> str | None:
    """Return why the proxy refuses the URL of a policy decision point, as a clause, or ``None`` if it is valid."""
    from ..compiler.golang import url

    try:
        parsed = url.parse(address)
    except url.UrlError as error:
        return f"is not a URL: {error}"
    return None if parsed.scheme in ("http", "https") else "is neither http nor https"


def _decoded(data: Any, name: str) -> dict[str, Any] | Problem:
    decoder = Decoder(TYPES)
    value: dict[str, Any] = decoder.decode(data, ("struct", name))
    if decoder.misfits:
        misfit = decoder.misfits[0]
        where = ".".join(map(str, misfit.path)) or "the document"
        hint = "put it in quotes" if misfit.actual.startswith(("the number", "true", "false")) else None
        return Problem(f"does not decode: {where} is {misfit.actual}, not {misfit.expected}", hint)
    return value
