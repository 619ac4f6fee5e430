"""What every status has, and the Kubernetes Condition."""

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
    status: Required[Annotated[Literal["True", "False", "Unknown"], "Whether it holds."]]
    observedGeneration: Annotated[Int64, "Generation of the object that it was set for.", Minimum(0)]
    lastTransitionTime: Required[Annotated[str, "When the status last changed.", Format("date-time")]]
    reason: Required[
        Annotated[
            str,
            "Why it last changed, as a word for programs.",
            MinLength(1),
            MaxLength(1024),
            Pattern(r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
        ]
    ]
    message: Required[Annotated[str, "Why it last changed, for people; may be empty.", MaxLength(32768)]]


Conditions = Annotated[list[Condition], "Latest observations of the object's state.", ListMap("type")]

ObservedGeneration = Annotated[Int64, "Generation of the object that the status is about."]

ConfigHash = Annotated[str, "Hash of the spec, by which workloads notice a change."]

ReferencingWorkloads = Annotated[
    list[WorkloadReference], "Workloads that refer to it.", ListMap("name"), Until("0.42.0")
]

ReferencingKinds = Annotated[ReferencingWorkloads, During(ListMap("kind", "name"), since="0.30.0")]
"""Where workloads of different kinds may have one name."""

ReferenceCount = Annotated[Int32, "Number of workloads that refer to it.", Until("0.42.0")]

AuthzConfigHash = Annotated[str, "configHash of the MCPAuthzConfig in use.", Since("0.30.1")]

ToolConfigHash = Annotated[str, "configHash of the MCPToolConfig in use."]

ExternalAuthConfigHash = Annotated[str, "configHash of the MCPExternalAuthConfig in use."]

AuthServerConfigHash = Annotated[str, "configHash of the authorization server's configuration in use."]

OIDCConfigHash = Annotated[str, "configHash of the MCPOIDCConfig in use."]

TelemetryConfigHash = Annotated[str, "configHash of the MCPTelemetryConfig in use."]
