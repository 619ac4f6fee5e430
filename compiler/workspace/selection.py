"""Read the selectors of other programs' objects: monitors, disruption budgets, network policies and Services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import expanded, listed, mapping, value_at, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from .resource import Resource

POD_MONITORS: Final = ("PodMonitor", "VMPodScrape")
SERVICE_MONITORS: Final = ("ServiceMonitor", "VMServiceScrape")
MONITORS: Final = (*POD_MONITORS, *SERVICE_MONITORS)
SELECTING: Final = (*MONITORS, "NetworkPolicy", "PodDisruptionBudget", "Service")
"""Kinds of other programs that select pods or Services by their labels."""
_ENDPOINTS: Final = ("endpoints", "podMetricsEndpoints")
METRICS_PATH: Final = "/metrics"
"""The path of metrics that the proxies serve, and that monitors ask for by default."""


AUTOSCALERS: Final[dict[str, Path]] = {
    "HorizontalPodAutoscaler": ("spec", "scaleTargetRef"),
    "ScaledObject": ("spec", "scaleTargetRef"),
    "VerticalPodAutoscaler": ("spec", "targetRef"),
}
"""Kinds of other programs that name a workload, and the path of the reference."""
BINDINGS: Final = ("ClusterRoleBinding", "RoleBinding")
NAMING: Final = (*AUTOSCALERS, *BINDINGS)
"""Kinds of other programs that name workloads or ServiceAccounts."""


class Selection(NamedTuple):
    """What a selector selects, and the ports of it that the object uses.

    Attributes:
        path: The path of the selector.
        labels_path: The path of the mapping with labels in the selector.
        labels: The labels that are selected.
        expressions: The items of ``matchExpressions``.
        namespaces: The namespaces in which is selected; ``None`` stands for an unknown namespace, or for all.
        namespaces_path: The path that states the namespaces; ``None`` if it is the namespace of the object.
        ports: The path and the value of each port: a name, or the number of a container port.
        paths: The path and the value of each HTTP path that a monitor states.
        direction: ``ingress`` or ``egress`` for the pods that a network policy names as its peers; else empty.
    """

    path: Path
    labels_path: Path
    labels: Mapping[str, str]
    expressions: Sequence[Mapping[str, Any]]
    namespaces: Sequence[str | None]
    namespaces_path: Path | None = None
    ports: Sequence[tuple[Path, int | str]] = ()
    paths: Sequence[tuple[Path, str]] = ()
    direction: str = ""

    @property
    def stated(self) -> list[tuple[Path, str, str]]:
        """Path, name and value of each label that every selected object has, in either notation."""
        stated = [((*self.labels_path, label), label, value) for label, value in self.labels.items()]
        for number, expression in enumerate(self.expressions):
            values = listed(expression.get("values"))
            if expression.get("operator") == "In" and len(values) == 1:
                path = (*self.path, "matchExpressions", number, "values", 0)
                stated.append((path, str(expression.get("key")), str(values[0])))
        return stated

    def without(self, path: Path) -> Selection:
        """Return the selection without the label that `stated` has at a path."""
        if path[:-1] == self.labels_path:
            return self._replace(labels={label: value for label, value in self.labels.items() if label != path[-1]})
        dropped = path[len(self.path) + 1]
        kept = [each for number, each in enumerate(self.expressions) if number != dropped]
        return self._replace(expressions=kept)

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Return whether an object with these labels is selected."""
        return self.labels.items() <= labels.items() and all(_holds(each, labels) for each in self.expressions)


def selections(source: Resource[Any]) -> Iterator[Selection]:
    """Yield the selectors of an object that select something, and that contain no placeholder.

    Source: the Prometheus operator (PodMonitor, ServiceMonitor); the VictoriaMetrics operator (VMPodScrape,
    VMServiceScrape); Kubernetes, policy/v1, networking.k8s.io/v1 and v1 (Service).
    """
    if source.kind in MONITORS:
        read = _monitor_selections(source)
    elif source.kind == "NetworkPolicy":
        read = _policy_selections(source)
    elif source.kind == "Service":
        read = _service_selections(source)
    else:
        read = _plain_selections(source, ("spec", "selector"))
    for selection in read:
        selector = value_at(source.data, selection.path)
        if selection.labels or selection.expressions:
            texts = [value for _, value in walk(selector, ()) if isinstance(value, str)]
            texts += map(str, [*selection.labels, *selection.namespaces])
            if not any(map(is_placeholder, texts)):
                yield selection


