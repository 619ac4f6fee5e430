"""Rules of what nothing refuses in a composite tool, and what does not work, or not as meant."""

from __future__ import annotations

from ...diagnostics.finding import rule

ENGINE = "The workflow engine of the vMCP process, v0.21.0: templates and execution."

DEAD_REFERENCE = rule(
    "CMP101",
    "dead-template-reference",
    "A template reads a value that never exists",
    stage="lint",
    checks="`.steps.NAME` of a step that does not exist, a field of a step other than `status`, `output`, `content` and"
    " `error`, a field of an output that this kind of step never has, `.vars`, an unknown field of `.workflow`,"
    " `.forEach` outside a loop or with a name other than `itemVar`.",
    why="A missing value is not an error in these templates: it prints `<no value>`, and a condition treats it as"
    " false. The tool runs, but does something other than intended.",
    example='arguments: {text: "{{.steps.serach.output.text}}"}',
    fix="Correct the name.",
    source=ENGINE,
)
UNDECLARED_PARAMETER = rule(
    "CMP102",
    "undeclared-parameter",
    "A template reads a parameter that the composite tool does not declare",
    stage="lint",
    checks="`.params.NAME` where `parameters.properties` has no NAME.",
    why="Clients send only declared parameters. No client knows that it should send this one, and without it the"
    " template prints `<no value>`.",
    example="""
        parameters: {type: object, properties: {url: {type: string}}}
        steps:
        - {id: get, tool: web.fetch, arguments: {url: "{{.params.uri}}"}}
        """,
    fix="Declare the parameter, or correct the name.",
    source=ENGINE,
)
TOO_EARLY = rule(
    "CMP103",
    "step-read-too-early",
    "A step reads the result of a step that may not have run before it",
    stage="lint",
    checks="A template that reads `.steps.NAME` of its own step, or of a step on which its step does not depend,"
    " directly or indirectly.",
    why="References do not order steps: only `dependsOn` does. Without it both run at the same time, and the template"
    " prints `<no value>`.",
    example="""
        - {id: look, tool: web.search}
        - {id: write, tool: doc.write, arguments: {text: "{{.steps.look.output.text}}"}}
        """,
    fix="Add `dependsOn: [look]`.",
    source=ENGINE,
)
MAY_BE_MISSING = rule(
    "CMP104",
    "value-may-be-missing",
    "A template requires a value that may be missing",
    stage="lint",
    checks="A function or condition that fails when an optional parameter is left out; a field of a step that may be"
    " skipped or fail, read in a place that the check for `defaultResults` does not cover; the answer of a user who may"
    " decline.",
    why="In a case that the tool allows, the step fails or works with `<no value>`.",
    example="""
        parameters: {type: object, properties: {deep: {type: boolean}}}
        steps:
        - {id: look, tool: web.search, condition: "{{.params.deep}}"}
        """,
    fix="Make the parameter required, set a default, or test it with `if` first.",
    source=ENGINE,
)
FAILING_CALL = rule(
    "CMP105",
    "failing-template-call",
    "A template calls a function with arguments that it does not accept",
    stage="lint",
    checks="A comparison of two types that Go does not compare (numbers of parameters and results are floats: `eq"
    " .params.n 3` fails), `quote` or `fromJson` of something that is not a string, `index` with a float, `printf`"
    " with verbs that do not fit.",
    why="The step fails whenever it reaches the call, or prints an error into its argument.",
    example='condition: "{{eq .params.count 3}}"',
    fix="Write `3.0`, or compare strings.",
    source=ENGINE,
)
CONSTANT_CONDITION = rule(
    "CMP106",
    "constant-condition",
    "A condition never decides anything",
    stage="lint",
    checks="A condition that is always true, always false, or never one of the six words that the engine accepts"
    " (`true`, `True`, `TRUE`, `false`, `False`, `FALSE`, without surrounding spaces).",
    why="A step with a condition that is not one of the words fails; one that is always false never runs.",
    example='condition: "{{.params.mode}} == fast"',
    fix='Compare inside the template: `{{eq .params.mode "fast"}}`.',
    source=ENGINE,
)
OUTPUT_NEVER_FITS = rule(
    "CMP107",
    "output-never-fits",
    "A value is printed in a form that can never be read back",
    stage="lint",
    checks="An output of a type that the text of its template can never have; a list or mapping that is printed without"
    " `json` where JSON is expected.",
    why="Go prints lists and mappings in its own way (`[1 2]`, `map[a:1]`), which is not JSON: the tool fails or falls"
    " back to the default every time.",
    example="""
        output:
          properties:
            rows: {type: array, description: Rows, value: "{{.steps.a.output.rows}}"}
        """,
    fix="Print it with `json`: `{{json .steps.a.output.rows}}`.",
    source=ENGINE,
)
WITHOUT_EFFECT = rule(
    "CMP108",
    "step-setting-without-effect",
    "A setting of a step has no effect, or less than it seems to",
    stage="lint",
    checks="Fields that belong to another type of step; `retryCount` without `action: retry`, retries of a step that is"
    " never retried, or more than 10; timeouts longer than the enclosing ones; `defaultResults` of a step that has"
    " neither a `condition` nor `onError.action: continue`; settings of an inner step that the engine ignores.",
    why="The engine ignores the setting, or a part of it, without saying so.",
    example="- {id: confirm, type: elicitation, message: Go on?, schema: {…}, timeout: 1h}  # 10 minutes at most",
    fix="Remove the setting, or move it to where it takes effect.",
    source=ENGINE,
)
RUNS_ON = rule(
    "CMP109",
    "skip-remaining-runs-on",
    "skip_remaining does not skip the remaining steps",
    stage="lint",
    checks="`onDecline` or `onCancel` with the action `skip_remaining` on a step that is followed by others.",
    why="In v0.21.0 the remaining steps run anyway: a user who declines stops nothing.",
    example="onDecline: {action: skip_remaining}",
    fix="Use `abort`, or make the following steps conditional on the answer.",
    source=ENGINE,
)
ALWAYS_FAILS = rule(
    "CMP110",
    "step-always-fails",
    "A step can never succeed, or never does anything",
    stage="lint",
    checks="A negative timeout; a collection that is not a JSON list, is longer than `maxIterations`, or is empty; an"
    " answer schema of more than 100 KiB or 10 levels.",
    why="Nothing checks it before the step runs, and then the step fails or does nothing.",
    example='- {id: each, type: forEach, collection: "a, b", step: {id: one, tool: web.fetch}}',
    fix='Write a JSON list: `["a", "b"]`, or `{{json .params.items}}`.',
    source=ENGINE,
)
NOT_EXPANDED = rule(
    "CMP111",
    "text-not-expanded",
    "A text looks like a template, but is used as it is",
    stage="lint",
    checks="Braces in a text that is not expanded, such as an answer schema or a default.",
    why="Users and tools see the braces.",
    example='defaultResults: {text: "{{.params.fallback}}"}',
    fix="Move the template to an argument, a condition, a message or an output value.",
    source=ENGINE,
)
UNUSED_PARAMETER = rule(
    "CMP112",
    "unused-parameter",
    "No template reads a declared parameter",
    stage="lint",
    severity="info",
    checks="A property of `parameters` that no template of the composite tool reads.",
    why="Clients are asked for a value that has no effect. Often the name is misspelt where it should be read.",
    example="parameters: {type: object, properties: {depth: {type: integer}}}",
    fix="Use the parameter, or remove it.",
    source=ENGINE,
)

