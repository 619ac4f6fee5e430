"""Validation of single fields of a pod template, by struct.

A missing field with a default is valid, so only fields without default are required.

Source: Kubernetes 1.35, pkg/apis/core/validation and pkg/apis/core/v1 (defaults).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from .. import names
from . import text

Format: TypeAlias = Callable[[str], names.Reasons]

MOST_32: Final = (1 << 31) - 1
"""The largest ``int32``, which is Kubernetes' limit for ids of users and groups."""
MODE_MOST: Final = 0o777
"""The largest mode of a file in a volume: all permissions, without set-user-id, set-group-id and sticky bits."""
PORT_MOST: Final = 65535
"""The largest number of a port."""
PROTOCOLS: Final = ("SCTP", "TCP", "UDP")
INCLUSION: Final = ("Honor", "Ignore")


class Demand(NamedTuple):
    """The constraints of a field.

    Attributes:
        is_required: True if the field must exist and must not be empty.
        choices: Allowed values; if empty, every value is allowed.
        least: Smallest allowed number; ``None`` for no bound.
        most: Largest allowed number; ``None`` for no bound.
        form: Function that returns the reasons why a string, or each string of a list, is invalid, if it is checked.
    """

    is_required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    form: Format | None = None


NEEDED = Demand(is_required=True)
USER = Demand(least=0, most=MOST_32)
COUNT = Demand(least=0)
MODE = Demand(least=0, most=MODE_MOST)
LABEL = Demand(form=names.dns_label_faults)
SUBDOMAIN = Demand(form=names.dns_subdomain_faults)
KEY = Demand(form=names.label_key_faults)
VALUE = Demand(form=names.label_value_faults)


def _needed(form: Format | None = None, *choices: str) -> Demand:
    return Demand(is_required=True, choices=choices, form=form)


def _one_of(*choices: str) -> Demand:
    return Demand(choices=choices)


_REFERENCE = {"name": SUBDOMAIN, "key": _needed(names.config_key_faults)}
_SELECTOR_VALUES = {"key": _needed(names.label_key_faults)}
_NAMED = {"name": NEEDED}

