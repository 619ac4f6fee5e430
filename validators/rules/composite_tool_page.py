"""Rules of composite tools, in a resource, a definition or a vMCP configuration file."""

from __future__ import annotations

from ..page import rule

VALIDATION = "the validation of composite tools in the operator, v0.21.0."
START = "the start of the vMCP process, v0.21.0: conversion of composite tools."
REFUSED = (
    "the operator refuses the VirtualMCPServer that holds the tool. A definition of its own is looked at by nobody"
    " before the pod of a virtual server that uses it crashes."
)
CRASH = "nobody looks before the vMCP process starts; then its pod crashes in a loop."

INCOMPLETE = rule(
    "CMP001",
    "incomplete-composite-tool",
    "A composite tool lacks a name, a description or steps.",
    flagged="a composite tool without `name`, `description` or `steps`. The schema does not require a description.",
    why=REFUSED,
    example="name: report\nsteps: […]",
    cure="add what is missing; clients choose tools by their descriptions.",
    source=VALIDATION,
    stage="operator",
)
TIMEOUT = rule(
    "CMP002",
    "negative-workflow-timeout",
    "The timeout of a composite tool is negative.",
    flagged="a negative `timeout` of a composite tool. The schema of the kinds does not let it pass, a file may hold"
    " it.",
    why=REFUSED,
    example="timeout: -5m",
    cure="give a positive duration, or none: 30 minutes are the default.",
    source=VALIDATION,
    stage="operator",
)
PARAMETERS = rule(
    "CMP003",
    "parameters-refused",
    "The parameters of a composite tool are not a JSON Schema of an object.",
    flagged="`parameters` without `type: object`, or with a schema that does not compile: an unknown type, an invalid"
    " pattern, `required` that is no list, a `$ref` that leads nowhere.",
    why=REFUSED,
    example="parameters:\n  url: {type: string}",
    cure="write a JSON Schema: `{type: object, properties: {url: {type: string}}, required: [url]}`.",
    source=VALIDATION,
    stage="operator",
)
STEP_ID = rule(
    "CMP004",
    "step-id-refused",
    "A step of a composite tool has no id, or that of another step.",
    flagged="a step with an empty `id`, and every step whose `id` an earlier step has.",
    why=REFUSED,
    example="steps:\n- {id: fetch, tool: web.fetch}\n- {id: fetch, tool: web.search}",
    cure="give each step an id of its own.",
    source=VALIDATION,
    stage="operator",
)
STEP_TYPE = rule(
    "CMP005",
    "step-type-refused",
    "It is not said, or not understood, what a step does.",
    flagged="a step of a type other than `tool`, `elicitation` and `forEach`; in a file also one without type that has"
    " both a tool and a message.",
    why=REFUSED,
    example="- {id: each, type: foreach}",
    cure="use one of the three types.",
    source=VALIDATION,
    stage="operator",
)
STEP_TOOL = rule(
    "CMP006",
    "step-tool-refused",
    "A step calls no tool, or one whose name cannot be.",
    flagged="a step of type `tool` (which is the default), or the inner step of a `forEach`, without `tool` or with a"
    " name of other characters than letters, digits, dots, underscores and hyphens.",
    why=REFUSED,
    example='- {id: fetch, tool: "web/fetch"}',
    cure="name the tool as `workload.tool_name`.",
    source=VALIDATION,
    stage="operator",
)
ELICITATION = rule(
    "CMP007",
    "elicitation-refused",
    "A step that asks the user has no question, an invalid schema of the answer, or an unknown action.",
    flagged="an `elicitation` step without `message`; a `schema` that does not compile as JSON Schema; an action of"
    " `onDecline` or `onCancel` that does not exist.",
    why=REFUSED,
    example="- id: confirm\n  type: elicitation\n  schema: {type: objekt}",
    cure="add the message; describe the answer as a JSON Schema.",
    source=VALIDATION,
    stage="operator",
)
FOR_EACH = rule(
    "CMP008",
    "foreach-refused",
    "A forEach step lacks what it goes through or repeats, or a limit is out of range.",
    flagged="a `forEach` step without `collection` or `step`, with a `tool` or `message` of its own, with an inner step"
    " that is not of type `tool`, with an `itemVar` that is no identifier or is `index`, with `maxParallel` over 50 or"
    " `maxIterations` over 1000.",
    why=REFUSED,
    example="- id: each\n  type: forEach\n  tool: web.fetch",
    cure='give `collection: "{{json .params.items}}"` and the tool under `step`.',
    source=VALIDATION,
    stage="operator",
)
TEMPLATE = rule(
    "CMP009",
    "template-syntax",
    "A template of a composite tool does not parse.",
    flagged="an argument, condition, message or collection that Go's text/template does not parse, or that calls a"
    " function that does not exist there; a value of the output where a step may be skipped.",
    why=REFUSED,
    example='arguments: {url: "{{.params.url"}',
    cure="close the braces; the functions are Go's own and `json`, `quote`, `fromJson`.",
    source=VALIDATION,
    stage="operator",
)
DEPENDENCY = rule(
    "CMP010",
    "unknown-dependency",
    "A step depends on a step that does not exist.",
    flagged="a name under `dependsOn` that is the id of no step.",
    why=REFUSED,
    example="- {id: report, tool: doc.write, dependsOn: [fetsch]}",
    cure="correct the name.",
    source=VALIDATION,
    stage="operator",
)
CYCLE = rule(
    "CMP011",
    "dependency-cycle",
    "Steps wait for each other.",
    flagged="steps whose `dependsOn` lead in a circle, and a step that depends on itself. Each circle is told once.",
    why=REFUSED,
    example="- {id: a, tool: x.y, dependsOn: [b]}\n- {id: b, tool: x.y, dependsOn: [a]}",
    cure="remove one of the dependencies.",
    source=VALIDATION,
    stage="operator",
)
ERROR_HANDLING = rule(
    "CMP012",
    "error-handling-refused",
    "It is not said, or not understood, what happens when a step fails.",
    flagged="an `onError.action` that does not exist, and `action: retry` without a `retryCount` of 1 or more.",
    why=REFUSED,
    example="onError: {action: retry}",
    cure="add `retryCount`.",
    source=VALIDATION,
    stage="operator",
)
DEFAULT_RESULT = rule(
    "CMP013",
    "missing-default-result",
    "The output of a step is used that the step may not have.",
    flagged="a step with a `condition`, or with `onError.action: continue`, of whose output a field is read by another"
    " step or by the output of the tool, and whose `defaultResults` lack that field.",
    why=REFUSED,
    example='- {id: look, tool: web.search, condition: "{{.params.deep}}"}\n- id: report\n  tool: doc.write\n'
    '  arguments: {text: "{{.steps.look.output.text}}"}',
    cure='add `defaultResults: {text: ""}` to the step.',
    source=VALIDATION,
    stage="operator",
)
INNER_ID = rule(
    "CMP020",
    "inner-step-without-id",
    "The step that a forEach repeats has no id.",
    flagged="a `forEach` step whose inner `step` has no `id`. Neither the schema nor the validation asks for it.",
    why=CRASH,
    example="- id: each\n  type: forEach\n  collection: …\n  step: {tool: web.fetch}",
    cure="add any id: `step: {id: one, tool: web.fetch}`.",
    source=START,
    stage="process",
)
ANSWER = rule(
    "CMP021",
    "elicitation-without-schema",
    "A step asks the user, but does not say what the answer looks like.",
    flagged="an `elicitation` step without `schema`.",
    why=CRASH,
    example="- {id: confirm, type: elicitation, message: Go on?}",
    cure="add `schema: {type: object, properties: {ok: {type: boolean}}}`.",
    source=START,
    stage="process",
)
TOO_MANY = rule(
    "CMP022",
    "too-many-steps",
    "A composite tool has more steps than are allowed.",
    flagged="more than 100 steps.",
    why=CRASH,
    example="steps: […]  # 101 of them",
    cure="split the tool, or repeat a step with `forEach`.",
    source=START,
    stage="process",
)
OUTPUT = rule(
    "CMP023",
    "output-refused",
    "The output of a composite tool is not one that the process takes.",
    flagged="an `output` without properties; a property without type or description; one that has neither or both of"
    " `value` and `properties`; a default that does not fit the type; a name in `required` that is no property; braces"
    " that do not pair up; more than 10 levels.",
    why=CRASH,
    example='output:\n  properties:\n    text: {type: string, value: "{{.steps.a.output.text}}"}',
    cure="add what is missing; a `description` is needed for every property.",
    source=START,
    stage="process",
)

