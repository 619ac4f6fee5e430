"""Fields that statuses share, and Kubernetes' Condition."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .dated import During, Since, Until
from .declare import Format, Int32, Int64, ListMap, MaxLength, Minimum, MinLength, Pattern
from .reference import WorkloadReference


class Condition(TypedDict, total=False):
    """One aspect of an object's state, as Kubernetes defines it."""

    type: Required[
        Annotated[
            str,
            "Type of the condition, in CamelCase.",
            MaxLength(316),
            Pattern(
                r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
                r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
            ),
        ]
    ]
    status: Required[Annotated[Literal["True", "False", "Unknown"], "Whether the condition holds."]]
    observedGeneration: Annotated[Int64, "Generation of the object for which the condition was set.", Minimum(0)]
    lastTransitionTime: Required[Annotated[str, "Time of the last change of status.", Format("date-time")]]
    reason: Required[
        Annotated[
            str,
            "Reason for the last change, as a CamelCase word.",
            MinLength(1),
            MaxLength(1024),
            Pattern(r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
        ]
    ]
    message: Required[Annotated[str, "Explanation of the last change; may be empty.", MaxLength(32768)]]


Conditions = Annotated[list[Condition], "Latest observations of the object's state.", ListMap("type")]

ObservedGeneration = Annotated[Int64, "Generation of the object that the status describes."]


class ConfigStatus(TypedDict, total=False):
    """The first fields in the status of each shared configuration."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    configHash: Annotated[str, "Hash of the spec. Workloads compare it to notice a change."]


ReferencingWorkloads = Annotated[
    list[WorkloadReference], "Workloads that refer to the object.", ListMap("name"), Until("0.42.0")
]

ReferencingKinds = Annotated[ReferencingWorkloads, During(ListMap("kind", "name"), since="0.30.0")]
"""References to workloads of several kinds. Workloads of two kinds may share a name, so 0.30.0 made kind part of the
list's key.
"""

ReferenceCount = Annotated[Int32, "Number of workloads that refer to the object.", Until("0.42.0")]

AuthzConfigHash = Annotated[str, "configHash of the MCPAuthzConfig in use.", Since("0.30.1")]

ToolConfigHash = Annotated[str, "configHash of the MCPToolConfig in use."]

ExternalAuthConfigHash = Annotated[str, "configHash of the MCPExternalAuthConfig in use."]

AuthServerConfigHash = Annotated[str, "configHash of the authorization server's configuration in use."]

OIDCConfigHash = Annotated[str, "configHash of the MCPOIDCConfig in use."]

TelemetryConfigHash = Annotated[str, "configHash of the MCPTelemetryConfig in use."]