RULES = (
    DEAD_REFERENCE,
    UNDECLARED_PARAMETER,
    TOO_EARLY,
    MAY_BE_MISSING,
    FAILING_CALL,
    CONSTANT_CONDITION,
    OUTPUT_NEVER_FITS,
    WITHOUT_EFFECT,
    RUNS_ON,
    ALWAYS_FAILS,
    NOT_EXPANDED,
    UNUSED_PARAMETER,
)

OF_FAULT = {
    "reference-root-unknown": DEAD_REFERENCE,
    "workflow-field-unknown": DEAD_REFERENCE,
    "vars-empty": DEAD_REFERENCE,
    "step-unknown": DEAD_REFERENCE,
    "step-field-unknown": DEAD_REFERENCE,
    "output-field-unknown": DEAD_REFERENCE,
    "item-outside-loop": DEAD_REFERENCE,
    "item-unknown": DEAD_REFERENCE,
    "parameter-undeclared": UNDECLARED_PARAMETER,
    "step-not-before": TOO_EARLY,
    "step-reads-itself": TOO_EARLY,
    "optional-parameter-needed": MAY_BE_MISSING,
    "default-result-unseen": MAY_BE_MISSING,
    "declined-answer-read": MAY_BE_MISSING,
    "condition-parameter-optional": MAY_BE_MISSING,
    "comparison-fails": FAILING_CALL,
    "argument-no-text": FAILING_CALL,
    "index-no-integer": FAILING_CALL,
    "printf-verbs": FAILING_CALL,
    "condition-never-decides": CONSTANT_CONDITION,
    "condition-always-false": CONSTANT_CONDITION,
    "condition-always-true": CONSTANT_CONDITION,
    "output-never-fits": OUTPUT_NEVER_FITS,
    "value-not-json": OUTPUT_NEVER_FITS,
    "default-results-unused": WITHOUT_EFFECT,
    "field-ignored": WITHOUT_EFFECT,
    "inner-field-ignored": WITHOUT_EFFECT,
    "inner-continue-ignored": WITHOUT_EFFECT,
    "retry-field-unused": WITHOUT_EFFECT,
    "retry-without-effect": WITHOUT_EFFECT,
    "retry-count-capped": WITHOUT_EFFECT,
    "retry-too-late": WITHOUT_EFFECT,
    "answer-timeout-capped": WITHOUT_EFFECT,
    "timeout-beyond-workflow": WITHOUT_EFFECT,
    "skip-remaining-runs-on": RUNS_ON,
    "step-timeout-negative": ALWAYS_FAILS,
    "collection-empty": ALWAYS_FAILS,
    "collection-no-list": ALWAYS_FAILS,
    "collection-too-long": ALWAYS_FAILS,
    "answer-schema-too-large": ALWAYS_FAILS,
    "answer-schema-too-deep": ALWAYS_FAILS,
    "text-not-expanded": NOT_EXPANDED,
    "parameter-unused": UNUSED_PARAMETER,
}
"""Code of a lint of a composite tool to its rule."""
