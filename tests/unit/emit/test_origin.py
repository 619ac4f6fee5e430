"""Where a compiled value comes from."""

from __future__ import annotations

from typing import Any

import pytest
from admitted import resources
from sample import resource

from mcpcfg.compiler.emit.origin import Origin, _element, origin
from mcpcfg.compiler.workspace.workspace import Workspace

SPEC = (
    "image: ghcr.io/acme/fetch:1.2",
    "transport: streamable-http",
    "groupRef: {name: team}",
    "mcpPort: 8080",
    "proxyPort: 9000",
    "serviceAccount: runner",
    "env: [{name: MODE, value: slow}, {name: LEVEL, value: ''}, {name: TWIN, value: slow}]",
    "volumes: [{name: data, hostPath: /srv/data, mountPath: /data}, {name: logs, hostPath: /srv/logs, mountPath: /l}]",
    "resources: {limits: {memory: 1Gi}}",
    "podTemplateSpec: {spec: {containers: [{name: mcp, command: [run]}, {name: other, args: [8080]}]}}",
    "telemetryConfigRef: {name: shared}",
)
COMPILED: dict[str, Any] = {
    "metadata": {"name": "fetch", "namespace": "tools", "labels": {"app": "fetch"}},
    "spec": {
        "serviceAccountName": "runner",
        "containers": [
            {
                "name": "mcp",
                "image": "ghcr.io/acme/fetch:1.2",
                "command": ["run"],
                "ports": [{"containerPort": 8080}],
                "env": [{"name": "MODE", "value": "slow"}, {"name": "LEVEL", "value": ""}, {"value": "slow"}],
                "resources": {"limits": {"memory": "1024Mi"}},
                "volumeMounts": [{"name": "logs", "mountPath": "/l", "readOnly": 1}],
            },
            {"name": "other", "args": [8080], "endpoint": "https://otel.example:4318"},
        ],
        "hostname": "fetch-0",
        "nodeName": "nowhere",
    },
}
CONTAINER = ("spec", "containers", 0)
TEMPLATED = ("spec", "podTemplateSpec", *CONTAINER)


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    shared = resource("MCPTelemetryConfig", "shared", "openTelemetry: {enabled: true, endpoint: otel.example:4318}")
    return Workspace(
        resources(
            {"a.yaml": resource("MCPServer", "fetch", *SPEC), "b.yaml": shared, "c.yaml": resource("MCPGroup", "team")}
        )
    )


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("metadata", "name"), ("metadata", "name")),
        (("metadata", "namespace"), ("metadata", "namespace")),
        # What holds the name of the resource comes from it.
        (("metadata", "labels", "app"), ("metadata", "name")),
        (("spec", "hostname"), ("metadata", "name")),
        # Under another key, where the text is long enough to tell.
        (("spec", "serviceAccountName"), ("spec", "serviceAccount")),
        ((*CONTAINER, "image"), ("spec", "image")),
        # Of the same values the one below the most like keys.
        ((*CONTAINER, "env", 0, "value"), ("spec", "env", 0, "value")),
        ((*CONTAINER, "env", 0, "name"), ("spec", "env", 0, "name")),
        ((*CONTAINER, "env", 1, "value"), ("spec", "env", 1, "value")),
        # What is not there, or written anew, is where the element of the same name is.
        ((*CONTAINER, "resources", "limits", "memory"), (*TEMPLATED, "resources", "limits", "memory")),
        ((*CONTAINER, "volumeMounts", 0, "readOnly"), (*TEMPLATED, "volumeMounts", 0, "readOnly")),
        ((*CONTAINER, "volumeMounts", 0, "mountPath"), ("spec", "volumes", 1, "mountPath")),
        ((*CONTAINER, "livenessProbe"), (*TEMPLATED, "livenessProbe")),
        (("spec", "containers", 1, "args", 0), ("spec", "podTemplateSpec", "spec", "containers", 1, "args", 0)),
        (("spec", "nodeName"), None),
        (("spec", "missing"), None),
    ],
)
def test_the_origin_of_a_value_is_the_most_similar_field(
    workspace: Workspace, path: tuple[str | int, ...], place: tuple[str | int, ...] | None
) -> None:
    found = origin(workspace, workspace.resources[0], COMPILED, path)
    assert found == (None if place is None else Origin(place))


def test_the_last_of_equally_likely_origins_is_returned_on_request(workspace: Workspace) -> None:
    path = (*CONTAINER, "env", 2, "value")
    found = [origin(workspace, workspace.resources[0], COMPILED, path, last=last) for last in (False, True)]
    assert found == [Origin(("spec", "env", 0, "value")), Origin(("spec", "env", 2, "value"))]


def test_the_origin_of_a_referenced_value_has_the_path_of_the_reference(workspace: Workspace) -> None:
    compiled = {"args": {"endpoint": "otel.example:4318", "other": "otel"}}
    server, shared = workspace.resources[:2]
    at = ("spec", "telemetryConfigRef", "name")
    place = ("spec", "openTelemetry", "endpoint")
    assert origin(workspace, server, compiled, ("args", "endpoint")) == Origin(at, shared, place)
    assert origin(workspace, server, compiled, ("args", "other")) is None


def test_an_item_of_a_plain_list_comes_from_the_element_around_it() -> None:
    compiled = {"containers": [{"name": "mcp", "command": ["run"]}]}
    places = [(("spec", "containers", 0), {"name": "mcp"})]

    assert _element(places, compiled, ("containers", 0, "command", 0)) == ("spec", "containers", 0, "command", 0)


def test_the_origin_of_an_element_without_a_name_is_the_most_similar_element() -> None:
    compiled = {"rules": [["x"], {"effect": "b", "size": 2}]}
    places = [
        (("spec", "rules", 0), {"effect": "a", "size": 2}),
        (("spec", "rules", 1), {"effect": "b", "size": 2}),
        (("spec", "rules", 2), {"effect": "b", "size": 3}),
        (("spec", "others", 0), {"effect": "b", "size": 2}),
    ]
    assert _element(places, compiled, ("rules", 1, "operator")) == ("spec", "rules", 1, "operator")
    assert _element(places, compiled, ("rules", 1)) == ("spec", "rules", 1)
    assert _element(places, compiled, ("rules", 0, 0)) is None
    assert _element(places, {"taints": [{"effect": "b"}]}, ("taints", 0, "effect")) is None