RULES = (
    INCOMPLETE,
    TIMEOUT,
    PARAMETERS,
    STEP_ID,
    STEP_TYPE,
    STEP_TOOL,
    ELICITATION,
    FOR_EACH,
    TEMPLATE,
    DEPENDENCY,
    CYCLE,
    ERROR_HANDLING,
    DEFAULT_RESULT,
    INNER_ID,
    ANSWER,
    TOO_MANY,
    OUTPUT,
)

OF_FAULT = {
    "tool-name-missing": INCOMPLETE,
    "tool-description-missing": INCOMPLETE,
    "steps-missing": INCOMPLETE,
    "timeout-negative": TIMEOUT,
    "parameters-type": PARAMETERS,
    "parameters-schema": PARAMETERS,
    "parameters-properties": PARAMETERS,
    "parameters-required": PARAMETERS,
    "step-id-missing": STEP_ID,
    "step-id-duplicate": STEP_ID,
    "step-ambiguous": STEP_TYPE,
    "step-type-unknown": STEP_TYPE,
    "step-tool-missing": STEP_TOOL,
    "step-tool-name": STEP_TOOL,
    "message-missing": ELICITATION,
    "answer-schema": ELICITATION,
    "response-action": ELICITATION,
    "foreach-field": FOR_EACH,
    "collection-missing": FOR_EACH,
    "inner-step-missing": FOR_EACH,
    "inner-step-type": FOR_EACH,
    "item-variable": FOR_EACH,
    "foreach-limit": FOR_EACH,
    "template-syntax": TEMPLATE,
    "dependency-unknown": DEPENDENCY,
    "dependency-cycle": CYCLE,
    "error-action": ERROR_HANDLING,
    "retry-count": ERROR_HANDLING,
    "default-result-missing": DEFAULT_RESULT,
    "inner-step-id-missing": INNER_ID,
    "answer-schema-missing": ANSWER,
    "too-many-steps": TOO_MANY,
    "output-empty": OUTPUT,
    "output-required-unknown": OUTPUT,
    "output-too-deep": OUTPUT,
    "output-type": OUTPUT,
    "output-description-missing": OUTPUT,
    "output-value-and-properties": OUTPUT,
    "output-value-missing": OUTPUT,
    "output-braces": OUTPUT,
    "output-default": OUTPUT,
}
"""Code of a fault in a composite tool to the rule that tells it."""
