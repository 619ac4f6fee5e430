"""The rules of admission that are about the fields of an object."""

from __future__ import annotations

from ..diagnostics.finding import rule

UNKNOWN_FIELD = rule(
    "ADM001",
    "unknown-field",
    "A field that the kind does not have",
    stage="admission",
    checks="A field that the schema of the kind does not name, at any depth: a typo, different case, a field of another"
    " kind or of another version.",
    why="`kubectl apply` requests strict validation from the API server and is refused. For tools that do not (older"
    " kubectl, some GitOps controllers, custom clients) the API server silently stores the object without the field: a"
    " misspelt tool filter then filters nothing.",
    example="""
        spec:
          image: ghcr.io/example/fetch:1.0
          transprot: stdio
        """,
    fix="Use the name that the hint suggests, or remove the field. A field that a later release of the operator added"
    " there is not a typo: the note names the release. In a `v1beta1` document, which only later releases serve, the"
    " finding is a warning, and the object is checked without the field and not compiled.",
    source="Kubernetes, server-side field validation; structural schemas, pruning.",
)

WRONG_TYPE = rule(
    "ADM002",
    "wrong-type",
    "A value of the wrong type",
    stage="admission",
    unmodelled="newer",
    checks="A number where a string belongs, a string where a list belongs, null within a list, and so on. A whole"
    ' number may be written as 5.0; everywhere else null means "not given".',
    why="The API server refuses the object. YAML infers the type from how a value is written: `cpu: 2` is a number,"
    " `value: yes` a boolean, `version: 1.10` the number 1.1.",
    example="""
        env:
          - name: DEBUG
            value: true
        """,
    fix='Quote what is meant as a string (`value: "true"`), and unquote what is meant as a number.',
    source="Kubernetes, structural schemas; sigs.k8s.io/yaml for the types of plain YAML scalars.",
)

MISSING_FIELD = rule(
    "ADM003",
    "missing-field",
    "A required field is missing",
    stage="admission",
    checks="An object without a field that its schema requires, after defaults are filled in. A field that is null"
    " counts as missing. The finding is at the object that lacks the field.",
    why="The API server refuses the object.",
    example="""
        spec:
          groupRef: {}
        """,
    fix="Add the field (`groupRef: {name: research}`), or leave out the whole object if it is optional.",
    source="Kubernetes, structural schemas, `required`; defaulting and nulls.",
)

UNSUPPORTED_VALUE = rule(
    "ADM004",
    "unsupported-value",
    "A string that is not one of the allowed values",
    stage="admission",
    checks="A string that is not one of the values that the field allows. Case matters.",
    why="The API server refuses the object.",
    example="""
        spec:
          transport: http
        """,
    fix="Use one of the allowed values; the message lists them.",
    source="Kubernetes, structural schemas, `enum`.",
)

PATTERN_MISMATCH = rule(
    "ADM005",
    "pattern-mismatch",
    "A string that does not match the pattern of its field",
    stage="admission",
    checks="A string that does not match the pattern of its field: a duration without a unit, a URL without a scheme,"
    " an ARN of another service.",
    why="The API server refuses the object.",
    example="timeout: '30'",
    fix="Write the string in the form that the hint shows: `timeout: 30s`. The message quotes the pattern, and so does"
    " the page of the field (`mcpcfg explain KIND.spec.FIELD`).",
    source="Kubernetes, structural schemas, `pattern`; patterns are RE2.",
)

OUT_OF_RANGE = rule(
    "ADM006",
    "out-of-range",
    "A number outside the bounds of its field",
    stage="admission",
    checks="A number outside the bounds of its field.",
    why="The API server refuses the object.",
    example="proxyPort: 80800",
    fix="Choose a number within the bounds; the message names the bound that is exceeded.",
    source="Kubernetes, structural schemas, `minimum` and `maximum`.",
)

WRONG_LENGTH = rule(
    "ADM007",
    "wrong-length",
    "A string or list that is too short or too long",
    stage="admission",
    checks="A string with fewer or more characters, or a list with fewer or more entries, than its field allows.",
    why="The API server refuses the object. A template that found no value often leaves an empty string behind.",
    example="""
        groupRef:
          name: ""
        """,
    fix="Fill in the value, or leave out the object that contains it if it is optional.",
    source="Kubernetes, structural schemas, `minLength`, `maxLength`, `minItems` and `maxItems`.",
)

DUPLICATE_LIST_ENTRY = rule(
    "ADM008",
    "duplicate-list-entry",
    "Two entries of a list that must be unique",
    stage="admission",
    checks="An entry that repeats an earlier one in a list whose entries are identified by a key (`env` by `name`), or"
    " a list that may contain each value only once.",
    why="The API server refuses the object; server-side apply could not tell the entries apart. `secrets` of an"
    " MCPServer has been such a list since v0.16.0: two keys of one Secret cannot be listed, as both entries have the"
    " Secret's name.",
    example="""
        secrets:
          - {name: github, key: token}
          - {name: github, key: app-id}
        """,
    fix="Remove the repeated entry. For two keys of one Secret, split the Secret in two, or add the keys through"
    " `podTemplateSpec` (`envFrom` of the container `mcp`).",
    source="Kubernetes, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.",
)

CEL_RULE_FAILED = rule(
    "ADM009",
    "cel-rule-failed",
    "An object breaks a CEL rule of its kind",
    stage="admission",
    checks="An object that breaks one of the CEL rules of its kind; the message is the rule's own. Most are about a"
    " block that belongs to a certain `type`. Rules see the object with its defaults filled in.",
    why="The API server refuses the object.",
    example="""
        spec:
          type: inline
          kubernetesServiceAccount: {}
        """,
    fix="Follow the message; in the example `inline` belongs beside `type: inline`.",
    source="Kubernetes, validation rules of custom resources (`x-kubernetes-validations`).",
)

NUMBER_TOO_WIDE = rule(
    "ADM010",
    "number-too-wide",
    "A value that the API server stores but the operator cannot read",
    stage="operator",
    checks="A number that the API server accepts but that does not fit the operator's type: beyond 32 bits, or with a"
    " fraction so small that the API server overlooks it; a list in place of a string that has a format.",
    why="The API server does not check the widths of numbers, and accepts a list in place of a string that has a"
    " format. The operator then fails to decode the object, and with it its list of all objects of the kind.",
    example="replicas: 99999999999",
    fix="Choose a number that fits: from -2147483648 to 2147483647.",
    source="Kubernetes, formats in structural schemas (`int32` is not checked); Go, encoding/json.",
)
