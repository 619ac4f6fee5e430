"""Find out which tools a backend of a virtual server has, without asking the backend.

Source: docs/operator/virtual-server.md, "Tools of a session"; docs/operator/proxy.md, "Tool filters".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..diagnostics.plain import listed, mapping
from ..golang.image_reference import repository
from .block import well_typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..models.mcptoolconfig import MCPToolConfigSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend and its known tools.

    Attributes:
        tools: Mappings with ``name``, ``description`` and ``annotations``.
        source: A clause that names the source of ``tools``, for reports.
        is_complete: True if the backend is known to have no other tools.
    """

    name: str
    tools: tuple[Mapping[str, Any], ...]
    source: str
    is_complete: bool


class BackendToolsError(ValueError):
    """The table of tools has the wrong structure. The message says what to write."""


def given_backends(data: Any) -> list[Backend]:
    """Return the backends in a table that maps each name to a list of tools, or to a result of ``tools/list``.

    A tool in a list is a name, or an object with a name.

    Raises:
        BackendToolsError: The table has another structure.
    """
    if not isinstance(data, dict):
        raise BackendToolsError("it has to map each backend to the list of its tools, such as 'github: [get_issue]'")
    return [
        Backend(str(name), tuple(_stated_tools(str(name), tools)), "as given", True) for name, tools in data.items()
    ]


def _stated_tools(name: str, tools: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(tools, dict):
        tools = mapping(tools.get("result")).get("tools", tools.get("tools"))
    if not isinstance(tools, list):
        raise BackendToolsError(f'backend "{name}" has no list of tools')
    for index, tool in enumerate(tools):
        if isinstance(tool, str):
            yield {"name": tool}
        elif isinstance(tool, dict) and isinstance(tool.get("name"), str):
            yield {
                "name": tool["name"],
                "description": tool.get("description") if isinstance(tool.get("description"), str) else "",
                "annotations": mapping(tool.get("annotations")),
            }
        else:
            raise BackendToolsError(f'tool {index} of backend "{name}" is neither a name nor an object with a name')


def declared_backends(
    workspace: Workspace, members: Iterable[Resource], config: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> list[Backend]:
    """Return the backends of group members, with the tools that the project itself states.

    The tools of a member are those that a registry file lists for its image or URL. For a member that no registry file
    lists, they are the tools of `mentioned_backend`.

    Args:
        config: The configuration of the virtual server.
        records: Entries of registry files, with ``image`` or ``url``, and ``tools``.
    """
    backends = []
    for member in members:
        record = next((record for record in records if _lists_member(record, member)), None)
        if record is not None:
            tools: list[Mapping[str, Any]] = [{"name": name} for name in listed(record.get("tools"))]
            source = f'as the registry lists them for "{record.get("name", "")}"{_version_note(record, member)}'
            backends.append(Backend(member.name, tuple(_through_proxy(workspace, member, tools)), source, True))
        else:
            backends.append(mentioned_backend(member.name, config))
    return backends


def mentioned_backend(name: str, config: Mapping[str, Any]) -> Backend:
    """Return a backend with the tools that the configuration mentions in filters, overrides and steps.

    The backend may have more tools, so ``is_complete`` is false.
    """
    aggregation = well_typed(mapping(config.get("aggregation")))
    matches = (entry for entry in reversed(aggregation["tools"]) if entry["workload"] == name)
    entry: dict[str, Any] = next(matches, {"overrides": {}, "filter": []})
    original_names = {(override or {}).get("name"): called_name for called_name, override in entry["overrides"].items()}
    names = [*entry["overrides"], *(original_names.get(shown, shown) for shown in entry["filter"])]
    for step in _steps(config):
        called_name = _name_at_backend(step, name, aggregation)
        if called_name:
            names.append(original_names.get(called_name, called_name))
    tools = tuple({"name": tool} for tool in dict.fromkeys(names) if tool)
    source = "only those that the configuration names" if tools else "tools unknown"
    return Backend(name, tools, source, False)


def _steps(config: Mapping[str, Any]) -> Iterator[str]:
    for tool in listed(config.get("compositeTools")):
        for step in listed(mapping(tool).get("steps")):
            for part in (mapping(step), mapping(mapping(step).get("step"))):
                if isinstance(part.get("tool"), str):
                    yield part["tool"]


def _name_at_backend(step: str, backend: str, aggregation: Mapping[str, Any]) -> str:
    if step.startswith(f"{backend}."):
        return step.removeprefix(f"{backend}.")
    form: str = aggregation["conflictResolutionConfig"]["prefixFormat"] or "{workload}_"
    prefix = form.replace("{workload}", backend)
    if aggregation["conflictResolution"] in ("", "prefix") and backend in prefix and step.startswith(prefix):
        return step.removeprefix(prefix)
    return ""


def _lists_member(record: Mapping[str, Any], member: Resource[Any]) -> bool:
    if not listed(record.get("tools")):
        return False
    image, url = member.spec.get("image"), member.spec.get("remoteUrl")
    if isinstance(image, str) and isinstance(record.get("image"), str):
        return repository(image) == repository(record["image"])
    return isinstance(url, str) and isinstance(record.get("url"), str) and url.rstrip("/") == record["url"].rstrip("/")


def _version_note(record: Mapping[str, Any], member: Resource[Any]) -> str:
    theirs, ours = record.get("image"), member.spec.get("image")
    return f", at {theirs}" if isinstance(theirs, str) and theirs != ours else ""


def _through_proxy(
    workspace: Workspace, member: Resource, tools: Iterable[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield the tools that the member's proxy shows, after renaming. Its filter contains the new names."""
    shared: Resource[MCPToolConfigSpec] | None = workspace.target(member, "spec", "toolConfigRef", "name")
    overrides = mapping(shared.spec.get("toolsOverride")) if shared is not None else {}
    wanted = listed(shared.spec.get("toolsFilter")) if shared is not None else []
    for tool in tools:
        override = mapping(overrides.get(tool["name"]))
        name = override.get("name") or tool["name"]
        if not wanted or name in wanted:
            yield {**tool, "name": name, "description": override.get("description") or tool.get("description", "")}
