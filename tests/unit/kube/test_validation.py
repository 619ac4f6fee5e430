"""What the API server refuses in objects, beside the recorded verdicts of Kubernetes' own validation."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.kube.field_table import struct
from mcpcfg.compiler.kube.validation.amount import amount_faults
from mcpcfg.compiler.kube.validation.field import FIELDS, ONE_OF
from mcpcfg.compiler.kube.validation.object import object_faults

_FIXTURE = Path(__file__).parents[3] / "fixtures" / "kube" / "validation.jsonl"
_ROWS = [json.loads(line) for line in _FIXTURE.read_text(encoding="utf-8").splitlines()]
"""Pod templates of Deployments and StatefulSets with the fields that Kubernetes 1.35 refuses in them.

Made at random from the field table, then put to the validation code of Kubernetes, with defaults filled in.
"""


def workload(kind: str, template: dict[str, Any]) -> dict[str, Any]:
    spec = {"selector": {"matchLabels": {"app": "x"}}, "template": template}
    return {"kind": kind, "metadata": {"name": "x", "namespace": "n"}, "spec": spec}


def pod(**fields: Any) -> dict[str, Any]:
    """Return a Deployment whose pod has these fields."""
    spec = {"containers": [{"name": "a", "image": "i"}], **fields}
    return workload("Deployment", {"metadata": {"labels": {"app": "x"}}, "spec": spec})


def container(**fields: Any) -> dict[str, Any]:
    """Return a Deployment whose container has these fields."""
    return pod(containers=[{"name": "a", "image": "i", **fields}])


NEEDED = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"


def needing(*requirements: dict[str, Any]) -> dict[str, Any]:
    """Return an affinity to nodes that meet requirements."""
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(requirements)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def found(compiled: dict[str, Any]) -> dict[str, str]:
    """Return what is refused: the end of each path, and the message."""
    return {
        ".".join(map(str, fault.path)).removeprefix("spec.template.spec."): fault.message
        for fault in object_faults(compiled)
    }


@pytest.mark.parametrize("row", _ROWS, ids=range(len(_ROWS)))
def test_kubernetes_refuses_the_same_pods(row: dict[str, Any]) -> None:
    assert bool(found(workload(row["kind"], row["template"]))) is bool(row["refused"])


SPELT = {
    "template.metadata": "template",
    ".persistentDisk": ".gcePersistentDisk",
    ".downwarAPI": ".downwardAPI",
    ".downwardAPI.items": ".downwardAPI",
    ".cephFS": ".cephfs",
    ".overhead.limits": ".overhead",
    ".serviceAccountName": ".serviceAccount",
    ".csi.name": ".csi",
}
"""Places as Kubernetes' validation calls them, to what they are called in an object."""
ONE_SIDED = (
    *("fc.lun", "emptyDir", "hostPath", "hostPath.type", "appArmorProfile.localhostProfile", "lifecycle"),
    *("resourceFieldRef.divisor", "sleep", "grpc", "limits.hugepages-2Mi", "fieldRef.fieldPath"),
    *("resourceFieldRef.resource", "resourceFieldRef.containerName"),
)
"""What one side names in a few rows beside a place that both do: the other ends at the first fault of an object."""


def place(path: str) -> str:
    """Return a place as both sides may call it: items by number, volumes of a kind and mounts as a whole."""
    path = re.sub(r"\[([^]]*)\]", r".\1", path)
    for theirs, ours in SPELT.items():
        path = path.replace(theirs, ours)
    return re.sub(r"(volumeMounts|downwardAPI)\.\d+", r"\1", path)


