"""What compile steps make of input that few people write."""

from __future__ import annotations

import json
from typing import Any

import yaml
from calling import call

from mcpcfg.compiler.api import check
from mcpcfg.compiler.emit.build import Build, secret_env
from mcpcfg.compiler.emit.target import compiled_objects
from mcpcfg.compiler.toolhive.operator import OperatorSettings

HEAD = {"apiVersion": "toolhive.stacklok.dev/v1alpha1", "metadata": {"name": "a", "namespace": "n"}}


def built(target: str, kind: str, **spec: Any) -> str:
    text = json.dumps({**HEAD, "kind": kind, "spec": spec})
    outcome = call("build", "--target", target, "--closed", "--release", "0.21.0", "-", stdin=text)
    assert outcome.status == 0, outcome.err
    return outcome.out


def compiled(target: str, kind: str, of_kind: str, **spec: Any) -> dict[str, Any]:
    found = yaml.safe_load_all(built(target, kind, **spec))
    return next(one for one in found if one["kind"] == of_kind)


def profile(*volumes: dict[str, Any]) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(built("runconfig", "MCPServer", image="i:1", volumes=list(volumes)))
    found: dict[str, Any] = config["permission_profile"]
    return found


def test_the_runner_takes_labels_and_annotations_of_a_template_and_no_other_metadata() -> None:
    given = {"name": "x", "namespace": "y", "finalizers": ["a/b"], "labels": {"a": "b"}, "annotations": {"c": "d"}}
    made = compiled("backend", "MCPServer", "StatefulSet", image="i:1", podTemplateSpec={"metadata": given})
    found = made["spec"]["template"]["metadata"]

    assert set(found) == {"labels", "annotations"}
    assert found["labels"]["a"] == "b"
    assert found["annotations"] == {"c": "d"}


def test_mount_targets_are_compared_without_doubled_slashes() -> None:
    found = profile(
        {"name": "a", "hostPath": "/a", "mountPath": "//data"}, {"name": "b", "hostPath": "/b", "mountPath": "/data"}
    )
    assert found["write"] == ["/a://data"]


def test_a_container_path_that_ends_in_ro_makes_the_volume_read_only() -> None:
    found = profile({"name": "a", "hostPath": "/a", "mountPath": "ro"})
    assert (found.get("write"), found["read"]) == (None, ["/a"])


def test_the_empty_name_of_a_secret_is_left_out() -> None:
    made = secret_env("HF_TOKEN", {"name": "", "key": "k"})

    assert made == {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"key": "k"}}}


def test_every_container_of_the_registrys_name_is_filled() -> None:
    containers = [{"name": "registry-api"}, {"name": "side"}, {"name": "registry-api", "image": "i"}]
    spec = {"configYAML": "a: 1", "podTemplateSpec": {"spec": {"containers": containers}}}
    report = check(files={"a.yaml": json.dumps({**HEAD, "kind": "MCPRegistry", "spec": spec})})
    # Kubernetes refuses two of a name, so it is not built.
    made = compiled_objects("kubernetes", Build(report.workspace, OperatorSettings()), report.loaded.resources)
    deployment = next(one for _, one in made if one["kind"] == "Deployment")
    found = deployment["spec"]["template"]["spec"]["containers"]

    assert ["args" in one for one in found] == [True, False, True]
    assert found[2]["image"] == "i"


def test_the_hash_of_a_template_rounds_integers_to_what_a_float64_holds() -> None:
    def annotation(seconds: int) -> str:
        pod = {"spec": {"terminationGracePeriodSeconds": seconds}}
        made = compiled(
            "kubernetes",
            "MCPRegistry",
            "Deployment",
            configYAML="{sources: [{name: own, managed: {}}], registries: [{name: own, sources: [own]}], "
            "database: {host: db, port: 5432, user: app, database: own}, auth: {mode: anonymous}}",
            podTemplateSpec=pod,
        )
        found: str = made["metadata"]["annotations"]["toolhive.stacklok.io/podtemplatespec-hash"]
        return found

    assert annotation(2**53) == annotation(2**53 + 1) != annotation(2**53 + 2)


def test_the_last_of_two_external_auth_configurations_by_name_decides_the_hash() -> None:
    upstream = {
        "name": "up",
        "type": "oidc",
        "oidcConfig": {
            "issuerUrl": "https://up.example.com",
            "clientId": "c",
            "redirectUri": "https://a.example.com/cb",
        },
    }
    server = {"issuer": "https://auth.example.com", "upstreamProviders": [upstream]}
    inner = {"type": "embeddedAuthServer", "embeddedAuthServer": server}
    account = {"type": "kubernetesServiceAccount", "kubernetesServiceAccount": {}}

    def annotation(inner_name: str, outer_name: str) -> dict[str, str]:
        references = {
            "oidcConfigRef": {"name": "o", "audience": "a"},
            "authServerRef": {"kind": "MCPExternalAuthConfig", "name": inner_name},
            "externalAuthConfigRef": {"name": outer_name},
        }
        documents: list[dict[str, Any]] = [
            {"kind": "MCPExternalAuthConfig", "metadata": {"name": inner_name}, "spec": inner},
            {"kind": "MCPExternalAuthConfig", "metadata": {"name": outer_name}, "spec": {"type": "unauthenticated"}},
            {"kind": "MCPOIDCConfig", "metadata": {"name": "o"}, "spec": account},
            {"kind": "MCPServer", "metadata": {"name": "s"}, "spec": {"image": "i:1", **references}},
        ]
        text = "\n---\n".join(json.dumps({"apiVersion": HEAD["apiVersion"], **document}) for document in documents)
        outcome = call("build", "--release", "0.21.0", "--target", "status", "--closed", "-", stdin=text)
        settled = {entry["name"]: entry for entry in yaml.safe_load(outcome.out)}
        found: str = settled["s"]["annotations"]["toolhive.stacklok.dev/externalauthconfig-hash"]
        return {"found": found, **{name: settled[name]["status"]["configHash"] for name in (inner_name, outer_name)}}

    for names in (("auth-1", "auth-2"), ("auth-9", "auth-10")):
        hashes = annotation(*names)
        assert hashes["found"] == hashes[max(names)]
