"""Composite tools: workflows over the tools of backends, and VirtualMCPCompositeToolDefinition."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .dated import Since
from .declare import Always, AnyValue, Atomic, Default, Go, ListSet, Opaque, PreserveUnknownFields
from .duration import DecodedDuration
from .mcptoolconfig import ToolAnnotationsOverride
from .status import Conditions, ObservedGeneration

FreeObject = Annotated[dict[str, Any], PreserveUnknownFields(), Go(type="json.Map")]
"""A JSON object that the model does not look into."""


class StepErrorHandling(TypedDict, total=False):
    """What happens when a step fails."""

    action: Annotated[
        Literal["abort", "continue", "retry"],
        "End the workflow, go on, or try again.",
        Default("abort"),
    ]
    retryCount: Annotated[int, "How often it is tried again, for action retry."]
    retryDelay: Annotated[DecodedDuration, "Time between the tries, for action retry."]


class ElicitationResponseConfig(TypedDict, total=False):
    """What happens when the user does not answer."""

    action: Annotated[
        Literal["skip_remaining", "abort", "continue"],
        "Skip the rest of the workflow, end it, or go on.",
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
        FreeObject,
        "Arguments of the tool. Texts at the first level are templates, everything else goes as it stands.",
    ]
    condition: Annotated[str, "Template that must give true for the step to run."]
    dependsOn: Annotated[list[str], "Ids of the steps that must be done before."]
    onError: Annotated[StepErrorHandling, "What happens when the step fails."]
    message: Annotated[str, "Question to the user; for type elicitation."]
    schema: Annotated[FreeObject, "JSON Schema of the answer; for type elicitation."]
    timeout: Annotated[DecodedDuration, "Longest time that the step may take."]
    onDecline: Annotated[ElicitationResponseConfig, "What happens when the user declines; for type elicitation."]
    onCancel: Annotated[ElicitationResponseConfig, "What happens when the user cancels; for type elicitation."]
    defaultResults: Annotated[
        dict[str, Any],
        "Output that stands in when the step is skipped, or fails and the workflow goes on.",
        Opaque(),
        Go(type="json.Map"),
    ]
    collection: Annotated[str, "Template that gives the list to go through; for type forEach."]
    itemVar: Annotated[str, "Name of the current item in templates; item when missing. For type forEach."]
    maxParallel: Annotated[int, "Most items at the same time; 10 when missing. For type forEach."]
    maxIterations: Annotated[int, "Most items; 100 when missing, 1000 at most. For type forEach."]
    step: Annotated[
        WorkflowStepConfig,
        "The step to run for each item, of type tool; for type forEach.",
        Opaque("object"),
    ]


class OutputProperty(TypedDict, total=False):
    """One property of a workflow's output."""

    type: Required[
        Annotated[
            Literal["string", "integer", "number", "boolean", "object", "array"],
            "JSON type of the property.",
            Always(),
        ]
    ]
    description: Annotated[str, "What the property holds, for clients and models.", Always()]
    value: Annotated[str, "Template that gives the value; an object may have properties instead."]
    properties: Annotated[
        dict[str, OutputProperty],
        "Properties of an object, instead of value.",
        Opaque("object"),
    ]
    default: Annotated[AnyValue, "Value where the template cannot be filled.", Opaque(), Go(type="json.Any")]


class OutputConfig(TypedDict, total=False):
    """Output of a workflow."""

    properties: Required[Annotated[dict[str, OutputProperty], "Properties of the output, by name.", Always()]]
    required: Annotated[list[str], "Properties that must be there."]


class CompositeToolConfig(TypedDict, total=False):
    """A tool that is a workflow over other tools."""

    name: Required[Annotated[str, "Name of the tool.", Always()]]
    description: Annotated[str, "What the tool does; the workflow is refused without."]
    parameters: Annotated[FreeObject, "JSON Schema of the tool's parameters, of type object."]
    timeout: Annotated[DecodedDuration, "Longest time that the workflow may take."]
    steps: Required[Annotated[list[WorkflowStepConfig], "Steps of the workflow.", Always()]]
    output: Annotated[OutputConfig, "Output of the tool; that of the last step when missing."]
    annotations: Annotated[
        ToolAnnotationsOverride,
        "Annotations of the tool, where they are not those that follow from its steps; no safer than those.",
        Since("0.42.1"),
    ]


class VirtualMCPCompositeToolDefinitionSpec(CompositeToolConfig, total=False):
    """A tool that is a workflow over other tools, for several virtual servers."""


class VirtualMCPCompositeToolDefinitionStatus(TypedDict, total=False):
    """The definition as it was last seen."""

    validationStatus: Annotated[
        Literal["Valid", "Invalid", "Unknown"],
        "Whether the workflow is sound; Unknown before it is looked at.",
    ]
    validationErrors: Annotated[list[str], "What is wrong with it, when Invalid.", Atomic()]
    referencingVirtualServers: Annotated[list[str], "Names of the virtual servers that use it.", ListSet()]
    observedGeneration: ObservedGeneration
    conditions: Conditions
