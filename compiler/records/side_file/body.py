"""Check request and response bodies of the management API against their schemas.

Source: The specification of the management API, version 1 beta.
"""

from __future__ import annotations

from typing import Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ..schema.check import check_schema, load_schema
from ..shape import decode
from ..unknown_key import misfit_faults, unknown_faults
from .audit import UNKNOWN_FIELD

BODY = rule("FIL055 body-refused", "process", "The management API refuses the body of an operation")
ANSWER = rule("FIL056 answer-unlike-schema", "lint", "An answer of the management API does not match its schema")


REQUESTS = frozenset(
    """
    client-registration client-selection publisher-extensions registry-update secret-creation secret-provider-setup
    secret-update skill-install-request skill-validate-request workload-selection
    """.split()
)
"""The names of the schemas for request bodies. All other schemas are for responses."""


def check_body(document: Any, kind: str) -> list[Fault]:
    """Return the faults of a request or response body. ``kind`` is the name of its schema."""
    reported_as = BODY if kind in REQUESTS else ANSWER
    breaches = check_schema(document, kind)
    faults = [Fault(breach.path, reported_as, breach.message) for breach in breaches]
    if not isinstance(document, dict):
        return faults
    name = load_schema(kind)["title"]
    _, misfits, unknown = decode(document, name)
    reported = {breach.path for breach in breaches}
    faults += misfit_faults([misfit for misfit in misfits if misfit.path not in reported], reported_as)
    return [*faults, *unknown_faults(unknown, name, UNKNOWN_FIELD)]
