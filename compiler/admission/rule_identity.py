"""The rules of admission that are about what an object is: its name, its metadata, its kind and version."""

from __future__ import annotations

from ..diagnostics.finding import Rule

INVALID_NAME = Rule(
    id="ADM020",
    name="invalid-object-name",
    stage="admission",
    severity="error",
    title="A name or namespace that Kubernetes does not take",
    doc="""\
Flagged: `metadata.name` that is not a DNS subdomain (lower case letters, digits, `-` and `.`, a letter or digit at
both ends, 253 characters at most), `metadata.namespace` that is not a DNS label (no dots, 63 characters at most).

Why it bites: the API server refuses the object.

Example:

    metadata:
      name: My_Server

Cure: write a name of that form: `my-server`.

Source: Kubernetes, "Object Names and IDs"; RFC 1123.
""",
)

MISSING_NAME = Rule(
    id="ADM021",
    name="missing-object-name",
    stage="admission",
    severity="error",
    title="An object without a name",
    doc="""\
Flagged: metadata with neither `name` nor `generateName`, or no metadata at all.

Why it bites: the API server refuses the object.

Example:

    apiVersion: toolhive.stacklok.dev/v1alpha1
    kind: MCPGroup
    metadata:
      labels: {team: search}

Cure: give the object a name.

Source: Kubernetes, "Object Names and IDs".
""",
)

INVALID_METADATA = Rule(
    id="ADM022",
    name="invalid-metadata",
    stage="admission",
    severity="error",
    title="A label, annotation or other metadata that Kubernetes does not take",
    doc="""\
Flagged: labels and annotations whose keys or values do not have the form that Kubernetes asks for or are no texts,
owner references that lack a part, finalizers without a proper name, fields of another type.

Why it bites: the API server refuses the object. The most frequent case is a label value that YAML reads as a number or
a boolean.

Example:

    metadata:
      name: fetch
      labels:
        version: 1.2

Cure: quote the value (`version: "1.2"`); label values have 63 characters at most, letters, digits, `-`, `_` and `.`.

Source: Kubernetes, "Labels and Selectors", "Annotations", "Owners and Dependents", "Finalizers".
""",
)

UNKNOWN_KIND = Rule(
    id="ADM030",
    name="unknown-kind",
    stage="admission",
    severity="error",
    title="A kind that the API group does not have",
    doc="""\
Flagged: an object of the operator's API group whose `kind` is none of its kinds.

Why it bites: the API server knows no such resource: `no matches for kind`.

Example:

    apiVersion: toolhive.stacklok.dev/v1alpha1
    kind: MCPConfigOIDC

Cure: take the kind that the hint gives (`MCPOIDCConfig`).

Source: Kubernetes API discovery; the 12 kinds of the operator v0.21.0.
""",
)

UNKNOWN_VERSION = Rule(
    id="ADM031",
    name="unknown-version",
    stage="admission",
    severity="error",
    title="A version that the API group does not have",
    doc="""\
Flagged: an object of the operator's API group whose version is neither `v1alpha1` nor the later `v1beta1`.

Why it bites: the API server knows no such version: `no matches for kind`.

Example:

    apiVersion: toolhive.stacklok.dev/v1
    kind: MCPServer

Cure: write `v1alpha1`.

Source: Kubernetes API discovery; the operator v0.21.0 serves `v1alpha1` alone.
""",
)

WRONG_API_GROUP = Rule(
    id="ADM032",
    name="wrong-api-group",
    stage="admission",
    severity="error",
    title="An API group that is nearly the operator's",
    doc="""\
Flagged: an object of one of the operator's kinds whose API group is missing or resembles the operator's: another top
level domain, a typo. Groups that do not resemble it are left alone: other operators have a kind `MCPServer` as well.

Why it bites: the API server knows no such resource: `no matches for kind`.

Example:

    apiVersion: toolhive.stacklok.com/v1alpha1
    kind: MCPServer

Cure: write `toolhive.stacklok.dev`.

Source: Kubernetes API discovery.
""",
)

MISSING_TYPE = Rule(
    id="ADM033",
    name="missing-kind-or-version",
    stage="admission",
    severity="error",
    title="An object that does not say what it is",
    doc="""\
Flagged: an object with the operator's API group but without `kind`, or with one of the operator's kinds but without
`apiVersion`; also one of the two that is no text.

Why it bites: the API server cannot tell what it is given.

Example:

    kind: MCPServer
    metadata:
      name: fetch

Cure: add the missing one: `apiVersion: toolhive.stacklok.dev/v1alpha1`.

Source: Kubernetes, "Objects In Kubernetes", required fields.
""",
)

LATER_VERSION = Rule(
    id="ADM034",
    name="later-version",
    stage="lint",
    severity="info",
    title="An object of a version that the operator v0.21.0 does not serve yet",
    doc="""\
Flagged: once in a run, the first object of version `v1beta1`.

Why it bites: operators from v0.23.0 on serve `v1beta1`, with one schema for both versions. mcpcfg judges by v0.21.0:
fields that a later release took up are warnings that name the release, and what has them is not compiled.

Example: `apiVersion: toolhive.stacklok.dev/v1beta1`.

Cure: none is needed where a later operator runs; for v0.21.0 write `v1alpha1`.

Source: ToolHive releases, v0.23.0.
""",
)

RULES = (
    INVALID_NAME,
    MISSING_NAME,
    INVALID_METADATA,
    UNKNOWN_KIND,
    UNKNOWN_VERSION,
    WRONG_API_GROUP,
    MISSING_TYPE,
    LATER_VERSION,
)
