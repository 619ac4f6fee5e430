"""Secrets that a controller in the cluster generates from another object, with the keys that are known.

Source: the references of External Secrets (external-secrets.io), Sealed Secrets (bitnami.com), the SOPS Secrets
operator (isindir.github.com), the operators of Infisical and Vault, and cert-manager, as of 2026.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping
from ..workspace.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..reading.document import Document


class GeneratedSecret(NamedTuple):
    """A Secret that a controller generates.

    Attributes:
        name: Name of the Secret; empty if the object does not state it.
        keys: All keys of the Secret; ``None`` if only the cluster knows them.
        namespace: Namespace of the Secret, if it is not that of the object.
    """

    name: str
    keys: frozenset[str] | None
    namespace: str | None = None

    def data(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Return the manifest of the Secret with placeholders as values; ``metadata`` is that of the object."""
        namespace = self.namespace or metadata.get("namespace")
        secret: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": self.name}}
        if isinstance(namespace, str) and namespace:
            secret["metadata"]["namespace"] = namespace
        if self.keys is not None:
            # Without `immutable`, checks assume that something may add keys later.
            secret |= {"immutable": True, "stringData": dict.fromkeys(sorted(self.keys), UNKNOWN)}
        return secret


UNKNOWN: Final = "${MADE_IN_THE_CLUSTER}"
"""Placeholder for every value, because only the cluster knows it."""


def generated_secrets(document: Document) -> Iterator[Resource]:
    """Yield the Secrets with known names that a controller, if any, generates from a document."""
    manifest = document.data
    kind = str(manifest.get("kind"))
    if kind not in _KINDS or not str(manifest.get("apiVersion", "")).startswith(f"{_KINDS[kind][0]}/"):
        return
    read_secrets = _KINDS[kind][1]
    metadata, spec = mapping(manifest.get("metadata")), mapping(manifest.get("spec"))
    for secret in read_secrets(str(metadata.get("name") or ""), spec):
        if secret.name:
            data = secret.data(metadata)
            yield Resource(document, data, "Secret", secret.name, data["metadata"].get("namespace"))


def _read_external_secret(name: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    target = mapping(spec.get("target"))
    if target.get("creationPolicy") == "None" or target.get("manifest"):
        return
    entries = map(mapping, listed(spec.get("data")))
    stated = frozenset(str(entry["secretKey"]) for entry in entries if entry.get("secretKey"))
    keys: frozenset[str] | None = None if listed(spec.get("dataFrom")) else stated
    template = mapping(target.get("template"))
    templated = frozenset(map(str, mapping(template.get("data"))))
    if template.get("templateFrom"):
        keys = None
    elif templated:
        merged = template.get("mergePolicy") == "Merge"
        keys = (keys | templated if keys is not None else None) if merged else templated
    if target.get("creationPolicy") == "Merge":
        keys = None  # The controller adds its keys to those of an existing Secret, which are not known.
    yield GeneratedSecret(str(target.get("name") or name), keys)


def _read_sealed_secret(name: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    keys = {*mapping(spec.get("encryptedData")), *mapping(mapping(spec.get("template")).get("data"))}
    yield GeneratedSecret(name, frozenset(map(str, keys)))


def _read_sops_secret(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    for template in map(mapping, listed(spec.get("secretTemplates"))):
        keys = {*mapping(template.get("data")), *mapping(template.get("stringData"))}
        yield GeneratedSecret(str(template.get("name") or ""), frozenset(map(str, keys)))


def _read_infisical_secret(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    managed = [spec.get("managedSecretReference"), *listed(spec.get("managedKubeSecretReferences"))]
    for reference in map(mapping, managed):
        template = mapping(reference.get("template"))
        is_stated = bool(template.get("data")) and template.get("includeAllSecrets") is not True
        keys = frozenset(map(str, mapping(template.get("data")))) if is_stated else None
        namespace = reference.get("secretNamespace")
        yield GeneratedSecret(
            str(reference.get("secretName") or ""), keys, namespace if isinstance(namespace, str) else None
        )


def _read_vault_secret(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    destination = mapping(spec.get("destination"))
    transformation = mapping(destination.get("transformation"))
    names = frozenset(map(str, mapping(transformation.get("templates"))))
    # The Secret also gets all values of Vault, unless the object excludes them.
    is_stated = (
        bool(names) and transformation.get("excludeRaw") is True and ".*" in listed(transformation.get("excludes"))
    )
    yield GeneratedSecret(str(destination.get("name") or ""), names if is_stated else None)


def _read_certificate(_: str, spec: Mapping[str, Any]) -> Iterator[GeneratedSecret]:
    more = spec.get("keystores") or spec.get("additionalOutputFormats")
    keys = None if more else frozenset({"ca.crt", "tls.crt", "tls.key"})
    yield GeneratedSecret(str(spec.get("secretName") or ""), keys)


_KINDS: Final[dict[str, tuple[str, Callable[[str, Mapping[str, Any]], Iterator[GeneratedSecret]]]]] = {
    "ExternalSecret": ("external-secrets.io", _read_external_secret),
    "SealedSecret": ("bitnami.com", _read_sealed_secret),
    "SopsSecret": ("isindir.github.com", _read_sops_secret),
    "InfisicalSecret": ("secrets.infisical.com", _read_infisical_secret),
    "VaultStaticSecret": ("secrets.hashicorp.com", _read_vault_secret),
    "VaultDynamicSecret": ("secrets.hashicorp.com", _read_vault_secret),
    "Certificate": ("cert-manager.io", _read_certificate),
}
"""For each kind, its API group and the function that reads the Secrets from the name and ``spec`` of an object."""
