"""What Kubernetes refuses of compiled objects is reported once, at the place that it comes from."""

from __future__ import annotations

import copy
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from plain_value import plain_object

from mcpcfg.compiler.api import build, check
from mcpcfg.compiler.diagnostics.plain import value_at, walk
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import compiled_objects
from mcpcfg.compiler.generate.declaration import DeclarationReader
from mcpcfg.compiler.kube.validation.object import object_faults
from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.toolhive.operator import OperatorSettings
from mcpcfg.compiler.toolhive.release import RELEASES
from mcpcfg.validators.plain_object import FIELDS_BY_KIND, targets_to_compile
from mcpcfg.validators.registry import rules_of
from mcpcfg.validators.rules import refused_object

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report
    from mcpcfg.compiler.generate.model import Model

IDS = {rule.id for rule in rules_of(refused_object)}
MOUNTING = {"name": "mcp", "volumeMounts": [{"name": "a", "mountPath": "/a"}]}
GROUP = {"kind": "MCPGroup", "metadata": {"name": "g"}, "spec": {}}


def resource(kind: str, name: str = "a", **spec: Any) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name}, "spec": spec}


def server(**spec: Any) -> dict[str, Any]:
    return resource("MCPServer", image="i:1", transport="streamable-http", **spec)


def template(**pod: Any) -> dict[str, Any]:
    return server(podTemplateSpec={"spec": pod})


def container(**fields: Any) -> dict[str, Any]:
    return template(containers=[{"name": "mcp", **fields}])


def checked(*resources: dict[str, Any], release: str | None = None) -> Report:
    documents = [{"apiVersion": "toolhive.stacklok.dev/v1alpha1", **one} for one in resources]
    return check(files={"a.yaml": yaml.safe_dump_all(documents, sort_keys=False)}, options=Options(release=release))


