"""MCPAuthzConfig: authorization of requests, shared by workloads."""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

from .declare import Go, MinLength, PreserveUnknownFields
from .status import Conditions, ConfigHash, ObservedGeneration, ReferenceCount, ReferencingKinds


class MCPAuthzConfigSpec(TypedDict, total=False):
    """Who decides on requests, and by what."""

    type: Required[Annotated[str, "cedarv1 for Cedar policies, httpv1 for a decision point outside.", MinLength(1)]]
    config: Required[
        Annotated[
            dict[str, Any],
            "What the type needs, as an authorization file has it below cedar or pdp.",
            PreserveUnknownFields(),
            Go(type="runtime.RawExtension"),
        ]
    ]


class MCPAuthzConfigStatus(TypedDict, total=False):
    """The configuration as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    configHash: ConfigHash
    referenceCount: ReferenceCount
    referencingWorkloads: ReferencingKinds
