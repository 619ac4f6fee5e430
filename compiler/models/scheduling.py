"""Where Kubernetes may run a pod: tolerations and affinity, as Kubernetes 1.35 describes them in CRDs."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Atomic, Int32, Int64


class Toleration(TypedDict, total=False):
    """A taint of nodes that the pod tolerates."""

    effect: Annotated[str, "Effect of the taint: NoSchedule, PreferNoSchedule or NoExecute; all when empty."]
    key: Annotated[str, "Key of the taint; all keys when empty, with operator Exists."]
    operator: Annotated[str, "Exists or Equal; Equal when empty."]
    tolerationSeconds: Annotated[Int64, "How long the pod stays on a node with a taint of effect NoExecute."]
    value: Annotated[str, "Value of the taint; empty for operator Exists."]


class NodeSelectorRequirement(TypedDict, total=False):
    """A condition on a label or a field of a node."""

    key: Required[Annotated[str, "Name of the label or field."]]
    operator: Required[Annotated[str, "In, NotIn, Exists, DoesNotExist, Gt or Lt."]]
    values: Annotated[list[str], "Values to compare with.", Atomic()]


class NodeSelectorTerm(TypedDict, total=False):
    """Conditions on a node that must all be true."""

    matchExpressions: Annotated[list[NodeSelectorRequirement], "Conditions on labels.", Atomic()]
    matchFields: Annotated[list[NodeSelectorRequirement], "Conditions on fields.", Atomic()]


class NodeSelector(TypedDict, total=False):
    """Terms of which one must be true."""

    nodeSelectorTerms: Required[Annotated[list[Annotated[NodeSelectorTerm, Atomic()]], "The terms.", Atomic()]]


class PreferredSchedulingTerm(TypedDict, total=False):
    """A preferred kind of node."""

    preference: Required[Annotated[NodeSelectorTerm, "Conditions on the node.", Atomic()]]
    weight: Required[Annotated[Int32, "Weight of the preference, 1 to 100."]]


class NodeAffinity(TypedDict, total=False):
    """Nodes that the pod may run on, or prefers."""

    preferredDuringSchedulingIgnoredDuringExecution: Annotated[
        list[PreferredSchedulingTerm], "Preferred nodes.", Atomic()
    ]
    requiredDuringSchedulingIgnoredDuringExecution: Annotated[NodeSelector, "Nodes that the pod may run on.", Atomic()]


class LabelSelectorRequirement(TypedDict, total=False):
    """A condition on a label."""

    key: Required[Annotated[str, "Name of the label."]]
    operator: Required[Annotated[str, "In, NotIn, Exists or DoesNotExist."]]
    values: Annotated[list[str], "Values to compare with.", Atomic()]


class LabelSelector(TypedDict, total=False):
    """Labels of objects."""

    matchExpressions: Annotated[list[LabelSelectorRequirement], "Conditions on labels.", Atomic()]
    matchLabels: Annotated[dict[str, str], "Labels with their values."]


class PodAffinityTerm(TypedDict, total=False):
    """Pods, and the nodes that count as one place."""

    labelSelector: Annotated[LabelSelector, "Labels of the pods.", Atomic()]
    matchLabelKeys: Annotated[list[str], "Labels whose values must equal those of the pod.", Atomic()]
    mismatchLabelKeys: Annotated[list[str], "Labels whose values must differ from those of the pod.", Atomic()]
    namespaceSelector: Annotated[LabelSelector, "Labels of the namespaces of the pods.", Atomic()]
    namespaces: Annotated[list[str], "Namespaces of the pods; the pod's own namespace when empty.", Atomic()]
    topologyKey: Required[Annotated[str, "Label of nodes. Nodes with the same value count as one place."]]


class WeightedPodAffinityTerm(TypedDict, total=False):
    """Preferred pods."""

    podAffinityTerm: Required[Annotated[PodAffinityTerm, "The pods."]]
    weight: Required[Annotated[Int32, "Weight of the preference, 1 to 100."]]


class PodAffinity(TypedDict, total=False):
    """Pods that the pod runs next to, or keeps away from."""

    preferredDuringSchedulingIgnoredDuringExecution: Annotated[
        list[WeightedPodAffinityTerm], "Pods that are preferred, or avoided.", Atomic()
    ]
    requiredDuringSchedulingIgnoredDuringExecution: Annotated[
        list[PodAffinityTerm], "Pods that must, or must not, run in the same place.", Atomic()
    ]


class Affinity(TypedDict, total=False):
    """Nodes and pods that attract or repel the pod."""

    nodeAffinity: Annotated[NodeAffinity, "Nodes that the pod may run on, or prefers."]
    podAffinity: Annotated[PodAffinity, "Pods that the pod runs next to."]
    podAntiAffinity: Annotated[PodAffinity, "Pods that the pod keeps away from."]