def unmatched(some: set[str], others: set[str]) -> list[str]:
    return [
        one
        for one in sorted(some)
        if not any(f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.") for other in others)
        and not one.endswith(ONE_SIDED)
    ]


def test_the_places_that_kubernetes_refuses_are_those_of_the_faults() -> None:
    wrong = []
    for number, row in enumerate(_ROWS):
        faults = object_faults(workload(row["kind"], row["template"]))
        ours = {place(".".join(map(str, fault.path))) for fault in faults}
        theirs = {place(path) for path in row["refused"]}
        both = unmatched(ours, theirs), unmatched(theirs, ours)
        if both != ([], []):
            wrong.append((number, *both))
    assert wrong == []


@pytest.mark.parametrize("kind", sorted({*FIELDS, *ONE_OF}))
def test_every_demand_is_about_a_field_of_its_struct(kind: str) -> None:
    shape = struct(kind)
    assert shape is not None
    assert {*FIELDS.get(kind, ()), *(ONE_OF[kind].fields if kind in ONE_OF else ())} - {
        "sleep",
        "grpc",
    } <= shape.by_name.keys()


def test_a_sound_pod_has_no_fault() -> None:
    assert found(pod()) == {}


def test_a_node_selector_may_compare_a_label_with_a_number() -> None:
    assert found(pod(affinity=needing({"key": "cpus", "operator": "Gt", "values": ["4"]}))) == {}


def test_placeholders_cause_no_fault() -> None:
    assert found(container(imagePullPolicy="${POLICY}", resources={"limits": {"cpu": "${CPU}"}})) == {}
    assert (
        found(pod(volumes=[{"name": "${NAME}", "hostPath": {"path": "${ROOT}/.."}}], nodeSelector={"a": "$ZONE"})) == {}
    )


@pytest.mark.parametrize(
    ("compiled", "path", "message"),
    [
        (
            pod(volumes=[{"name": "My Volume", "emptyDir": {}}]),
            "volumes.0.name",
            'may have lower-case letters, digits and "-" only, not "M", " ", "V"',
        ),
        (
            pod(volumes=[{"name": "v", "hostPath": {"path": "/a/../b"}}]),
            "volumes.0.hostPath.path",
            'must not have ".." as a part',
        ),
        (container(resources={"limits": {"cpu": "-1"}}), "containers.0.resources.limits.cpu", "must not be negative"),
        (
            container(resources={"limits": {"cpu": "1"}, "requests": {"cpu": "1500m"}}),
            "containers.0.resources.requests.cpu",
            "must not be above the limit of 1",
        ),
        (
            container(volumeMounts=[{"name": "v", "mountPath": "/v"}]),
            "containers.0.volumeMounts.0.name",
            "must be the name of one of the pod's volumes",
        ),
        (
            container(livenessProbe={"exec": {"command": ["a"]}, "httpGet": {"path": "/", "port": 80}}),
            "containers.0.livenessProbe.httpGet",
            "must not stand beside exec: only one of them may be there",
        ),
        (container(imagePullPolicy="Often"), "containers.0.imagePullPolicy", "must be Always, IfNotPresent or Never"),
        (
            container(securityContext={"privileged": True, "allowPrivilegeEscalation": False}),
            "containers.0.securityContext.privileged",
            "must not be true where allowPrivilegeEscalation is false",
        ),
        (
            container(resources={"limits": {"requests.example.com/gpu": "1"}}),
            "containers.0.resources.limits.requests.example.com/gpu",
            "must be the name of an extended resource",
        ),
        (
            pod(affinity=needing({"key": "cpus", "operator": "Gt", "values": ["4", "8"]})),
            f"{NEEDED}.nodeSelectorTerms.0.matchExpressions.0.values",
            "must have one value, as the operator is Gt",
        ),
        (
            pod(volumes=[{"name": "v", "iscsi": {"targetPortal": "10.0.0.1", "iqn": "iqn.2001-04.a:b", "lun": -1}}]),
            "volumes.0.iscsi.lun",
            "must be from 0 to 255",
        ),
        (
            pod(volumes=[{"name": "v", "fc": {"targetWWNs": ["500a0982991b8dc5"], "lun": -1}}]),
            "volumes.0.fc.lun",
            "must be from 0 to 255",
        ),
        (pod(restartPolicy="Never"), "restartPolicy", "must be Always"),
        (pod(tolerations=[{"key": "a", "operator": "Is"}]), "tolerations.0.operator", "must be Equal or Exists"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_a_fault_has_its_path_and_what_the_field_must_be(compiled: dict[str, Any], path: str, message: str) -> None:
    assert found(compiled) == {path: message}


def test_labels_and_annotations_are_checked_by_key_and_value() -> None:
    compiled = pod() | {
        "metadata": {"name": "x", "namespace": "n", "labels": {"a": "b c"}, "annotations": {"bad key!": ""}}
    }
    assert {(fault.path, fault.on_key) for fault in object_faults(compiled)} == {
        (("metadata", "labels", "a"), False),
        (("metadata", "annotations", "bad key!"), True),
    }


def test_a_selector_must_find_the_pods() -> None:
    compiled = workload("Deployment", {"metadata": {"labels": {"app": "y"}}, "spec": pod()["spec"]["template"]["spec"]})
    assert found(compiled) == {"spec.template.metadata.labels.app": 'must be "x", by which the pods are selected'}


@pytest.mark.parametrize(("kind", "sound", "refused"), [
    ("Service", "a" * 63, "a" * 64),
    ("Service", "a-1", "1-a"),
    ("StatefulSet", "1-a", "a.b"),
    ("Deployment", "a.b", "a_b"),
    ("Role", "A_b", "a/b"),
    ("ConfigMap", "a.b", "-a"),
])  # fmt: skip
def test_names_are_those_of_the_kind(kind: str, sound: str, refused: str) -> None:
    base = pod() if kind in {"StatefulSet", "Deployment"} else {"spec": {"ports": [{"port": 80}]}}
    for name, is_sound in (sound, True), (refused, False):
        compiled = {**base, "kind": kind, "metadata": {"name": name, "namespace": "n"}}
        assert (found(compiled) == {}) is is_sound


@pytest.mark.parametrize(("change", "path"), [
    ({"ports": []}, "spec.ports"),
    ({"ports": [{"port": 70000}]}, "spec.ports.0.port"),
    ({"type": "Public"}, "spec.type"),
    ({"sessionAffinity": "Cookie"}, "spec.sessionAffinity"),
    (
        {"sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 90000}}},
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
    ),
    ({"selector": {"a": "b c"}}, "spec.selector.a"),
])  # fmt: skip
def test_the_fields_of_a_service_are_checked(change: dict[str, Any], path: str) -> None:
    compiled = {
        "kind": "Service",
        "metadata": {"name": "x", "namespace": "n"},
        "spec": {"ports": [{"port": 80}], **change},
    }
    assert path in found(compiled)


def test_a_config_map_has_sound_keys_and_a_size() -> None:
    compiled = {
        "kind": "ConfigMap",
        "metadata": {"name": "x", "namespace": "n"},
        "data": {"a/b": "", "c": "x" * (1024 * 1024 + 1)},
    }
    assert found(compiled).keys() == {"data.a/b", "data"}


def test_the_names_of_a_binding_are_checked() -> None:
    compiled = {
        "kind": "RoleBinding",
        "metadata": {"name": "x", "namespace": "n"},
        "subjects": [{"kind": "ServiceAccount", "name": "a"}, {"kind": "ServiceAccount", "name": "A b"}],
        "roleRef": {"kind": "Role", "name": "a/b"},
    }
    assert found(compiled).keys() == {"subjects.1.name", "roleRef.name"}


def test_a_claim_template_is_a_volume_of_the_pod() -> None:
    compiled = workload("StatefulSet", container(volumeMounts=[{"name": "v", "mountPath": "/v"}])["spec"]["template"])
    claim: dict[str, Any] = {
        "metadata": {"name": "v"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    compiled["spec"]["volumeClaimTemplates"] = [claim]
    assert found(compiled) == {}
    claim["spec"]["resources"]["requests"]["storage"] = "0"
    assert found(compiled) == {"spec.volumeClaimTemplates.0.spec.resources.requests.storage": "must be above zero"}


def test_an_amount_that_is_not_known_hides_none_behind_it() -> None:
    found = amount_faults({"limits": {"cpu": "${CPU}", "memory": "-1"}}, ("resources",), nested=True, of_pod=False)

    assert [fault.path for fault in found] == [("resources", "limits", "memory")]


LOCAL, OTHER = "Localhost", "RuntimeDefault"


@pytest.mark.parametrize(
    ("kind", "profile", "message"),
    [
        ("seccompProfile", {"type": LOCAL, "localhostProfile": "a/b.json"}, None),
        ("seccompProfile", {"type": LOCAL}, "must be there where the type is Localhost"),
        ("seccompProfile", {"type": LOCAL, "localhostProfile": ""}, "must be there where the type is Localhost"),
        ("seccompProfile", {"type": LOCAL, "localhostProfile": "a/../b"}, 'must not have ".." as a part'),
        ("seccompProfile", {"type": LOCAL, "localhostProfile": " a"}, None),
        ("seccompProfile", {"type": OTHER, "localhostProfile": "a"}, "must not be there unless the type is Localhost"),
        ("seccompProfile", {"type": OTHER}, None),
        ("appArmorProfile", {"type": LOCAL, "localhostProfile": "a/../b"}, None),
        ("appArmorProfile", {"type": LOCAL, "localhostProfile": " a"}, "must not begin or end with spaces"),
        ("appArmorProfile", {"type": OTHER, "localhostProfile": "a"}, "must not be there unless the type is Localhost"),
    ],
)
def test_a_profile_of_the_node_has_a_name_and_others_have_none(
    kind: str, profile: dict[str, str], message: str | None
) -> None:
    place = f"securityContext.{kind}.localhostProfile"
    expected = {} if message is None else {f"containers.0.{place}": message}
    assert found(container(securityContext={kind: profile})) == expected
    assert found(pod(securityContext={kind: profile})) == ({} if message is None else {place: message})


def test_each_handler_of_a_container_is_looked_at() -> None:
    probes = {"httpGet": None, "tcpSocket": {"port": 0}}
    for field in ("livenessProbe", "readinessProbe", "startupProbe"):
        assert (
            found(container(**{field: probes})).get(f"containers.0.{field}.tcpSocket.port") == "must be from 1 to 65535"
        )
    for field in ("postStart", "preStop"):
        refused = found(container(lifecycle={field: probes}))
        assert refused[f"containers.0.lifecycle.{field}.tcpSocket.port"] == "must be from 1 to 65535"