def reported(report: Report) -> list[tuple[str, str]]:
    """Return the stage and the path of each finding of the rules about refused objects."""
    return [
        (one.stage, "/".join(map(str, one.path or ()))) for one in report.findings if one.rule in IDS and one.subject
    ]


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (server(resources={"limits": {"cpu": "-1"}}), "operator spec/resources/limits/cpu"),
        (server(serviceAccount="A b"), "process spec/serviceAccount"),
        (
            template(volumes=[{"name": "a", "glusterfs": {"path": "p"}}]),
            "process spec/podTemplateSpec/spec/volumes/0/glusterfs",
        ),
        (
            container(lifecycle={"preStop": {"sleep": {"seconds": 40}}}),
            "process spec/podTemplateSpec/spec/containers/0/lifecycle/preStop/sleep/seconds",
        ),
        (
            server(secrets=[{"name": "a", "key": "k"}, {"name": "B", "key": "k2"}]),
            "process spec/secrets/1/name",
        ),
        (
            server(resourceOverrides={"proxyService": {"labels": {"-": "x"}}}),
            "operator spec/resourceOverrides/proxyService/labels/-",
        ),
        (
            template(volumes=[{"name": "a"}, {"name": "b"}, {"emptyDir": {}}], containers=[]),
            "process spec/podTemplateSpec/spec/volumes/2",
        ),
        (
            template(tolerations=[{"key": "a"}, {"value": "b"}], containers=[]),
            "process spec/podTemplateSpec/spec/tolerations/1",
        ),
        (
            template(containers=[{"name": "mcp"}, {"name": "side", "image": "i", "livenessProbe": {}}]),
            "process spec/podTemplateSpec/spec/containers/1/livenessProbe",
        ),
        (
            container(securityContext={"privileged": True}),
            "process spec/podTemplateSpec/spec/containers/0/securityContext/privileged",
        ),
        (
            container(resources={"requests": {"memory": "2Gi"}, "limits": {"memory": "1Gi"}}),
            "process spec/podTemplateSpec/spec/containers/0/resources/requests/memory",
        ),
        (
            template(schedulingGates=[{"name": "a"}, {"name": "b"}, {"name": "a b"}], containers=[]),
            "process spec/podTemplateSpec/spec/schedulingGates/2/name",
        ),
        (resource("EmbeddingServer", modelCache={"enabled": True, "size": "0"}), "operator spec/modelCache/size"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_fault_is_reported_at_the_path_of_the_wrong_value(given: dict[str, Any], place: str) -> None:
    assert [" ".join(one) for one in reported(checked(given))] == [place]


def test_a_fault_of_a_configuration_is_reported_at_the_reference_with_a_note() -> None:
    oidc = resource(
        "MCPOIDCConfig",
        "login",
        type="inline",
        inline={"issuer": "https://a.example", "clientId": "c", "clientSecretRef": {"name": "s", "key": "a b"}},
    )
    elsewhere = {"name": "elsewhere", "key": "ca.crt"}
    reference = {"name": "login", "audience": "a"}
    report = checked(oidc, server(secrets=[elsewhere], serviceAccount="other", oidcConfigRef=reference))
    (finding,) = (one for one in report.findings if one.rule in IDS)

    assert finding.path == ("spec", "oidcConfigRef", "name")
    assert [note.span.line for note in finding.notes if note.span] == [12]


def test_a_fault_of_a_members_configuration_is_reported_at_the_group() -> None:
    auth = resource(
        "MCPExternalAuthConfig",
        "key",
        type="headerInjection",
        headerInjection={"headerName": "X-Key", "valueSecretRef": {"name": "s", "key": "a b"}},
    )
    member = resource("MCPServerEntry", "b", remoteUrl="https://a.example", transport="streamable-http")
    member["spec"] |= {"groupRef": {"name": "g"}, "externalAuthConfigRef": {"name": "key"}}
    front = resource("VirtualMCPServer", "front", groupRef={"name": "g"}, incomingAuth={"type": "anonymous"})
    front["spec"]["outgoingAuth"] = {"source": "discovered"}

    found = reported(checked(GROUP, auth, member, front))
    assert found == [("operator", "spec/groupRef/name")]


def test_a_fault_that_a_rule_has_reported_is_not_reported_again() -> None:
    report = checked(server(volumes=[{"name": "runconfig", "hostPath": "/a", "mountPath": "/b"}]))
    assert [one.rule for one in report.findings if one.severity == "error"] == ["VOL003"]


def test_a_value_that_goes_into_several_objects_is_reported_once() -> None:
    labels = {"statefulSet": {"podTemplateMetadataOverrides": {"labels": {"a": "b c"}}}}
    assert len(reported(checked(resource("EmbeddingServer", resourceOverrides=labels)))) == 1


@pytest.mark.parametrize(
    "given",
    [
        template(volumes="${VOLUMES}", containers=[MOUNTING]),
        template(volumes=[{"name": "${A}"}], containers=[MOUNTING]),
        server(resources={"limits": {"cpu": "${CPU}"}}, serviceAccount="A b"),
        container(imagePullPolicy="${POLICY}"),
        server(serviceAccount="${ACCOUNT}"),
    ],
    ids=["volumes", "name-of-volume", "quantity", "policy", "account"],
)  # fmt: skip
def test_placeholders_are_unknown(given: dict[str, Any]) -> None:
    assert [path for _, path in reported(checked(given)) if path != "spec/serviceAccount"] == []
    assert not any(rule.startswith("CFG") for rule in (one.rule for one in checked(given).findings))


def test_a_missing_value_is_reported_although_other_fields_have_placeholders() -> None:
    given = container(volumeMounts=[{"name": "a"}])
    given["spec"]["podTemplateSpec"]["spec"]["volumes"] = [{"name": "a"}]
    given["spec"]["image"] = "i:${VERSION}"
    assert [path for _, path in reported(checked(given))] == ["spec/podTemplateSpec/spec/containers/0/volumeMounts/0"]


def test_a_placeholder_for_an_object_only_hides_missing_values() -> None:
    given = template(affinity="${AFFINITY}", topologySpreadConstraints=[{"maxSkew": 0}])
    place = "spec/podTemplateSpec/spec/topologySpreadConstraints/0/maxSkew"
    assert [path for _, path in reported(checked(given))] == [place], "what it lacks may stand behind the placeholder"


def test_an_object_that_only_kubernetes_refuses_is_not_built() -> None:
    report = checked(server(args=["x" * (1 << 20)]))
    assert reported(report) == []
    made = build(report, "kubernetes")

    assert (made.stopped, made.files) == (True, ())
    assert [one.message for one in made.findings if one.rule == "NAM003"] == [
        'Kubernetes refuses ConfigMap "a-runconfig": data must have at most 1048576 bytes in all, not '
        + str(len_of_data(report))
    ]
    rest = build(report, "kubernetes", keep_going=True).files
    assert "ConfigMap" not in {file.compiled["kind"] for file in rest if file.compiled}


def len_of_data(report: Report) -> int:
    (one,) = report.loaded.resources
    made = compiled_objects("kubernetes", Build(report.workspace, OperatorSettings()), (one,))
    return next(
        sum(len(text) for text in compiled["data"].values()) for _, compiled in made if compiled["kind"] == "ConfigMap"
    )


def test_a_plain_resource_is_not_compiled_by_the_rule() -> None:
    env = [{"name": "LOG_LEVEL", "value": "info"}]
    resources = {"limits": {"cpu": "1"}, "requests": {"cpu": "500m"}}
    labels, annotations = {"example.com/team": "a"}, {"a/b": "any thing"}
    given = server(
        env=env,
        secrets=[{"name": "a", "key": "b.c", "targetEnvName": "A_B"}],
        resourceOverrides={"proxyDeployment": {"labels": labels, "annotations": annotations}},
        podTemplateSpec={"spec": {"containers": [{"name": "mcp", "env": env, "resources": resources}]}},
    )
    report = checked(given)
    (one,) = report.loaded.resources

    assert list(targets_to_compile(one, report.workspace)) == []
    assert not any(
        any(object_faults(compiled))
        for target in ("kubernetes", "backend")
        for _, compiled in compiled_objects(target, Build(report.workspace, OperatorSettings()), (one,))
    )


PLAIN_POD = {
    "automountServiceAccountToken": False,
    "securityContext": {
        "runAsUser": 1000,
        "fsGroup": 1000,
        "fsGroupChangePolicy": "Always",
        "seccompProfile": {"type": "RuntimeDefault"},
    },
    "volumes": [
        {"name": "data", "persistentVolumeClaim": {"claimName": "d"}},
        {"name": "tmp", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
        {"name": "key", "secret": {"secretName": "s", "defaultMode": 256, "items": [{"key": "k", "path": "p"}]}},
    ],
    "containers": [
        {
            "name": "mcp",
            "stdin": True,
            "command": ["npx"],
            "args": ["-y", "a@1"],
            "env": [{"name": "SPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}}],
            "ports": [{"name": "mcp", "containerPort": 8080}],
            "readinessProbe": {"tcpSocket": {"port": "mcp"}, "periodSeconds": 5},
            "startupProbe": {"httpGet": {"path": "/healthz", "port": 8080}, "failureThreshold": 30},
            "resources": {"limits": {"cpu": 1}},
            "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}, {"name": "data", "mountPath": "/.data"}],
        }
    ],
}
FAULTY: tuple[Any, ...] = (
    "",
    "A b",
    -1,
    None,
    {},
    [],
    [{}],
    {"secretName": "a"},
    "data",
    "/tmp",
    "../a",
    True,
    ["a", 1],
    1 << 31,
)


def backend_of(pod: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether the backend of a server with a pod is plain, and whether it is accepted or already reported."""
    report = checked(template(**pod))
    if not report.loaded.resources:
        return False, False
    (one,) = report.loaded.resources
    if "backend" in targets_to_compile(one, report.workspace):
        return False, False
    made = compiled_objects("backend", Build(report.workspace, OperatorSettings()), (one,))
    return True, bool(report.findings) or not any(any(object_faults(compiled)) for _, compiled in made)


def test_a_pod_of_plain_volumes_and_arguments_is_not_compiled_by_the_rule() -> None:
    assert backend_of(PLAIN_POD) == (True, True)


def test_a_pod_counts_as_plain_exactly_if_kubernetes_accepts_it() -> None:
    paths = [path for path, _ in walk(PLAIN_POD) if path]
    outcomes = set()
    for path, value in product(paths, FAULTY):
        pod: dict[str, Any] = copy.deepcopy(PLAIN_POD)
        holder: Any = value_at(pod, path[:-1])
        holder[path[-1]] = value
        outcomes.add(backend_of(pod))
    assert outcomes == {(True, True), (False, False)}


def templated(release: str) -> list[tuple[str, Model]]:
    """Return the kinds of a release that have a pod template, with the model of their spec."""
    reader = DeclarationReader(of_crd=False, release=release)
    models = {kind.name: reader.model(kind.spec) for kind in kinds_of(release)}
    return [(kind, model) for kind, model in models.items() if "podTemplateSpec" in {one.key for one in model.fields}]


@pytest.mark.parametrize("release", [RELEASES[0], RELEASES[-1]])
def test_the_pod_template_of_every_kind_of_a_release_is_checked(release: str) -> None:
    volumes = {"volumes": [{"name": "My Volume", "emptyDir": {}}]}
    for kind, model in templated(release):
        spec = plain_object(model) | {"podTemplateSpec": {"spec": volumes}}
        if kind == "EmbeddingServer" and release == RELEASES[0]:
            continue  # which takes no volumes of it
        report = checked(GROUP, resource(kind, **spec), release=release)
        stage = "process" if kind == "MCPServer" else "operator"
        assert reported(report) == [(stage, "spec/podTemplateSpec/spec/volumes/0/name")], kind


@pytest.mark.parametrize("label", ["app", "app.kubernetes.io/name", "toolhive-name"])
def test_a_label_that_selects_the_pods_of_a_proxy_must_not_be_changed(label: str) -> None:
    proxy = resource("MCPRemoteProxy", remoteUrl="https://a.example/mcp")
    proxy["spec"]["podTemplateSpec"] = {"metadata": {"labels": {label: "other", "example.com.team": "a"}}}
    path = f"spec/podTemplateSpec/metadata/labels/{label}"
    assert reported(checked(proxy, release=RELEASES[-1])) == [("operator", path)]


def test_every_kind_with_compiled_objects_has_checked_fields() -> None:
    from mcpcfg.compiler.emit.target import OBJECT_STEPS

    assert set(FIELDS_BY_KIND) == {kind for steps in OBJECT_STEPS.values() for kind in steps}


def test_a_volume_with_all_required_fields_is_valid() -> None:
    assert reported(checked(template(volumes=[{"name": "a", "glusterfs": {"endpoints": "e", "path": "p"}}]))) == []


def test_a_pod_that_waits_long_enough_may_sleep_as_long() -> None:
    given = container(lifecycle={"preStop": {"sleep": {"seconds": 40}}})
    given["spec"]["podTemplateSpec"]["spec"]["terminationGracePeriodSeconds"] = 60
    assert reported(checked(given)) == []


def test_nothing_is_compiled_for_a_name_that_the_api_server_refuses() -> None:
    long = checked(container(livenessProbe={"tcpSocket": {"port": 0}}) | {"metadata": {"name": "a" * 300}})
    short = checked(container(livenessProbe={"tcpSocket": {"port": 0}}))

    assert [finding.rule for finding in long.findings if finding.severity == "error"] == ["ADM020"]
    assert "POD006" in {finding.rule for finding in short.findings}
