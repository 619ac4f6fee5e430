"""Check the settings in a run configuration with which a proxy signs requests to AWS.

Source: toolhive 0.21.0 and 0.44.0, package auth/awssts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

STS = rule(
    "RUN014 runconfig-sts-refused",
    "process",
    "The settings for cloud credentials are incomplete or invalid",
    verified=RECORDED,
)


LEAST_SESSION, MOST_SESSION = 900, 43200
"""The shortest and the longest session of AWS STS, in seconds (``MinSessionDuration`` and ``MaxSessionDuration``)."""
_ACCOUNT = re.compile(r"[0-9]{12}\Z")
_ARN_PARTS = 6
"""An ARN is ``arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE``. The resource may contain more colons."""


def sts_faults(sts: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a decoded ``aws_sts_config``. Paths are relative to ``sts``."""
    if not sts["region"]:
        yield Fault((), STS, "the region is missing")
    if not sts["fallback_role_arn"] and not sts["role_mappings"]:
        yield Fault((), STS, "there is neither a fallback_role_arn nor a role mapping")
    if sts["fallback_role_arn"]:
        yield from _arn(sts["fallback_role_arn"], ("fallback_role_arn",))
    for number, mapping in enumerate(sts["role_mappings"] or ()):
        yield from below(("role_mappings", number), _role_mapping(mapping))
    seconds = sts["session_duration"]
    if seconds and not LEAST_SESSION <= seconds <= MOST_SESSION:
        message = f"a session of {seconds} seconds is not between {LEAST_SESSION} and {MOST_SESSION}"
        yield Fault(("session_duration",), STS, message)


def _role_mapping(mapping: Mapping[str, Any]) -> Iterator[Fault]:
    if bool(mapping["claim"]) == bool(mapping["matcher"]):
        word = "both" if mapping["claim"] else "neither"
        yield Fault((), STS, f"a mapping takes either a claim or a matcher, but this one has {word}")
    elif mapping["matcher"]:
        from ...language.cel.rule import matcher_faults

        for fault in matcher_faults(mapping["matcher"]):
            message = f"the matcher does not compile: {fault.message} (column {fault.position(mapping['matcher'])[1]})"
            yield Fault(("matcher",), STS, message)
    yield from _arn(mapping["role_arn"], ("role_arn",) if mapping["role_arn"] else ())


def _arn(arn: str, path: Path) -> Iterator[Fault]:
    parts = arn.split(":", _ARN_PARTS - 1)
    is_role = (
        len(parts) == _ARN_PARTS
        and parts[0] == "arn"
        and parts[2] == "iam"
        and _ACCOUNT.match(parts[4]) is not None
        and parts[5].startswith("role/")
    )
    if not is_role:
        hint = "write arn:aws:iam::ACCOUNT:role/NAME, with an account of twelve digits"
        yield Fault(path, STS, f"{shown(arn)} is not the ARN of a role" if arn else "the role is missing", hint)
