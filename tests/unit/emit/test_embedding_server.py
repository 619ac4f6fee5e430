"""The pod of an embedding server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import sample
from admitted import only

from mcpcfg.compiler.emit import embeddingserver
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.toolhive.operator import OperatorSettings
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import OLDEST
from mcpcfg.compiler.workspace.workspace import Workspace

if TYPE_CHECKING:
    from mcpcfg.compiler.models.embeddingserver import EmbeddingServerSpec
    from mcpcfg.compiler.workspace.resource import Resource


def server(template: str, release: str = OLDEST) -> Resource[EmbeddingServerSpec]:
    resource: Resource[Any] = only(sample.resource("EmbeddingServer", "vectors", "model: a/b", template))
    object.__setattr__(resource, "profile", TOOLHIVE._replace(release=release))
    return resource


def test_the_first_container_of_its_name_gives_the_security_context() -> None:
    containers = (
        "{name: other, securityContext: {runAsUser: 1}}",
        "{name: embedding, securityContext: {runAsUser: 2}}",
        "{name: embedding, securityContext: {runAsUser: 3}}",
    )
    template = f"podTemplateSpec: {{spec: {{containers: [{', '.join(containers)}]}}}}"
    pod = embeddingserver._pod(server(template))
    (container,) = pod["containers"]
    assert container["securityContext"] == {"runAsUser": 2}


@pytest.mark.parametrize(("release", "labels"), [("0.25.0", None), ("0.26.0", {"team": "search"})])
def test_a_pod_template_is_merged_whole_since_release_0_26(release: str, labels: dict[str, str] | None) -> None:
    template = "podTemplateSpec: {metadata: {annotations: {team: search}}, spec: {containers: [{name: embedding}]}}"
    vectors = server(template, release)
    stateful_set, _ = embeddingserver.objects(Build(Workspace([vectors]), OperatorSettings()), vectors)
    assert stateful_set["spec"]["template"]["metadata"].get("annotations") == labels


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nodeSelector", {"gpu": "yes"}),
        ("affinity", {"nodeAffinity": {}}),
        ("tolerations", [{"key": "gpu", "operator": "Exists"}]),
        ("securityContext", {"runAsUser": 1}),
        ("serviceAccountName", "vectors"),
    ],
)
def test_the_pod_has_the_fields_of_the_pod_template(field: str, value: object) -> None:
    template = f"podTemplateSpec: {{spec: {{{field}: {json.dumps(value)}}}}}"
    pod = embeddingserver._pod(server(template))
    assert pod[field] == value
