"""Rules of composite tools, in a resource, a definition or a vMCP configuration file."""

from __future__ import annotations

from ..diagnostics.finding import rule
from ..diagnostics.version import RECORDED

VALIDATION = "The validation of composite tools in the operator, v0.21.0."
START = "The start of the vMCP process, v0.21.0: conversion of composite tools."
REFUSED = (
    "The operator refuses the VirtualMCPServer that contains the tool. A standalone definition is not checked until a"
    " virtual server uses it, whose pod then crashes."
)
CRASH = "Nothing checks it before the vMCP process starts; then its pod crashes in a loop."

INCOMPLETE = rule(
    "CMP001",
    "incomplete-composite-tool",
    "A composite tool lacks a name, a description or steps",
    stage="operator",
    checks="A composite tool without `name`, `description` or `steps`. The schema does not require a description.",
    why=REFUSED,
    example="""
        name: report
        steps: […]
        """,
    fix="Add what is missing; clients choose tools by their descriptions.",
    source=VALIDATION,
)
TIMEOUT = rule(
    "CMP002",
    "negative-workflow-timeout",
    "The timeout of a composite tool is negative",
    stage="operator",
    checks="A negative `timeout` of a composite tool. The schema of the kinds refuses it, but a file may contain it.",
    why=REFUSED,
    example="timeout: -5m",
    fix="Set a positive duration, or remove it: the default is 30 minutes.",
    source=VALIDATION,
)
PARAMETERS = rule(
    "CMP003",
    "parameters-refused",
    "The parameters of a composite tool are not a JSON Schema of an object",
    stage="operator",
    checks="`parameters` without `type: object`, or with a schema that does not compile: an unknown type, an invalid"
    " pattern, `required` that is not a list, a `$ref` that leads nowhere.",
    why=REFUSED,
    example="""
        parameters:
          url: {type: string}
        """,
    fix="Write a JSON Schema: `{type: object, properties: {url: {type: string}}, required: [url]}`.",
    source=VALIDATION,
)
STEP_ID = rule(
    "CMP004",
    "step-id-refused",
    "A step of a composite tool has no id, or the id of another step",
    stage="operator",
    checks="A step with an empty `id`, and every step with the `id` of an earlier step.",
    why=REFUSED,
    example="""
        steps:
        - {id: fetch, tool: web.fetch}
        - {id: fetch, tool: web.search}
        """,
    fix="Use a different id for each step.",
    source=VALIDATION,
)
STEP_TYPE = rule(
    "CMP005",
    "step-type-refused",
    "The type of a step is missing or unknown",
    stage="operator",
    checks="A step of a type other than `tool`, `elicitation` and `forEach`; in a file also a step without a type that"
    " has both a tool and a message.",
    why=REFUSED,
    example="- {id: each, type: foreach}",
    fix="Use one of the three types.",
    source=VALIDATION,
)
STEP_TOOL = rule(
    "CMP006",
    "step-tool-refused",
    "A step calls no tool, or one with an invalid name",
    stage="operator",
    checks="A step of type `tool` (which is the default), or the inner step of a `forEach`, without `tool`, or with a"
    " name that contains characters other than letters, digits, dots, underscores and hyphens.",
    why=REFUSED,
    example='- {id: fetch, tool: "web/fetch"}',
    fix="Name the tool as `workload.tool_name`.",
    source=VALIDATION,
)
ELICITATION = rule(
    "CMP007",
    "elicitation-refused",
    "A step that asks the user has no question, an invalid answer schema, or an unknown action",
    stage="operator",
    checks="An `elicitation` step without `message`; a `schema` that does not compile as JSON Schema; an unknown action"
    " of `onDecline` or `onCancel`.",
    why=REFUSED,
    example="""
        - id: confirm
          type: elicitation
          schema: {type: objekt}
        """,
    fix="Add the message; describe the answer as a JSON Schema.",
    source=VALIDATION,
)
FOR_EACH = rule(
    "CMP008",
    "foreach-refused",
    "A forEach step lacks its collection or its step, or a limit is out of range",
    stage="operator",
    checks="A `forEach` step without `collection` or `step`, with a `tool` or `message` of its own, with an inner step"
    " that is not of type `tool`, with an `itemVar` that is not an identifier or is `index`, with `maxParallel` over"
    " 50 or `maxIterations` over 1000.",
    why=REFUSED,
    example="""
        - id: each
          type: forEach
          tool: web.fetch
        """,
    fix='Set `collection: "{{json .params.items}}"` and the tool under `step`.',
    source=VALIDATION,
)
TEMPLATE = rule(
    "CMP009",
    "template-syntax",
    "A template of a composite tool does not parse",
    stage="operator",
    unmodelled="all",
    checks="An argument, condition, message or collection that Go's text/template does not parse, or that calls an"
    " unknown function; an output value where a step may be skipped.",
    why=REFUSED,
    example='arguments: {url: "{{.params.url"}',
    fix="Close the braces; the functions are Go's own and `json`, `quote`, `fromJson`.",
    source=VALIDATION,
)
DEPENDENCY = rule(
    "CMP010",
    "unknown-dependency",
    "A step depends on a step that does not exist",
    stage="operator",
    checks="A name under `dependsOn` that is not the id of any step.",
    why=REFUSED,
    example="- {id: report, tool: doc.write, dependsOn: [fetsch]}",
    fix="Correct the name.",
    source=VALIDATION,
)
CYCLE = rule(
    "CMP011",
    "dependency-cycle",
    "Steps of a composite tool wait for each other",
    stage="operator",
    checks="Steps whose `dependsOn` form a cycle, and a step that depends on itself. Each cycle is reported once.",
    why=REFUSED,
    example="""
        - {id: a, tool: x.y, dependsOn: [b]}
        - {id: b, tool: x.y, dependsOn: [a]}
        """,
    fix="Remove one of the dependencies.",
    source=VALIDATION,
)
ERROR_HANDLING = rule(
    "CMP012",
    "error-handling-refused",
    "The error handling of a step is missing or unknown",
    stage="operator",
    checks="An unknown `onError.action`, and `action: retry` without a `retryCount` of 1 or more.",
    why=REFUSED,
    example="onError: {action: retry}",
    fix="Add `retryCount`.",
    source=VALIDATION,
)
DEFAULT_RESULT = rule(
    "CMP013",
    "missing-default-result",
    "The output of a step is used although it may be missing",
    stage="operator",
    checks="A step with a `condition`, or with `onError.action: continue`, whose `defaultResults` lack a field that"
    " another step or the output of the tool reads.",
    why=REFUSED,
    example="""
        - {id: look, tool: web.search, condition: "{{.params.deep}}"}
        - id: report
          tool: doc.write
          arguments: {text: "{{.steps.look.output.text}}"}
        """,
    fix='Add `defaultResults: {text: ""}` to the step.',
    source=VALIDATION,
)
BARE_CALL = rule(
    "CMP202",
    "template-call-without-value",
    "A call of another template passes no value",
    stage="operator",
    checks='`{{template "name"}}` without a value after the name, in a condition, an argument, a message or the output'
    " of a composite tool in which a step has a `condition` or `onError.action: continue`.",
    why="Where a step may be skipped, the validation looks for the outputs that templates read. It crashes at such a"
    " call: the operator refuses the virtual server, and the vMCP process does not start.",
    example="""
        condition: '{{define "deep"}}true{{end}}{{template "deep"}}'
        """,
    fix='Add a dot: `{{template "deep" .}}`.',
    source=VALIDATION,
)
INNER_ID = rule(
    "CMP020",
    "inner-step-without-id",
    "The step that a forEach repeats has no id",
    stage="process",
    checks="A `forEach` step whose inner `step` has no `id`. Neither the schema nor the validation requires it.",
    why=CRASH,
    example="""
        - id: each
          type: forEach
          collection: …
          step: {tool: web.fetch}
        """,
    fix="Add any id: `step: {id: one, tool: web.fetch}`.",
    source=START,
    verified=RECORDED,
)
ANSWER = rule(
    "CMP021",
    "elicitation-without-schema",
    "A step asks the user without an answer schema",
    stage="process",
    checks="An `elicitation` step without `schema`.",
    why=CRASH,
    example="- {id: confirm, type: elicitation, message: Go on?}",
    fix="Add `schema: {type: object, properties: {ok: {type: boolean}}}`.",
    source=START,
    verified=RECORDED,
)
TOO_MANY = rule(
    "CMP022",
    "too-many-steps",
    "A composite tool has more than 100 steps",
    stage="process",
    checks="More than 100 steps.",
    why=CRASH,
    example="steps: […]  # 101 of them",
    fix="Split the tool, or repeat a step with `forEach`.",
    source=START,
    verified=RECORDED,
)
OUTPUT = rule(
    "CMP023",
    "output-refused",
    "The vMCP process refuses the output of a composite tool",
    stage="process",
    checks="An `output` without properties; a property without type or description; one that has neither or both of"
    " `value` and `properties`; a default that does not fit the type; a name in `required` that is not a property;"
    " unbalanced braces; more than 10 levels.",
    why=CRASH,
    example="""
        output:
          properties:
            text: {type: string, value: "{{.steps.a.output.text}}"}
        """,
    fix="Add what is missing; a `description` is needed for every property.",
    source=START,
    verified=RECORDED,
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
    BARE_CALL,
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
    "template-call-bare": BARE_CALL,
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
"""Code of a fault in a composite tool to its rule."""
