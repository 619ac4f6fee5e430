"""Composite tools: workflows over the tools of backends, and VirtualMCPCompositeToolDefinition."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .dated import Since
from .declare import Always, AnyValue, Atomic, Default, Go, ListSet, Opaque, PreserveUnknownFields
from .duration import DecodedDuration
from .mcptoolconfig import ToolAnnotationsOverride
from .status import Conditions, ObservedGeneration

FreeObject = Annotated[dict[str, Any], PreserveUnknownFields(), Go(type="json.Map")]
"""A JSON object with any members."""


class StepErrorHandling(TypedDict, total=False):
    """The reaction of a workflow to a failed step."""

    action: Annotated[
        Literal["abort", "continue", "retry"],
        "Abort the workflow, continue with the next steps, or retry.",
        Default("abort"),
    ]
    retryCount: Annotated[int, "Number of retries; for action retry."]
    retryDelay: Annotated[DecodedDuration, "Delay between retries; for action retry."]


class ElicitationResponseConfig(TypedDict, total=False):
    """The reaction of a workflow if the user declines or cancels an elicitation."""

    action: Annotated[
        Literal["skip_remaining", "abort", "continue"],
        "Skip the remaining steps, abort the workflow, or continue.",
        Default("abort"),
    ]


class WorkflowStepConfig(TypedDict, total=False):
    """One step of a workflow."""

    id: Required[Annotated[str, "Id of the step, by which others refer to it.", Always()]]
    type: Annotated[
        Literal["tool", "elicitation", "forEach"],
        "Call a tool, ask the user, or call a tool for each item of a collection.",
        Default("tool"),
    ]
    tool: Annotated[str, "Tool to call, as workload.tool_name; for type tool."]
    arguments: Annotated[
        FreeObject, "Arguments of the tool. Strings at the top level are templates; other values are sent unchanged."
    ]
    condition: Annotated[str, "Template that must result in true for the step to run."]
    dependsOn: Annotated[list[str], "Ids of the steps that must finish first."]
    onError: Annotated[StepErrorHandling, "What happens when the step fails."]
    message: Annotated[str, "Question to the user; for type elicitation."]
    schema: Annotated[FreeObject, "JSON Schema of the answer; for type elicitation."]
    timeout: Annotated[DecodedDuration, "Maximum duration of the step."]
    onDecline: Annotated[ElicitationResponseConfig, "What happens when the user declines; for type elicitation."]
    onCancel: Annotated[ElicitationResponseConfig, "What happens when the user cancels; for type elicitation."]
    defaultResults: Annotated[
        dict[str, Any],
        "Output of the step if it is skipped, or if it fails and the workflow continues.",
        Opaque(),
        Go(type="json.Map"),
    ]
    collection: Annotated[str, "Template that results in the list to iterate over; for type forEach."]
    itemVar: Annotated[str, "Name of the current item in templates; item when missing. For type forEach."]
    maxParallel: Annotated[int, "Maximum number of items in parallel; 10 when missing. For type forEach."]
    maxIterations: Annotated[int, "Maximum number of items; 100 when missing, at most 1000. For type forEach."]
    step: Annotated[WorkflowStepConfig, "Step of type tool to run for each item; for type forEach.", Opaque("object")]


class OutputProperty(TypedDict, total=False):
    """One property of a workflow's output."""

    type: Required[
        Annotated[
            Literal["string", "integer", "number", "boolean", "object", "array"], "JSON type of the property.", Always()
        ]
    ]
    description: Annotated[str, "What the property holds, for clients and models.", Always()]
    value: Annotated[str, "Template of the value; an object may have properties instead."]
    properties: Annotated[dict[str, OutputProperty], "Properties of an object, instead of value.", Opaque("object")]
    default: Annotated[AnyValue, "Value to use if the template cannot be expanded.", Opaque(), Go(type="json.Any")]


class OutputConfig(TypedDict, total=False):
    """Output of a workflow."""

    properties: Required[Annotated[dict[str, OutputProperty], "Properties of the output, by name.", Always()]]
    required: Annotated[list[str], "Required properties."]


class CompositeToolConfig(TypedDict, total=False):
    """A tool that is a workflow over other tools."""

    name: Required[Annotated[str, "Name of the tool.", Always()]]
    description: Annotated[str, "What the tool does. A workflow without a description is refused."]
    parameters: Annotated[FreeObject, "JSON Schema of the tool's parameters, of type object."]
    timeout: Annotated[DecodedDuration, "Maximum duration of the workflow."]
    steps: Required[Annotated[list[WorkflowStepConfig], "Steps of the workflow.", Always()]]
    output: Annotated[OutputConfig, "Output of the tool; the output of the last step when missing."]
    annotations: Annotated[
        ToolAnnotationsOverride,
        "Annotations of the tool, if they differ from those derived from its steps. They cannot claim to be safer.",
        Since("0.42.1"),
    ]


class VirtualMCPCompositeToolDefinitionSpec(CompositeToolConfig, total=False):
    """A tool that is a workflow over other tools, for several virtual servers."""


class VirtualMCPCompositeToolDefinitionStatus(TypedDict, total=False):
    """The last observed state of the definition."""

    validationStatus: Annotated[
        Literal["Valid", "Invalid", "Unknown"], "Whether the workflow is valid; Unknown before validation."
    ]
    validationErrors: Annotated[list[str], "Validation errors, when Invalid.", Atomic()]
    referencingVirtualServers: Annotated[list[str], "Names of the virtual servers that use it.", ListSet()]
    observedGeneration: ObservedGeneration
    conditions: Conditions
