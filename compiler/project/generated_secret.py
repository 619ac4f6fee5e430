"""Secrets that a controller of the cluster makes of another object: which ones, and with which keys.

Source: the references of External Secrets (external-secrets.io), Sealed Secrets (bitnami.com), the SOPS Secrets
operator (isindir.github.com), the operators of Infisical and Vault, and cert-manager, as of 2026.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.plain import listed, mapping
from ..workspace.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..reading.document import Document


class GeneratedSecret(NamedTuple):
    """One Secret that an object leads to.

    Attributes:
        name: Of the Secret.
        keys: What it holds; ``None`` where that shows in the cluster alone.
        namespace: Where it is not that of the object.
    """

    name: str
    keys: frozenset[str] | None
    namespace: str | None = None

    def data(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Return the Secret as data, with values that are not known, for an object with this metadata."""
        namespace = self.namespace or metadata.get("namespace")
        found: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": self.name}}
        if isinstance(namespace, str) and namespace:
            found["metadata"]["namespace"] = namespace
        if self.keys is not None:
            # A Secret without data may be filled at run time: nothing more will come to this one.
            found |= {"immutable": True, "stringData": dict.fromkeys(sorted(self.keys), UNKNOWN)}
        return found


UNKNOWN: Final = "${MADE_IN_THE_CLUSTER}"
"""Stands for a value: a placeholder as templates have them."""


def generated_secrets(document: Document) -> Iterator[Resource]:
    """Yield the Secrets that a controller makes of an object, with the keys that it is known to write."""
    data = document.data
    kind = str(data.get("kind"))
    if kind not in _KINDS or not str(data.get("apiVersion", "")).startswith(f"{_KINDS[kind][0]}/"):
        return
    read = _KINDS[kind][1]
    metadata, spec = mapping(data.get("metadata")), mapping(data.get("spec"))
    for secret in read(str(metadata.get("name") or ""), spec):
        if secret.name:
            made = secret.data(metadata)
            yield Resource(document, made, "Secret", secret.name, made["metadata"].get("namespace"))


def _external(name: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    target = mapping(spec.get("target"))
    if target.get("creationPolicy") == "None" or target.get("manifest"):
        return
    stated = _names(spec.get("data"), "secretKey")
    keys: frozenset[str] | None = None if listed(spec.get("dataFrom")) else stated
    template = mapping(target.get("template"))
    templated = frozenset(map(str, mapping(template.get("data"))))
    if template.get("templateFrom"):
        keys = None
    elif templated:
        merged = template.get("mergePolicy") == "Merge"
        keys = (keys | templated if keys is not None else None) if merged else templated
    if target.get("creationPolicy") == "Merge":
        keys = None  # what it is merged into holds more
    yield GeneratedSecret(str(target.get("name") or name), keys)


def _sealed(name: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    keys = {*mapping(spec.get("encryptedData")), *mapping(mapping(spec.get("template")).get("data"))}
    yield GeneratedSecret(name, frozenset(map(str, keys)))


def _of_templates(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    for one in map(mapping, listed(spec.get("secretTemplates"))):
        keys = {*mapping(one.get("data")), *mapping(one.get("stringData"))}
        yield GeneratedSecret(str(one.get("name") or ""), frozenset(map(str, keys)))


def _infisical(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    managed = [spec.get("managedSecretReference"), *listed(spec.get("managedKubeSecretReferences"))]
    for one in map(mapping, managed):
        template = mapping(one.get("template"))
        is_stated = bool(template.get("data")) and template.get("includeAllSecrets") is not True
        keys = frozenset(map(str, mapping(template.get("data")))) if is_stated else None
        namespace = one.get("secretNamespace")
        yield GeneratedSecret(str(one.get("secretName") or ""), keys, namespace if isinstance(namespace, str) else None)


def _vault(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    destination = mapping(spec.get("destination"))
    change = mapping(destination.get("transformation"))
    names = frozenset(map(str, mapping(change.get("templates"))))
    # All that Vault holds comes beside the templates, unless everything is left out.
    is_stated = bool(names) and change.get("excludeRaw") is True and ".*" in listed(change.get("excludes"))
    yield GeneratedSecret(str(destination.get("name") or ""), names if is_stated else None)


def _certificate(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    more = spec.get("keystores") or spec.get("additionalOutputFormats")
    keys = None if more else frozenset({"ca.crt", "tls.crt", "tls.key"})
    yield GeneratedSecret(str(spec.get("secretName") or ""), keys)


_KINDS: Final[dict[str, tuple[str, Callable[[str, Mapping[str, Any]], Iterator[GeneratedSecret]]]]] = {
    "ExternalSecret": ("external-secrets.io", _external),
    "SealedSecret": ("bitnami.com", _sealed),
    "SopsSecret": ("isindir.github.com", _of_templates),
    "InfisicalSecret": ("secrets.infisical.com", _infisical),
    "VaultStaticSecret": ("secrets.hashicorp.com", _vault),
    "VaultDynamicSecret": ("secrets.hashicorp.com", _vault),
    "Certificate": ("cert-manager.io", _certificate),
}
"""Kind to the group that it is of, and what reads the Secrets out of its name and spec."""


def _names(entries: Any, field: str) -> frozenset[str]:
    return frozenset(str(one[field]) for one in map(mapping, listed(entries)) if one.get(field))
