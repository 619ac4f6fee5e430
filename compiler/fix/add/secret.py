"""Create the Secret of a new resource in the form in which the project stores Secrets."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import listed, mapping, value_at
from ...reading.document import read_documents
from .pattern import NamePattern, common_pattern, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ...reading.document import Document
    from ...workspace.resource import Resource

Form: TypeAlias = Literal["ExternalSecret", "SOPS", "SealedSecret", "Secret"]
_KIND: Final = re.compile(rb"^kind:[ \t]*(ExternalSecret|SealedSecret|Secret)[ \t]*\r?$", re.MULTILINE)
_MOST_FILES: Final = 20_000
"""Maximum number of files that are searched, the nearest first, so that a search ends soon in a large project too."""
FILL_IN: Final = {
    "SOPS": "Fill in the values, then run: sops --encrypt --in-place {file}",
    "Secret": "Fill in the values, but do not commit them.",
}
"""Comment above a Secret without values, by form."""


class SecretModel(NamedTuple):
    """An existing Secret, SealedSecret or ExternalSecret whose form a new Secret gets."""

    form: Form
    document: Document
    text: str


def secret_model(files: Iterable[str], texts: Mapping[str, bytes], near: Sequence[str]) -> SecretModel | None:
    """Return the nearest object that shows in which form the project stores Secrets, or ``None`` if there is none.

    Args:
        texts: The content of the files.
        near: Folders of similar resources. Files that are near to one of them are read first.
    """
    candidates = sorted(files, key=lambda file: _distance(file, near))[:_MOST_FILES]
    for file in candidates:
        text = texts.get(file, b"")
        if isinstance(text, bytes) and _KIND.search(text):
            decoded = text.decode("utf-8", "replace")
            for document in read_documents(text, file)[0]:
                form = form_of(document.data)
                if form is not None:
                    is_unencrypted = form == "Secret" and ".sops." in file
                    return SecretModel("SOPS" if is_unencrypted else form, document, decoded)
    return None


def _distance(file: str, near: Sequence[str]) -> tuple[int, int]:
    steps = file.split("/")[:-1]
    distances = []
    for number, place in enumerate(near):
        others = place.split("/")
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(steps, others, strict=False)))
        distances.append((len(steps) + len(others) - 2 * common, number))
    return min(distances, default=(0, 0))


def form_of(data: Any) -> Form | None:
    """Return the form of a Secret: plain, encrypted by SOPS, sealed or external. Return ``None`` for other objects."""
    kind, version = mapping(data).get("kind"), str(mapping(data).get("apiVersion"))
    if kind == "ExternalSecret" and version.startswith("external-secrets.io/"):
        return "ExternalSecret"
    if kind == "SealedSecret":
        return "SealedSecret"
    if kind == "Secret" and version == "v1":
        return "SOPS" if "sops" in data else "Secret"
    return None


def secrets_of(model: Resource[Any]) -> list[dict[str, Any]]:
    """Return the references of a resource to Secrets, except those without a name, which the API server refuses."""
    stated = listed(mapping(model.document.data.get("spec")).get("secrets"))
    return [secret for secret in stated if isinstance(secret, dict) and isinstance(secret.get("name"), str)]


def secret_name(name: str, models: Sequence[Resource[Any]]) -> str:
    """Return the name for the Secret of the resource ``name``.

    It follows the pattern that the Secrets of ``models`` have in common; these are existing resources that serve as
    examples. Without a pattern, it is ``name``.
    """
    pairs = [(model.name, str(secret["name"])) for model in models for secret in secrets_of(model)[:1]]
    pattern = common_pattern(pairs) or NamePattern()
    return pattern.apply(name) if pattern != NamePattern() else name


def secret_data(name: str, namespace: str | None, keys: Sequence[str], model: SecretModel | None) -> dict[str, Any]:
    """Return the data of a Secret with empty values, or of an ExternalSecret if the model is one."""
    metadata = {"name": name} | ({"namespace": namespace} if namespace is not None else {})
    if model is None or model.form != "ExternalSecret":
        return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": dict.fromkeys(keys, "")}
    stated = model.document.data
    stated_spec = mapping(stated.get("spec"))
    spec: dict[str, Any] = {}
    for field in ("refreshInterval", "refreshPolicy", "secretStoreRef"):
        if field in stated_spec:
            spec[field] = stated_spec[field]
    if "target" in stated_spec:
        policy = value_at(stated, ("spec", "target", "creationPolicy"))
        spec["target"] = {"name": name} | ({"creationPolicy": policy} if policy else {})
    source = value_at(stated, ("spec", "data", 0, "sourceRef"))
    remote = mapping(value_at(stated, ("spec", "data", 0, "remoteRef")))
    if "dataFrom" in stated_spec and not remote:
        extract = value_at(stated, ("spec", "dataFrom", 0, "extract", "key"))
        pattern = pattern_of(value_at(stated, ("metadata", "name")), extract) if isinstance(extract, str) else None
        spec["dataFrom"] = [{"extract": {"key": (pattern or NamePattern()).apply(name)}}]
    else:
        spec["data"] = [
            {"secretKey": key}
            | ({"sourceRef": source} if source else {})
            | {"remoteRef": {"key": name, "property": key} if "property" in remote or not remote else {"key": key}}
            for key in keys
        ]
    return {"apiVersion": stated["apiVersion"], "kind": "ExternalSecret", "metadata": metadata, "spec": spec}


def keys_style(models: Sequence[Resource[Any]]) -> Literal["variable", "dashes"]:
    """Return how most keys of Secrets are written: ``variable`` as in ``API_KEY``, or ``dashes`` as in ``api-key``."""
    keys = Counter(
        "dashes" if key == key.lower() and "_" not in key else "variable"
        for model in models
        for secret in secrets_of(model)
        if isinstance(key := secret.get("key"), str)
    )
    return "dashes" if keys["dashes"] > keys["variable"] else "variable"
