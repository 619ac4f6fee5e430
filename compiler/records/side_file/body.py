"""Bodies of the management API: what its operations take and answer, against their schemas.

Source: The specification of the management API, version 1 beta.
"""

from __future__ import annotations

from typing import Any

from ...diagnostics.fault import Fault
from ..permission.check import misfit_faults
from ..schema.check import check_schema, load_schema
from ..shape import decode
from ..unknown_key import unknown_faults
from . import rules as rule

REQUESTS = frozenset(
    {
        "client-registration",
        "client-selection",
        "publisher-extensions",
        "registry-update",
        "secret-creation",
        "secret-provider-setup",
        "secret-update",
        "skill-install-request",
        "skill-validate-request",
        "workload-selection",
    }
)
"""What the service reads; all others are its answers."""


def check_body(document: Any, kind: str) -> list[Fault]:
    """Check a body; ``kind`` is the name of its schema."""
    reported_as = rule.BODY if kind in REQUESTS else rule.ANSWER
    breaches = check_schema(document, kind)
    faults = [Fault(breach.path, reported_as, breach.message) for breach in breaches]
    if not isinstance(document, dict):
        return faults
    name = load_schema(kind)["title"]
    _, misfits, unknown = decode(document, name)
    reported = {breach.path for breach in breaches}
    faults += misfit_faults([misfit for misfit in misfits if misfit.path not in reported], reported_as)
    return [*faults, *unknown_faults(unknown, name, rule.UNKNOWN_FIELD)]
