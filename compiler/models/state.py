"""The states of resources and records, and the condition for each.

Source: the statuses that the operator was recorded to write; docs/operator/records.md, "States of workloads".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


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


_TABLES = """
EmbeddingServer.status.phase: empty
- Pending | It is being created | The StatefulSet is not there yet, or asks for no replicas
- Downloading | The model is being downloaded | The StatefulSet has replicas and none is ready
- Ready | It serves | At least one replica is ready
- Failed | It failed to start | The pod template does not decode; the same pass goes on and sets one of the other
  states
- Terminating | It is being deleted | The resource was deleted and its finalizer still runs

MCPGroup.status.phase: Pending
- Pending | Nobody has looked at it yet | The default, until the members are listed
- Ready | Its members are listed | Listing the members worked, however they fare; also with none
- Failed | Its members are not known | Listing the members failed; the lists are cleared
Members name the group; a group that is not Ready makes their GroupRefValidated condition False.

MCPRegistry.status.phase: empty
- Pending | It is being created | The Deployment has no ready replica
- Ready | It serves | At least one replica is ready; the address is set then
- Failed | It cannot run | The pod template does not decode, the spec is refused, or an object cannot be created
- Terminating | It is being deleted | The resource was deleted and its finalizer still runs

MCPRemoteProxy.status.phase: empty
- Pending | It is being created | No pod exists, or the pods that exist have not started
- Ready | It serves | At least one pod runs
- Failed | It cannot run | The configuration is refused, something that it refers to is missing or not valid, or all
  pods failed
- Terminating | It is being deleted | Never set in this version: it has no finalizer
Where the RunConfig cannot be built, the state stays what it was. A missing group does not fail it.

MCPServer.status.phase: empty
- Pending | It is being created | No proxy pod exists, or none is ready; a failed image pull too
- Ready | It serves | At least one proxy pod is ready
- Failed | It cannot run | The spec or something that it refers to is refused, or a proxy pod crashes and none runs
- Terminating | It is being deleted | The resource was deleted and its finalizer still runs
- Stopped | It is scaled to zero | The Deployment asks for no replicas
Without any pod an earlier Failed stays until pods appear.

MCPServerEntry.status.phase: Pending
- Pending | Nobody has looked at it yet | The default, until it is looked at
- Valid | Its checks passed | Its address, group, external auth and CA bundle are in order
- Failed | A check failed | The address is not allowed, or something that it refers to is missing
It starts nothing: whether the server answers is not known.

VirtualMCPServer.status.phase: Pending
- Pending | It is being created | No pod is ready, or the process has not reported its backends
- Ready | It serves | A pod is ready, and all backends are healthy or there are none
- Degraded | It serves a part | A pod is ready, and some backends are unavailable
- Failed | It cannot run | The spec or something that it refers to is refused, a pod failed and none is ready, or
  the process finds no backend healthy
The operator and the running process both write it.

VirtualMCPCompositeToolDefinition.status.validationStatus: empty
- Unknown | It has not been validated | Never set in this version
- Valid | Its validation passed | Never set in this version
- Invalid | Its validation failed | Never set in this version
No controller looks at these definitions in this version, so the field stays empty. mcpcfg check reports what their
  validation would refuse.

MCPExternalAuthConfig.spec.embeddedAuthServer.storage.type: memory
- memory | Sessions are lost with the pod | The default
- redis | Sessions outlive the pod, and replicas share them | Stated, beside the block redis
The other kinds with an embedded auth server have the same choice.

WorkloadSummary.status: starting
- starting | It is being started | It was created, or started, restarted or updated
- running | It serves | Proxy and container are up; an unauthenticated one could authenticate
- stopping | It is being stopped | It was running and is stopped, restarted or updated
- stopped | It is stopped | Stopping it worked, or its container is paused or has ended
- error | It could not be started or removed | Starting failed after all retries, or removing did
- unhealthy | It should run and does not | Its container or proxy is gone while it was running, its container while
  it was stopped, or a remote server's health check failed
- unauthenticated | The remote server refuses it | A remote server answered 401, or its token could not be refreshed
- removing | It is being removed | It was deleted
- unknown | Nothing is known of it | Its container is in none of the known states
Lists show only running workloads, unless all are asked for. A workload in error does not keep another from being
  created under its name.

InstalledSkill.status: pending
- pending | It is recorded and not installed yet | The default of the record
- installed | Its files are in place | An install, or an upgrade to another digest, worked
- failed | It could not be installed | Never set in this version by the service; allowed in its database

InstalledSkill.scope: user
- user | For all of the user's projects | The default of an install
- project | For one project | An install that names the project's folder
It never changes: the same skill can be installed in both, and once in each project.

RegistrySummary.auth_status: none
- none | It needs no authentication | No authentication is configured for the registry
- configured | It needs a login | Authentication is configured, and no refresh token is cached
- authenticated | A login is remembered | A refresh token of an earlier login is cached
"""
"""A heading for each field: its path, and the value before anything sets it. Below it are the states, and the note."""


def _read(text: str) -> Iterator[StateTable]:
    for table in text.strip().split("\n\n"):
        heading, *lines = table.replace("\n  ", " ").split("\n")
        field, _, first = heading.partition(": ")
        states = tuple(State(*line[2:].split(" | ")) for line in lines if line.startswith("- "))
        yield StateTable(field, states, first, "".join(line for line in lines if not line.startswith("- ")))


TABLES: tuple[StateTable, ...] = tuple(_read(_TABLES))
"""The tables of all fields that have documented states."""


def state_table(field: str) -> StateTable | None:
    """Return the states of the field, ignoring case, or ``None`` if the field has no table."""
    wanted = field.lower()
    return next((table for table in TABLES if table.field.lower() == wanted), None)