def _plain_selections(
    source: Resource[Any], path: Path, namespaces: Sequence[str | None] | None = None
) -> Iterator[Selection]:
    selector = mapping(value_at(source.data, path))
    labels = {str(label): str(value) for label, value in mapping(selector.get("matchLabels")).items()}
    expressions = [mapping(each) for each in listed(selector.get("matchExpressions"))]
    own = [source.namespace] if namespaces is None else namespaces
    yield Selection(path, (*path, "matchLabels"), labels, expressions, own)


def _monitor_selections(source: Resource[Any]) -> Iterator[Selection]:
    stated = mapping(value_at(source.data, ("spec", "namespaceSelector")))
    names = [name if isinstance(name, str) else None for name in listed(stated.get("matchNames"))]
    namespaces: Sequence[str | None] = [None] if stated.get("any") is True else names or [source.namespace]
    fields = ("port", "targetPort", "portNumber") if source.kind in POD_MONITORS else ("port", "targetPort")
    for selection in _plain_selections(source, ("spec", "selector"), namespaces):
        yield selection._replace(
            namespaces_path=("spec", "namespaceSelector") if names else None,
            ports=tuple(port for field in _ENDPOINTS for port in _ports(source, ("spec", field), fields)),
            paths=tuple(
                (path, value)
                for field in _ENDPOINTS
                for path in expanded(source.data, ("spec", field, "*", "path"))
                if isinstance(value := value_at(source.data, path), str) and not is_placeholder(value)
            ),
        )


def _policy_selections(source: Resource[Any]) -> Iterator[Selection]:
    """Yield the pods that a policy is for, with the ports that it opens, and those that may call or be called."""
    for selection in _plain_selections(source, ("spec", "podSelector")):
        rules = expanded(source.data, ("spec", "ingress", "*", "ports"))
        yield selection._replace(ports=tuple(port for path in rules for port in _ports(source, path, ("port",))))
    for direction, peers in (("egress", "to"), ("ingress", "from")):
        for path in expanded(source.data, ("spec", direction, "*", peers, "*")):
            peer, rule = mapping(value_at(source.data, path)), mapping(value_at(source.data, path[:-2]))
            namespaces = [None] if peer.get("namespaceSelector") is not None else None
            for selection in _plain_selections(source, (*path, "podSelector"), namespaces):
                is_only = direction == "egress" and len(listed(rule.get("to"))) == 1
                ports = _ports(source, (*path[:-2], "ports"), ("port",)) if is_only else ()
                yield selection._replace(ports=tuple(ports), direction=direction)


def _service_selections(source: Resource[Any]) -> Iterator[Selection]:
    path: Path = ("spec", "selector")
    labels = {str(label): str(value) for label, value in mapping(value_at(source.data, path)).items()}
    ports = [
        next(iter(_ports_at(source, item, ("targetPort", "port"))), None)
        for item in expanded(source.data, ("spec", "ports", "*"))
    ]
    yield Selection(path, path, labels, (), [source.namespace], None, tuple(port for port in ports if port is not None))


def _ports(source: Resource[Any], items: Path, fields: Sequence[str]) -> Iterator[tuple[Path, int | str]]:
    """Yield path and value of each port in the items of a list, without ranges and placeholders."""
    for item in expanded(source.data, (*items, "*")):
        yield from _ports_at(source, item, fields)


def _ports_at(source: Resource[Any], item: Path, fields: Sequence[str]) -> Iterator[tuple[Path, int | str]]:
    stated = mapping(value_at(source.data, item))
    for field in fields:
        port = stated.get(field)
        if not isinstance(port, (int, str)) or isinstance(port, bool) or "endPort" in stated:
            continue
        if isinstance(port, int) or not is_placeholder(port):
            yield (*item, field), port


def _holds(expression: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Return whether labels satisfy an item of ``matchExpressions``; false for an unknown operator."""
    key, values = str(expression.get("key")), [str(value) for value in listed(expression.get("values"))]
    match expression.get("operator"):
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case _:
            return False
