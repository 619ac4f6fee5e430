"""The states of resources and records, and the condition for each.

Source: the statuses that the operator was recorded to write; docs/operator/records.md, "States of workloads".
"""

from __future__ import annotations

from typing import NamedTuple

NEVER = "Never set in this version"


class State(NamedTuple):
    """One state of a field.

    Attributes:
        name: The value of the field.
        meaning: A clause about the resource: "It serves".
        cause: The condition under which the state is set, as a clause.
    """

    name: str
    meaning: str
    cause: str


class StateTable(NamedTuple):
    """The states of one field.

    Attributes:
        field: Path of the field in the notation of ``mcpcfg explain``: ``MCPServer.status.phase``.
        states: States in the order of the life cycle, if the field has one.
        first: Value before anything sets the field; ``empty`` for no value.
        note: Remark about all states; may be empty.
    """

    field: str
    states: tuple[State, ...]
    first: str
    note: str = ""


_DELETED = "The resource was deleted and its finalizer still runs"

TABLES: tuple[StateTable, ...] = (
    StateTable(
        "EmbeddingServer.status.phase",
        (
            State("Pending", "It is being created", "The StatefulSet is not there yet, or asks for no replicas"),
            State("Downloading", "The model is being downloaded", "The StatefulSet has replicas and none is ready"),
            State("Ready", "It serves", "At least one replica is ready"),
            State(
                "Failed",
                "It failed to start",
                "The pod template does not decode; the same pass goes on and sets one of the other states",
            ),
            State("Terminating", "It is being deleted", _DELETED),
        ),
        "empty",
    ),
    StateTable(
        "MCPGroup.status.phase",
        (
            State("Pending", "Nobody has looked at it yet", "The default, until the members are listed"),
            State("Ready", "Its members are listed", "Listing the members worked, however they fare; also with none"),
            State("Failed", "Its members are not known", "Listing the members failed; the lists are cleared"),
        ),
        "Pending",
        "Members name the group; a group that is not Ready makes their GroupRefValidated condition False.",
    ),
    StateTable(
        "MCPRegistry.status.phase",
        (
            State("Pending", "It is being created", "The Deployment has no ready replica"),
            State("Ready", "It serves", "At least one replica is ready; the address is set then"),
            State(
                "Failed",
                "It cannot run",
                "The pod template does not decode, the spec is refused, or an object cannot be created",
            ),
            State("Terminating", "It is being deleted", _DELETED),
        ),
        "empty",
    ),
    StateTable(
        "MCPRemoteProxy.status.phase",
        (
            State("Pending", "It is being created", "No pod exists, or the pods that exist have not started"),
            State("Ready", "It serves", "At least one pod runs"),
            State(
                "Failed",
                "It cannot run",
                "The configuration is refused, something that it refers to is missing or not valid, or all pods failed",
            ),
            State("Terminating", "It is being deleted", f"{NEVER}: it has no finalizer"),
        ),
        "empty",
        "Where the RunConfig cannot be built, the state stays what it was. A missing group does not fail it.",
    ),
    StateTable(
        "MCPServer.status.phase",
        (
            State("Pending", "It is being created", "No proxy pod exists, or none is ready; a failed image pull too"),
            State("Ready", "It serves", "At least one proxy pod is ready"),
            State(
                "Failed",
                "It cannot run",
                "The spec or something that it refers to is refused, or a proxy pod crashes and none runs",
            ),
            State("Terminating", "It is being deleted", _DELETED),
            State("Stopped", "It is scaled to zero", "The Deployment asks for no replicas"),
        ),
        "empty",
        "Without any pod an earlier Failed stays until pods appear.",
    ),
    StateTable(
        "MCPServerEntry.status.phase",
        (
            State("Pending", "Nobody has looked at it yet", "The default, until it is looked at"),
            State("Valid", "Its checks passed", "Its address, group, external auth and CA bundle are in order"),
            State("Failed", "A check failed", "The address is not allowed, or something that it refers to is missing"),
        ),
        "Pending",
        "It starts nothing: whether the server answers is not known.",
    ),
    StateTable(
        "VirtualMCPServer.status.phase",
        (
            State("Pending", "It is being created", "No pod is ready, or the process has not reported its backends"),
            State("Ready", "It serves", "A pod is ready, and all backends are healthy or there are none"),
            State("Degraded", "It serves a part", "A pod is ready, and some backends are unavailable"),
            State(
                "Failed",
                "It cannot run",
                "The spec or something that it refers to is refused, a pod failed and none is ready, "
                "or the process finds no backend healthy",
            ),
        ),
        "Pending",
        "The operator and the running process both write it.",
    ),
    StateTable(
        "VirtualMCPCompositeToolDefinition.status.validationStatus",
        (
            State("Unknown", "It has not been validated", NEVER),
            State("Valid", "Its validation passed", NEVER),
            State("Invalid", "Its validation failed", NEVER),
        ),
        "empty",
        "No controller looks at these definitions in this version, so the field stays empty. mcpcfg check reports what "
        "their validation would refuse.",
    ),
    StateTable(
        "MCPExternalAuthConfig.spec.embeddedAuthServer.storage.type",
        (
            State("memory", "Sessions are lost with the pod", "The default"),
            State("redis", "Sessions outlive the pod, and replicas share them", "Stated, beside the block redis"),
        ),
        "memory",
        "The other kinds with an embedded auth server have the same choice.",
    ),
    StateTable(
        "WorkloadSummary.status",
        (
            State("starting", "It is being started", "It was created, or started, restarted or updated"),
            State("running", "It serves", "Proxy and container are up; an unauthenticated one could authenticate"),
            State("stopping", "It is being stopped", "It was running and is stopped, restarted or updated"),
            State("stopped", "It is stopped", "Stopping it worked, or its container is paused or has ended"),
            State("error", "It could not be started or removed", "Starting failed after all retries, or removing did"),
            State(
                "unhealthy",
                "It should run and does not",
                "Its container or proxy is gone while it was running, its container while it was stopped, "
                "or a remote server's health check failed",
            ),
            State(
                "unauthenticated",
                "The remote server refuses it",
                "A remote server answered 401, or its token could not be refreshed",
            ),
            State("removing", "It is being removed", "It was deleted"),
            State("unknown", "Nothing is known of it", "Its container is in none of the known states"),
        ),
        "starting",
        "Lists show only running workloads, unless all are asked for. A workload in error does not keep another from "
        "being created under its name.",
    ),
    StateTable(
        "InstalledSkill.status",
        (
            State("pending", "It is recorded and not installed yet", "The default of the record"),
            State("installed", "Its files are in place", "An install, or an upgrade to another digest, worked"),
            State("failed", "It could not be installed", f"{NEVER} by the service; allowed in its database"),
        ),
        "pending",
    ),
    StateTable(
        "InstalledSkill.scope",
        (
            State("user", "For all of the user's projects", "The default of an install"),
            State("project", "For one project", "An install that names the project's folder"),
        ),
        "user",
        "It never changes: the same skill can be installed in both, and once in each project.",
    ),
    StateTable(
        "RegistrySummary.auth_status",
        (
            State("none", "It needs no authentication", "No authentication is configured for the registry"),
            State("configured", "It needs a login", "Authentication is configured, and no refresh token is cached"),
            State("authenticated", "A login is remembered", "A refresh token of an earlier login is cached"),
        ),
        "none",
    ),
)
"""The tables of all fields that have documented states."""


def state_table(field: str) -> StateTable | None:
    """Return the states of the field, ignoring case, or ``None`` if the field has no table."""
    wanted = field.lower()
    return next((table for table in TABLES if table.field.lower() == wanted), None)
