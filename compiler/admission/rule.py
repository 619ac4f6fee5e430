"""The rules of admission that are about the fields of an object."""

from __future__ import annotations

from ..diagnostics.finding import Rule

UNKNOWN_FIELD = Rule(
    id="ADM001",
    name="unknown-field",
    stage="admission",
    severity="error",
    title="A field that the kind does not have",
    doc="""\
Flagged: a field that the schema of the kind does not name, at any depth: a typo, another case, a field of another
kind or of another version.

Why it bites: `kubectl apply` asks the API server for strict validation and is refused. Tools that do not ask for it
(older kubectl, some GitOps controllers, clients of their own) get the object stored without the field, silently: a tool
filter that was misspelt is then no filter.

Example:

    spec:
      image: ghcr.io/example/fetch:1.0
      transprot: stdio

Cure: take the name that the hint gives, or remove the field. A field that a later release of the operator took up at
that place is no typo: the note names the release. In a `v1beta1` document, which only later releases serve, it is a
warning, and the object is checked without the field and not compiled.

Source: Kubernetes, server-side field validation; structural schemas, pruning.
""",
)

WRONG_TYPE = Rule(
    id="ADM002",
    name="wrong-type",
    stage="admission",
    severity="error",
    title="A value of another type than the field has",
    doc="""\
Flagged: a number where a text belongs, a text where a list belongs, null within a list, and so on. A whole number may
be written as 5.0; everywhere else null means "not given".

Why it bites: the API server refuses the object. YAML decides on the type by the look of a value: `cpu: 2` is a number,
`value: yes` a boolean, `version: 1.10` the number 1.1.

Example:

    env:
      - name: DEBUG
        value: true

Cure: quote what is meant as text (`value: "true"`), and unquote what is meant as number.

Source: Kubernetes, structural schemas; sigs.k8s.io/yaml for the types of plain YAML scalars.
""",
)

MISSING_FIELD = Rule(
    id="ADM003",
    name="missing-field",
    stage="admission",
    severity="error",
    title="A required field is missing",
    doc="""\
Flagged: an object without a field that its schema requires, after defaults are filled in. A field that is null counts
as missing. The place is the object that lacks the field.

Why it bites: the API server refuses the object.

Example:

    spec:
      groupRef: {}

Cure: add the field (`groupRef: {name: research}`), or leave out the whole object if it is optional.

Source: Kubernetes, structural schemas, `required`; defaulting and nulls.
""",
)

UNSUPPORTED_VALUE = Rule(
    id="ADM004",
    name="unsupported-value",
    stage="admission",
    severity="error",
    title="A text that is not one of those allowed",
    doc="""\
Flagged: a text other than those that the field allows. Upper and lower case count.

Why it bites: the API server refuses the object.

Example:

    spec:
      transport: http

Cure: take one of the allowed texts; the message lists them.

Source: Kubernetes, structural schemas, `enum`.
""",
)

PATTERN_MISMATCH = Rule(
    id="ADM005",
    name="pattern-mismatch",
    stage="admission",
    severity="error",
    title="A text that does not have the form its field asks for",
    doc="""\
Flagged: a text that does not match the pattern of its field: a duration without unit, a URL without scheme, an ARN of
another service.

Why it bites: the API server refuses the object.

Example:

    timeout: 30

Cure: write the text in the form that the hint names: `timeout: 30s`.

Source: Kubernetes, structural schemas, `pattern`; patterns are RE2.
""",
)

OUT_OF_RANGE = Rule(
    id="ADM006",
    name="out-of-range",
    stage="admission",
    severity="error",
    title="A number below or above what its field allows",
    doc="""\
Flagged: a number outside the bounds of its field.

Why it bites: the API server refuses the object.

Example:

    proxyPort: 80800

Cure: choose a number within the bounds; the message names the one that is passed.

Source: Kubernetes, structural schemas, `minimum` and `maximum`.
""",
)

WRONG_LENGTH = Rule(
    id="ADM007",
    name="wrong-length",
    stage="admission",
    severity="error",
    title="A text or list that is too short or too long",
    doc="""\
Flagged: a text with fewer or more characters, or a list with fewer or more entries, than its field allows.

Why it bites: the API server refuses the object. An empty text often stands where a template found no value.

Example:

    groupRef:
      name: ""

Cure: fill in the value, or leave out the object that holds it if it is optional.

Source: Kubernetes, structural schemas, `minLength`, `maxLength`, `minItems` and `maxItems`.
""",
)

DUPLICATE_LIST_ENTRY = Rule(
    id="ADM008",
    name="duplicate-list-entry",
    stage="admission",
    severity="error",
    title="Two entries of a list that must differ",
    doc="""\
Flagged: an entry that repeats an earlier one in a list whose entries are told apart by a key (`env` by `name`), or
that holds each value once.

Why it bites: the API server refuses the object; server-side apply could not tell the entries apart. `secrets` of an
MCPServer is such a list since v0.16.0: two keys of one Secret cannot be listed, as both entries have the Secret's name.

Example:

    secrets:
      - {name: github, key: token}
      - {name: github, key: app-id}

Cure: remove the repeated entry. For two keys of one Secret, split the Secret in two, or take its keys through
`podTemplateSpec` (`envFrom` of the container `mcp`).

Source: Kubernetes, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.
""",
)

CEL_RULE_FAILED = Rule(
    id="ADM009",
    name="cel-rule-failed",
    stage="admission",
    severity="error",
    title="Fields that do not go together",
    doc="""\
Flagged: an object that breaks one of the CEL rules of its kind; the message is the rule's own. Most are about a block
that goes with a certain `type`. Rules see the object after defaults are filled in.

Why it bites: the API server refuses the object.

Example:

    spec:
      type: inline
      kubernetesServiceAccount: {}

Cure: as the message says; here `inline` belongs beside `type: inline`.

Source: Kubernetes, validation rules of custom resources (`x-kubernetes-validations`).
""",
)

NUMBER_TOO_WIDE = Rule(
    id="ADM010",
    name="number-too-wide",
    stage="operator",
    severity="error",
    title="A number that is stored but that the operator cannot read",
    doc="""\
Flagged: a number that the API server takes and that does not fit into the operator's type: beyond 32 bits, or with a
fraction so small that the API server overlooks it.

Why it bites: the API server does not check the widths of numbers. The operator then fails to decode the object, and
with it its list of all objects of the kind.

Example:

    replicas: 99999999999

Cure: choose a number that fits: from -2147483648 to 2147483647.

Source: Kubernetes, formats in structural schemas (`int32` is not checked); Go, encoding/json.
""",
)

RULES = (
    UNKNOWN_FIELD,
    WRONG_TYPE,
    MISSING_FIELD,
    UNSUPPORTED_VALUE,
    PATTERN_MISMATCH,
    OUT_OF_RANGE,
    WRONG_LENGTH,
    DUPLICATE_LIST_ENTRY,
    CEL_RULE_FAILED,
    NUMBER_TOO_WIDE,
)
