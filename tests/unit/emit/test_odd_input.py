"""What compile steps make of input that few people write."""

from __future__ import annotations

import json
from typing import Any

import yaml
from calling import call

HEAD = {"apiVersion": "toolhive.stacklok.dev/v1alpha1", "metadata": {"name": "a", "namespace": "n"}}


def built(target: str, kind: str, **spec: Any) -> str:
    text = json.dumps({**HEAD, "kind": kind, "spec": spec})
    outcome = call("build", "--target", target, "--closed", "-", stdin=text)
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


def test_a_container_path_called_ro_is_taken_for_a_mark() -> None:
    found = profile({"name": "a", "hostPath": "/a", "mountPath": "ro"})
    assert (found.get("write"), found["read"]) == (None, ["/a"])


def test_every_container_of_the_registrys_name_is_filled() -> None:
    pod = {"spec": {"containers": [{"name": "registry-api"}, {"name": "side"}, {"name": "registry-api", "image": "i"}]}}
    made = compiled("kubernetes", "MCPRegistry", "Deployment", configYAML="a: 1", podTemplateSpec=pod)
    found = made["spec"]["template"]["spec"]["containers"]

    assert ["args" in one for one in found] == [True, False, True]
    assert found[2]["image"] == "i"


def test_the_hash_of_a_template_rounds_integers_to_what_a_float64_holds() -> None:
    def annotation(seconds: int) -> str:
        pod = {"spec": {"activeDeadlineSeconds": seconds}}
        made = compiled("kubernetes", "MCPRegistry", "Deployment", configYAML="a: 1", podTemplateSpec=pod)
        found: str = made["metadata"]["annotations"]["toolhive.stacklok.io/podtemplatespec-hash"]
        return found

    assert annotation(2**53) == annotation(2**53 + 1) != annotation(2**53 + 2)
