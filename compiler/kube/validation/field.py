"""Validation of single fields of a pod template, by struct.

A missing field with a default is valid, so only fields without default are required.

Source: Kubernetes 1.35, pkg/apis/core/validation and pkg/apis/core/v1 (defaults).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ...diagnostics.named_tuple import NamedTuple
from .. import names
from . import text

Format: TypeAlias = Callable[[str], names.Reasons]

PORT_MOST: Final = 65535
"""The largest number of a port."""
PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


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


_DEMANDS = """
PodSpec restartPolicy=Always dnsPolicy=ClusterFirst|ClusterFirstWithHostNet|Default|None
  preemptionPolicy=Never|PreemptLowerPriority serviceAccountName:dns_subdomain nodeName:dns_subdomain
  hostname:dns_label subdomain:dns_label hostnameOverride:hostname_override priorityClassName:dns_subdomain
  runtimeClassName:dns_subdomain
Container name!:dns_label image! imagePullPolicy=Always|IfNotPresent|Never
  terminationMessagePolicy=FallbackToLogsOnError|File restartPolicy=Always|Never|OnFailure
ContainerPort name:port_name containerPort!:1..65535 hostPort:0..65535 protocol=SCTP|TCP|UDP
ContainerResizePolicy resourceName!=cpu|memory restartPolicy!=NotRequired|RestartContainer
ContainerRestartRule action!=Restart exitCodes!
ContainerRestartRuleOnExitCodes operator!=In|NotIn
EnvVar name!:relaxed_env_name
EnvFromSource prefix:relaxed_env_name
ConfigMapEnvSource name!:name_prefix
SecretEnvSource name!:name_prefix
ConfigMapKeySelector name!:dns_subdomain key!:config_key
SecretKeySelector name!:dns_subdomain key!:config_key
FileKeySelector key!:relaxed_env_name volumeName!:dns_label path!:no_backstep
ObjectFieldSelector fieldPath!
ResourceFieldSelector resource!
ExecAction command!
HTTPGetAction scheme=HTTP|HTTPS
HTTPHeader name!:header_name
GRPCAction port!:1..65535
Probe initialDelaySeconds:0.. timeoutSeconds:0.. periodSeconds:0.. successThreshold:0.. failureThreshold:0..
  terminationGracePeriodSeconds:1..
PodSecurityContext runAsUser:0..2147483647 runAsGroup:0..2147483647 fsGroup:0..2147483647
  supplementalGroups:0..2147483647 fsGroupChangePolicy=Always|OnRootMismatch supplementalGroupsPolicy=Merge|Strict
  seLinuxChangePolicy=MountOption|Recursive
SecurityContext runAsUser:0..2147483647 runAsGroup:0..2147483647 procMount=Default|Unmasked
SeccompProfile type!=Localhost|RuntimeDefault|Unconfined
AppArmorProfile type!=Localhost|RuntimeDefault|Unconfined
Sysctl name!:sysctl
PodOS name!=linux|windows
HostAlias ip!:address hostnames:dns_subdomain
PodDNSConfig nameservers:address searches:search_domain
PodDNSConfigOption name!
PodReadinessGate conditionType!:label_key
PodSchedulingGate name!:label_key
PodResourceClaim name!:dns_label resourceClaimName:dns_subdomain resourceClaimTemplateName:dns_subdomain
ResourceClaim name! request:dns_label
Toleration key:label_key operator=Equal|Exists effect=NoExecute|NoSchedule|PreferNoSchedule
NodeSelector nodeSelectorTerms!
PreferredSchedulingTerm weight!:1..100
WeightedPodAffinityTerm weight!:1..100 podAffinityTerm!
PodAffinityTerm topologyKey!:label_key namespaces:dns_label matchLabelKeys:label_key mismatchLabelKeys:label_key
LabelSelectorRequirement key!:label_key operator!=DoesNotExist|Exists|In|NotIn values:label_value
TopologySpreadConstraint maxSkew!:1.. minDomains:1.. topologyKey! whenUnsatisfiable!=DoNotSchedule|ScheduleAnyway
  nodeAffinityPolicy=Honor|Ignore nodeTaintsPolicy=Honor|Ignore matchLabelKeys:label_key
VolumeMount name! mountPath! subPath:descending_path subPathExpr:descending_path
  mountPropagation=Bidirectional|HostToContainer|None recursiveReadOnly=Disabled|Enabled|IfPossible
