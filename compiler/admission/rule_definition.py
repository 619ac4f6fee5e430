"""The rules about CRDs that a call is given, and about what they alone ask."""

from __future__ import annotations

from ..diagnostics.finding import rule

NO_ALTERNATIVE = rule(
    "ADM093",
    "no-alternative-fits",
    "A value that matches none, or too many, of the alternatives of its schema",
    stage="admission",
    checks="A value that matches none of the schemas of `anyOf`, not exactly one of those of `oneOf`, or the one of"
    " `not`. The operator's own kinds have no such alternatives; CRDs given with `--crds` may have them.",
    why="The API server refuses the object.",
    example="""
        spec:
          secretName: a
          configMapName: b
        """,
    fix="Where the message names fields, keep one of them; otherwise see the schema of the field in its CRD.",
    source="Kubernetes, structural schemas, value validations (`anyOf`, `oneOf`, `not`).",
)

UNUSABLE_DEFINITION = rule(
    "ADM094",
    "unusable-crd",
    "A CRD that cannot be used to admit objects",
    stage="admission",
    unmodelled="all",
    checks="A CRD named by `--crds` or `crds` that cannot be read, that has no schema, or whose schema the API server"
    " refuses: no type, a pattern that is not a regular expression, a version other than `apiextensions.k8s.io/v1`.",
    why="The API server refuses it as well, and objects of its kind are not checked.",
    example="""
        apiVersion: apiextensions.k8s.io/v1beta1
        kind: CustomResourceDefinition
        """,
    fix="Use the CRD from a release of the program that it belongs to.",
    source='Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions".',
)

UNEVALUATED_RULE = rule(
    "ADM095",
    "crd-rule-not-evaluated",
    "CEL rules of a CRD that mcpcfg does not evaluate",
    stage="lint",
    checks="A CRD named by `--crds` or `crds` with CEL rules that use a function or syntax that mcpcfg does not"
    " evaluate, or that do not fit their schema. Reported once for each CRD.",
    why="The API server may refuse an object because of such a rule, and mcpcfg does not notice.",
    example='rule: "self.items == google.protobuf.ListValue{}"',
    fix="Nothing has to be changed; turn the rule off if you accept the gap.",
    source="Kubernetes, validation rules of custom resources (`x-kubernetes-validations`).",
)