FIELDS: Final[dict[str, dict[str, Demand]]] = {
    "PodSpec": {
        # The only value in a Deployment or StatefulSet.
        "restartPolicy": _one_of("Always"),
        "dnsPolicy": _one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
        "preemptionPolicy": _one_of("Never", "PreemptLowerPriority"),
        "serviceAccountName": SUBDOMAIN,
        "nodeName": SUBDOMAIN,
        "hostname": LABEL,
        "subdomain": LABEL,
        "hostnameOverride": Demand(form=text.hostname_override_faults),
        "priorityClassName": SUBDOMAIN,
        "runtimeClassName": SUBDOMAIN,
    },
    "Container": {
        "name": _needed(names.dns_label_faults),
        "image": NEEDED,
        "imagePullPolicy": _one_of("Always", "IfNotPresent", "Never"),
        "terminationMessagePolicy": _one_of("FallbackToLogsOnError", "File"),
        "restartPolicy": _one_of("Always", "Never", "OnFailure"),
    },
    "ContainerPort": {
        "name": Demand(form=names.port_name_faults),
        "containerPort": Demand(is_required=True, least=1, most=PORT_MOST),
        "hostPort": Demand(least=0, most=PORT_MOST),
        "protocol": _one_of(*PROTOCOLS),
    },
    "ContainerResizePolicy": {
        "resourceName": _needed(None, "cpu", "memory"),
        "restartPolicy": _needed(None, "NotRequired", "RestartContainer"),
    },
    "ContainerRestartRule": {"action": _needed(None, "Restart"), "exitCodes": NEEDED},
    "ContainerRestartRuleOnExitCodes": {"operator": _needed(None, "In", "NotIn")},
    "EnvVar": {"name": _needed(names.relaxed_env_name_faults)},
    "EnvFromSource": {"prefix": Demand(form=names.relaxed_env_name_faults)},
    "ConfigMapEnvSource": {"name": _needed(lambda name: names.dns_subdomain_faults(names.name_prefix(name)))},
    "SecretEnvSource": {"name": _needed(lambda name: names.dns_subdomain_faults(names.name_prefix(name)))},
    "ConfigMapKeySelector": {**_REFERENCE, "name": _needed(names.dns_subdomain_faults)},
    "SecretKeySelector": {**_REFERENCE, "name": _needed(names.dns_subdomain_faults)},
    "FileKeySelector": {
        "key": _needed(names.relaxed_env_name_faults),
        "volumeName": _needed(names.dns_label_faults),
        "path": _needed(text.no_backstep_faults),
    },
    "ObjectFieldSelector": {"fieldPath": NEEDED},
    "ResourceFieldSelector": {"resource": NEEDED},
    "ExecAction": {"command": NEEDED},
    "HTTPGetAction": {"scheme": _one_of("HTTP", "HTTPS")},
    "HTTPHeader": {"name": _needed(text.header_name_faults)},
    "GRPCAction": {"port": Demand(is_required=True, least=1, most=PORT_MOST)},
    "Probe": {
        **dict.fromkeys(
            ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"), COUNT
        ),
        "terminationGracePeriodSeconds": Demand(least=1),
    },
    "PodSecurityContext": {
        **dict.fromkeys(("runAsUser", "runAsGroup", "fsGroup", "supplementalGroups"), USER),
        "fsGroupChangePolicy": _one_of("Always", "OnRootMismatch"),
        "supplementalGroupsPolicy": _one_of("Merge", "Strict"),
        "seLinuxChangePolicy": _one_of("MountOption", "Recursive"),
    },
    "SecurityContext": {
        **dict.fromkeys(("runAsUser", "runAsGroup"), USER),
        "procMount": _one_of("Default", "Unmasked"),
    },
    "SeccompProfile": {"type": _needed(None, "Localhost", "RuntimeDefault", "Unconfined")},
    "AppArmorProfile": {"type": _needed(None, "Localhost", "RuntimeDefault", "Unconfined")},
    "Sysctl": {"name": _needed(text.sysctl_faults)},
    "PodOS": {"name": _needed(None, "linux", "windows")},
    "HostAlias": {"ip": _needed(text.address_faults), "hostnames": SUBDOMAIN},
    "PodDNSConfig": {
        "nameservers": Demand(form=text.address_faults),
        "searches": Demand(form=text.search_domain_faults),
    },
    "PodDNSConfigOption": _NAMED,
    "PodReadinessGate": {"conditionType": _needed(names.label_key_faults)},
    "PodSchedulingGate": {"name": _needed(names.label_key_faults)},
    "PodResourceClaim": {
        "name": _needed(names.dns_label_faults),
        "resourceClaimName": SUBDOMAIN,
        "resourceClaimTemplateName": SUBDOMAIN,
    },
    "ResourceClaim": {"name": NEEDED, "request": LABEL},
    "Toleration": {
        "key": KEY,
        "operator": _one_of("Equal", "Exists"),
        "effect": _one_of("NoExecute", "NoSchedule", "PreferNoSchedule"),
    },
    "NodeSelector": {"nodeSelectorTerms": NEEDED},
    "PreferredSchedulingTerm": {"weight": Demand(is_required=True, least=1, most=100)},
    "WeightedPodAffinityTerm": {"weight": Demand(is_required=True, least=1, most=100), "podAffinityTerm": NEEDED},
    "PodAffinityTerm": {
        "topologyKey": _needed(names.label_key_faults),
        "namespaces": LABEL,
        "matchLabelKeys": KEY,
        "mismatchLabelKeys": KEY,
    },
    "LabelSelectorRequirement": {
        **_SELECTOR_VALUES,
        "operator": _needed(None, "DoesNotExist", "Exists", "In", "NotIn"),
        "values": VALUE,
    },
    "TopologySpreadConstraint": {
        "maxSkew": Demand(is_required=True, least=1),
        "minDomains": Demand(least=1),
        "topologyKey": NEEDED,
        "whenUnsatisfiable": _needed(None, "DoNotSchedule", "ScheduleAnyway"),
        "nodeAffinityPolicy": _one_of(*INCLUSION),
        "nodeTaintsPolicy": _one_of(*INCLUSION),
        "matchLabelKeys": KEY,
    },
    "VolumeMount": {
        "name": NEEDED,
        "mountPath": NEEDED,
        "subPath": Demand(form=text.descending_path_faults),
        "subPathExpr": Demand(form=text.descending_path_faults),
        "mountPropagation": _one_of("Bidirectional", "HostToContainer", "None"),
        "recursiveReadOnly": _one_of("Disabled", "Enabled", "IfPossible"),
    },
    "VolumeDevice": {"name": NEEDED, "devicePath": _needed(text.no_backstep_faults)},
    "Volume": {"name": _needed(names.dns_label_faults)},
    "HostPathVolumeSource": {
        "path": _needed(text.no_backstep_faults),
        "type": _one_of(
            "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"
        ),
    },
    "SecretVolumeSource": {"secretName": NEEDED, "defaultMode": MODE},
    "ConfigMapVolumeSource": {"name": NEEDED, "defaultMode": MODE},
    "ProjectedVolumeSource": {"defaultMode": MODE},
    "DownwardAPIVolumeSource": {"defaultMode": MODE},
    "KeyToPath": {"key": NEEDED, "path": _needed(text.file_path_faults), "mode": MODE},
    "DownwardAPIVolumeFile": {"path": _needed(text.file_path_faults), "mode": MODE},
    "SecretProjection": _NAMED,
    "ConfigMapProjection": _NAMED,
    "ServiceAccountTokenProjection": {
        "path": _needed(text.file_path_faults),
        "expirationSeconds": Demand(least=600, most=1 << 32),  # validateProjectionSources
    },
    "ClusterTrustBundleProjection": {"path": _needed(text.file_path_faults)},
    "PersistentVolumeClaimVolumeSource": {"claimName": NEEDED},
    "EphemeralVolumeSource": {"volumeClaimTemplate": NEEDED},
    "PersistentVolumeClaimSpec": {
        "accessModes": _needed(None, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"),
        "storageClassName": Demand(form=lambda name: names.dns_subdomain_faults(name) if name else ()),
        "volumeMode": _one_of("Block", "Filesystem"),
    },
    "NFSVolumeSource": {"server": NEEDED, "path": _needed(text.absolute_path_faults)},
    "CSIVolumeSource": {"driver": _needed(text.driver_faults)},
    "ImageVolumeSource": {"pullPolicy": _one_of("Always", "IfNotPresent", "Never")},
    "GitRepoVolumeSource": {"repository": NEEDED, "directory": Demand(form=text.descending_path_faults)},
    # The numbers of disks and partitions end at 255, as in validateISCSIVolumeSource and the like.
    "ISCSIVolumeSource": {"targetPortal": NEEDED, "iqn": NEEDED, "lun": Demand(least=0, most=255)},
    "GlusterfsVolumeSource": {"endpoints": NEEDED, "path": NEEDED},
    "RBDVolumeSource": {"monitors": NEEDED, "image": NEEDED},
    "FCVolumeSource": {"lun": Demand(least=0, most=255)},
    "FlexVolumeSource": {"driver": NEEDED},
    "CinderVolumeSource": {"volumeID": NEEDED},
    "CephFSVolumeSource": {"monitors": NEEDED},
    "GCEPersistentDiskVolumeSource": {"pdName": NEEDED, "partition": Demand(least=0, most=255)},
    "AWSElasticBlockStoreVolumeSource": {"volumeID": NEEDED, "partition": Demand(least=0, most=255)},
    "AzureFileVolumeSource": {"secretName": NEEDED, "shareName": NEEDED},
    "AzureDiskVolumeSource": {
        "diskName": NEEDED,
        "diskURI": NEEDED,
        "cachingMode": _one_of("None", "ReadOnly", "ReadWrite"),
        "kind": _one_of("Dedicated", "Managed", "Shared"),
    },
    "VsphereVirtualDiskVolumeSource": {"volumePath": NEEDED},
    "PhotonPersistentDiskVolumeSource": {"pdID": NEEDED},
    "PortworxVolumeSource": {"volumeID": NEEDED},
    "QuobyteVolumeSource": {"registry": NEEDED, "volume": NEEDED},
    "ScaleIOVolumeSource": {"gateway": NEEDED, "system": NEEDED, "volumeName": NEEDED},
    "StorageOSVolumeSource": {"volumeName": _needed(names.dns_label_faults), "volumeNamespace": LABEL},
}
"""Constraints by struct and field."""

HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")


class Alternatives(NamedTuple):
    """Fields of a struct that exclude one another.

    Attributes:
        fields: Names of the fields; if empty, all fields except the name.
        is_required: True if one of the fields must exist.
    """

    fields: tuple[str, ...] = ()
    is_required: bool = True


ONE_OF: Final[dict[str, Alternatives]] = {
    "Probe": Alternatives(HANDLERS),
    "LifecycleHandler": Alternatives(HANDLERS),
    "EnvVarSource": Alternatives(),
    "EnvFromSource": Alternatives(("configMapRef", "secretRef")),
    # A volume without a source is an emptyDir.
    "Volume": Alternatives((), is_required=False),
    "VolumeProjection": Alternatives(("secret", "configMap", "downwardAPI", "serviceAccountToken"), is_required=False),
    "DownwardAPIVolumeFile": Alternatives(("fieldRef", "resourceFieldRef")),
    "PodResourceClaim": Alternatives(("resourceClaimName", "resourceClaimTemplateName")),
}
"""The mutually exclusive fields, by struct."""
