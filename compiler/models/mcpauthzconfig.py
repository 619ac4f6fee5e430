"""MCPAuthzConfig: authorization of requests, shared by workloads."""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

from .declare import Go, MinLength, PreserveUnknownFields
from .status import ConfigStatus, ReferenceCount, ReferencingKinds


class MCPAuthzConfigSpec(TypedDict, total=False):
    """The authorizer of requests and its configuration."""

    type: Required[Annotated[str, "cedarv1 for Cedar policies, httpv1 for an external decision point.", MinLength(1)]]
    config: Required[
        Annotated[
            dict[str, Any],
            "Configuration of the type: the content of cedar or pdp in an authorization file.",
            PreserveUnknownFields(),
            Go(type="runtime.RawExtension"),
        ]
    ]


class MCPAuthzConfigStatus(ConfigStatus, total=False):
    """The last observed state of the configuration."""

    referenceCount: ReferenceCount
    referencingWorkloads: ReferencingKinds