VolumeDevice name! devicePath!:no_backstep
Volume name!:dns_label
HostPathVolumeSource path!:no_backstep
  type=|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
SecretVolumeSource secretName! defaultMode:0..511
ConfigMapVolumeSource name! defaultMode:0..511
ProjectedVolumeSource defaultMode:0..511
DownwardAPIVolumeSource defaultMode:0..511
KeyToPath key! path!:file_path mode:0..511
DownwardAPIVolumeFile path!:file_path mode:0..511
SecretProjection name!
ConfigMapProjection name!
ServiceAccountTokenProjection path!:file_path expirationSeconds:600..4294967296
ClusterTrustBundleProjection path!:file_path
PersistentVolumeClaimVolumeSource claimName!
EphemeralVolumeSource volumeClaimTemplate!
PersistentVolumeClaimSpec accessModes!=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
  storageClassName:storage_class volumeMode=Block|Filesystem
NFSVolumeSource server! path!:absolute_path
CSIVolumeSource driver!:driver
ImageVolumeSource pullPolicy=Always|IfNotPresent|Never
GitRepoVolumeSource repository! directory:descending_path
ISCSIVolumeSource targetPortal! iqn! lun:0..255
GlusterfsVolumeSource endpoints! path!
RBDVolumeSource monitors! image!
FCVolumeSource lun:0..255
FlexVolumeSource driver!
CinderVolumeSource volumeID!
CephFSVolumeSource monitors!
GCEPersistentDiskVolumeSource pdName! partition:0..255
AWSElasticBlockStoreVolumeSource volumeID! partition:0..255
AzureFileVolumeSource secretName! shareName!
AzureDiskVolumeSource diskName! diskURI! cachingMode=None|ReadOnly|ReadWrite kind=Dedicated|Managed|Shared
VsphereVirtualDiskVolumeSource volumePath!
PhotonPersistentDiskVolumeSource pdID!
PortworxVolumeSource volumeID!
QuobyteVolumeSource registry! volume!
ScaleIOVolumeSource gateway! system! volumeName!
StorageOSVolumeSource volumeName!:dns_label volumeNamespace:dns_label
"""
"""A struct on each line, with its fields, separated by spaces; lines that are indented go on with the struct.

A field is its name, ``!`` if it is required, and one of: ``=`` and the choices; ``:`` and the smallest and the largest
number; ``:`` and the name of a format. 2147483647 is the largest id of a user, 511 the mode with all permissions, 255
the largest number of a disk or partition.
"""


def name_prefix_faults(text: str) -> names.Reasons:
    """Return the reasons why a name of which Kubernetes makes others is invalid."""
    return names.dns_subdomain_faults(names.name_prefix(text))


def storage_class_faults(text: str) -> names.Reasons:
    """Return the reasons why the name of a storage class is invalid. The empty text stands for no class."""
    return names.dns_subdomain_faults(text) if text else ()


_FORMATS: Final[dict[str, Format]] = {
    form.__name__.removesuffix("_faults"): form
    for form in (
        *(names.config_key_faults, names.dns_label_faults, names.dns_subdomain_faults, names.label_key_faults),
        *(names.label_value_faults, names.port_name_faults, names.relaxed_env_name_faults),
        *(text.absolute_path_faults, text.address_faults, text.descending_path_faults, text.driver_faults),
        *(text.file_path_faults, text.header_name_faults, text.hostname_override_faults, text.no_backstep_faults),
        *(text.search_domain_faults, text.sysctl_faults, name_prefix_faults, storage_class_faults),
    )
}


def _named_demand(field: str) -> tuple[str, Demand]:
    left, equals, choices = field.partition("=")
    left, _, limit = left.partition(":")
    least, dots, most = limit.partition("..")
    demand = Demand(
        is_required=left.endswith("!"),
        choices=tuple(choices.split("|")) if equals else (),
        least=int(least) if dots else None,
        most=int(most) if most else None,
        form=_FORMATS[limit] if limit and not dots else None,
    )
    return left.removesuffix("!"), demand


def _read(text: str) -> Iterator[tuple[str, dict[str, Demand]]]:
    for line in text.strip().replace("\n  ", " ").splitlines():
        struct, *fields = line.split(" ")
        yield struct, dict(map(_named_demand, fields))


FIELDS: Final = dict(_read(_DEMANDS))
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
