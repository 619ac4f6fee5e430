"""The rules of admission that are about what an object is: its name, its metadata, its kind and version."""

from __future__ import annotations

from ..diagnostics.finding import rule

INVALID_NAME = rule(
    "ADM020",
    "invalid-object-name",
    "A name or namespace that Kubernetes does not accept",
    stage="admission",
    unmodelled="all",
    checks="`metadata.name` that is not a DNS subdomain (lower-case letters, digits, `-` and `.`, a letter or digit at"
    " both ends, 253 characters at most), and `metadata.namespace` that is not a DNS label (no dots, 63 characters at"
    " most). A namespace that a kustomization, Flux or Argo CD sets is reported where it is stated.",
    why="The API server refuses the object.",
    example="""
        metadata:
          name: My_Server
        """,
    fix="Write a name in that form: `my-server`.",
    source='Kubernetes, "Object Names and IDs"; RFC 1123.',
)

MISSING_NAME = rule(
    "ADM021",
    "missing-object-name",
    "An object without a name",
    stage="admission",
    unmodelled="all",
    checks="Metadata with neither `name` nor `generateName`, or no metadata at all.",
    why="The API server refuses the object.",
    example="""
        apiVersion: toolhive.stacklok.dev/v1alpha1
        kind: MCPGroup
        metadata:
          labels: {team: search}
        """,
    fix="Set `metadata.name`.",
    source='Kubernetes, "Object Names and IDs".',
)

INVALID_METADATA = rule(
    "ADM022",
    "invalid-metadata",
    "A label, annotation or other metadata that Kubernetes does not accept",
    stage="admission",
    unmodelled="all",
    checks="Labels and annotations whose keys or values do not have the form that Kubernetes requires or are not"
    " strings, incomplete owner references, finalizers without a valid name, fields of the wrong type.",
    why="The API server refuses the object. The most common case is a label value that YAML reads as a number or a"
    " boolean.",
    example="""
        metadata:
          name: fetch
          labels:
            version: 1.2
        """,
    fix='Quote the value (`version: "1.2"`); label values have at most 63 characters: letters, digits, `-`, `_` and'
    " `.`.",
    source='Kubernetes, "Labels and Selectors", "Annotations", "Owners and Dependents", "Finalizers".',
)

UNKNOWN_KIND = rule(
    "ADM030",
    "unknown-kind",
    "A kind that the API group does not have",
    stage="admission",
    checks="An object of the operator's API group whose `kind` is not one of its kinds.",
    why="The API server does not know the resource: `no matches for kind`.",
    example="""
        apiVersion: toolhive.stacklok.dev/v1alpha1
        kind: MCPConfigOIDC
        """,
    fix="Use the kind that the hint names (`MCPOIDCConfig`).",
    source="Kubernetes API discovery; the 12 kinds of the operator v0.21.0.",
)

UNKNOWN_VERSION = rule(
    "ADM031",
    "unknown-version",
    "A version that the API group does not have",
    stage="admission",
    checks="An object of the operator's API group whose version is neither `v1alpha1` nor `v1beta1`.",
    why="The API server does not know the version: `no matches for kind`.",
    example="""
        apiVersion: toolhive.stacklok.dev/v1
        kind: MCPServer
        """,
    fix="Write `v1alpha1`, or `v1beta1` where the operator is of release 0.23.0 or later.",
    source="Kubernetes API discovery; the operator v0.21.0 serves only `v1alpha1`.",
)

WRONG_API_GROUP = rule(
    "ADM032",
    "wrong-api-group",
    "An API group that resembles the operator's",
    stage="admission",
    unmodelled="all",
    checks="An object of one of the operator's kinds whose API group is missing or resembles the operator's: a"
    " different top-level domain, a typo. Groups that do not resemble it are not reported: other operators have a kind"
    " `MCPServer` too.",
    why="The API server does not know the resource: `no matches for kind`.",
    example="""
        apiVersion: toolhive.stacklok.com/v1alpha1
        kind: MCPServer
        """,
    fix="Write `toolhive.stacklok.dev`.",
    source="Kubernetes API discovery.",
)

MISSING_TYPE = rule(
    "ADM033",
    "missing-kind-or-version",
    "An object without kind or apiVersion",
    stage="admission",
    unmodelled="all",
    checks="An object with the operator's API group but without `kind`, or with one of the operator's kinds but"
    " without `apiVersion`; also where one of the two is not a string.",
    why="The API server cannot tell what kind of object it is.",
    example="""
        kind: MCPServer
        metadata:
          name: fetch
        """,
    fix="Add the missing one: `apiVersion: toolhive.stacklok.dev/v1alpha1`.",
    source='Kubernetes, "Objects In Kubernetes", required fields.',
)

NO_OBJECT = rule(
    "ADM091",
    "list-element-is-no-object",
    "An element of a list of objects is not an object",
    stage="admission",
    unmodelled="all",
    checks="An element that is not a mapping, in a `List` or in a list of one of the operator's kinds, such as"
    " `MCPServerList`.",
    why="kubectl splits the list and cannot read the element: nothing in the list is applied.",
    example="""
        kind: List
        items:
        - fetch.yaml
        """,
    fix="Replace the element with the object itself, or remove it.",
    source="kubectl's reading of lists, k8s.io/apimachinery: UnstructuredJSONScheme.",
)
