"""Requirements of the vMCP process for its configuration file that differ from the CRD, as JSON Schema keywords.

The models describe ``spec.config`` of a VirtualMCPServer, where the operator sets and replaces many fields. In the
file, only operational settings have defaults, and the ``type`` of a block decides which of its fields are required.

Source: docs/operator/virtual-server.md, "Loading", "The validator" and "Start".
"""

from __future__ import annotations

from typing import Any, Final

from ..toolhive.audit_event import EVENT_TYPES
from ..toolhive.constants import TOKEN_TYPE_URN, TOKEN_TYPES

_TEXT: Final[dict[str, Any]] = {"minLength": 1}
_ADDRESS: Final[dict[str, Any]] = {"pattern": "^(https?://.+)?$"}
_OBJECT: Final[dict[str, Any]] = {"type": "object"}


def _if(field: str, word: str, **then: Any) -> dict[str, Any]:
    return {"if": {"required": [field], "properties": {field: {"const": word}}}, "then": then}


def _share(top: int) -> dict[str, Any]:
    """Return the schema of a number from 0 to ``top``, or of a string with such a number. ``top`` is 1 or 2."""
    below = f"[0-{top - 1}]"
    pattern = rf"^([+]?(0*{below}?\.[0-9]+|0*{below}\.?|0*{top}(\.0*)?))?$"
    return {"type": ["string", "number"], "pattern": pattern, "minimum": 0, "maximum": top}


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": [*words]}


def _fields(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"properties": fields}


def _block(kind: str, field: str) -> dict[str, Any]:
    return _if("type", kind, required=[field], properties={field: _OBJECT})


_EVENTS: Final[dict[str, Any]] = {"items": {"enum": list(EVENT_TYPES)}}
_TOOL_STEP: Final = _fields(type={"enum": ["", "tool"]})
_PRIORITY: Final = {"required": ["priorityOrder"], **_fields(priorityOrder={"minItems": 1, "items": _TEXT})}

DEMANDS: Final[dict[str, dict[str, Any]]] = {
    "VMCPConfig": {
        "required": ["name", "groupRef", "incomingAuth", "outgoingAuth", "aggregation"],
        **_fields(name=_TEXT, groupRef=_TEXT, incomingAuth=_OBJECT, outgoingAuth=_OBJECT, aggregation=_OBJECT),
    },
    "StaticBackendConfig": {
        **_fields(name=_TEXT, url={"pattern": "^[hH][tT][tT][pP][sS]?://[^/?#\\s]"}),
        "if": {"required": ["caBundlePath"], **_fields(caBundlePath=_TEXT)},
        "then": {
            "required": ["type"],
            **_fields(type={"const": "entry"}, caBundlePath={"pattern": r"^/([^.]|\.([^.]|$))*$"}),
        },
    },
    "VMCPIncomingAuthConfig": {
        **_fields(type=_one_of("oidc", "local", "anonymous")),
        "allOf": [_block("oidc", "oidc")],
    },
    "VMCPOIDCConfig": {
        "required": ["issuer", "audience"],
        "properties": {"issuer": _TEXT, "audience": _TEXT, "jwksUrl": _ADDRESS, "introspectionUrl": _ADDRESS},
    },
    "VMCPAuthzConfig": {
        **_fields(type=_one_of("cedar", "none")),
        "allOf": [_if("type", "cedar", required=["policies"], properties={"policies": {"minItems": 1}})],
    },
    "VMCPOutgoingAuthConfig": _fields(source=_one_of("inline", "discovered")),
    "BackendAuthStrategy": {
        **_fields(type=_one_of("unauthenticated", "header_injection", "token_exchange", "upstream_inject")),
        "allOf": [
            _block("header_injection", "headerInjection"),
            _block("token_exchange", "tokenExchange"),
            _block("upstream_inject", "upstreamInject"),
        ],
    },
    "HeaderInjectionStrategy": {
        "properties": {"headerName": {"pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"}},
        "oneOf": [{"required": [field], "properties": {field: _TEXT}} for field in ("headerValue", "headerValueEnv")],
    },
    "TokenExchangeStrategy": {
        **_fields(
            tokenUrl=_TEXT | _ADDRESS,
            subjectTokenType={"enum": ["", *TOKEN_TYPES, *(TOKEN_TYPE_URN + type_ for type_ in TOKEN_TYPES)]},
        ),
        "dependentRequired": {"clientSecret": ["clientId"], "clientSecretEnv": ["clientId"]},
    },
    "UpstreamInjectStrategy": _fields(providerName=_TEXT),
    "AggregationConfig": {
        "required": ["conflictResolution", "conflictResolutionConfig"],
        "properties": {"conflictResolutionConfig": _OBJECT},
        "allOf": [
            _if("conflictResolution", "prefix", **_fields(conflictResolutionConfig={"required": ["prefixFormat"]})),
            _if("conflictResolution", "priority", **_fields(conflictResolutionConfig=_PRIORITY)),
            _if("conflictResolution", "manual", required=["tools"], properties={"tools": {"minItems": 1}}),
        ],
    },
    "WorkloadToolConfig": _fields(workload=_TEXT),
    "CompositeToolRef": _fields(name=_TEXT),
    "ToolOverride": {"anyOf": [{"required": [field]} for field in ("name", "description")]},
    "FailureHandlingConfig": _fields(
        partialFailureMode={"enum": ["fail", "bestEffort", "best_effort"]}, unhealthyThreshold={"minimum": 0}
    ),
    "CircuitBreakerConfig": _fields(failureThreshold={"minimum": 0}),
    "OptimizerConfig": _fields(
        maxToolsToReturn={"minimum": 0}, hybridSearchSemanticRatio=_share(1), semanticDistanceThreshold=_share(2)
    ),
    "TelemetryConfig": {
        **_fields(samplingRate=_share(1), endpoint={"pattern": r"^[^\s]*$"}),
        "if": {"required": ["endpoint"], **_fields(endpoint=_TEXT)},
        "then": {
            "anyOf": [
                {"required": [field], "properties": {field: {"const": True}}}
                for field in ("tracingEnabled", "metricsEnabled")
            ]
        },
    },
    "AuditLogConfig": _fields(eventTypes=_EVENTS, excludeEventTypes=_EVENTS, maxDataSize={"minimum": 0}),
    "VMCPSessionStorageConfig": {
        "required": [],
        **_fields(
            provider={"enum": ["", "memory", "redis"]},
            address={"pattern": r"^([^/\s]*:[^/:\s]+)?$"},
            keyPrefix={"pattern": "^(.*:)?$"},
        ),
        "allOf": [_if("provider", "redis", required=["address"], properties={"address": _TEXT})],
    },
    "CompositeToolConfig": {
        "required": ["name", "description", "steps"],
        **_fields(
            name=_TEXT,
            description=_TEXT,
            parameters=_fields(type={"const": "object"}, properties=_OBJECT),
            steps={"minItems": 1},
        ),
    },
    "WorkflowStepConfig": {
        **_fields(
            id=_TEXT,
            tool={"pattern": "^([a-zA-Z0-9][a-zA-Z0-9._-]*)?$"},
            itemVar={"pattern": "^([a-zA-Z_][a-zA-Z0-9_]*)?$", "not": {"enum": ["index"]}},
            # The maxima are those of the validation in pkg/vmcp/config, such as maxForEachParallel.
            maxParallel={"minimum": 0, "maximum": 50},
            maxIterations={"minimum": 0, "maximum": 1000},
        ),
        "allOf": [
            _if("type", "elicitation", required=["message", "schema"], properties={"message": _TEXT}),
            _if("type", "forEach", required=["collection", "step"], **_fields(collection=_TEXT, step=_TOOL_STEP)),
            _if("type", "tool", required=["tool"], properties={"tool": _TEXT}),
            {"if": {"not": {"required": ["type"]}}, "then": {"required": ["tool"], "properties": {"tool": _TEXT}}},
        ],
    },
    "StepErrorHandling": {
        "allOf": [_if("action", "retry", required=["retryCount"], properties={"retryCount": {"minimum": 1}})]
    },
    "OutputConfig": _fields(properties={"minProperties": 1}),
    "OutputProperty": {
        "required": ["type", "description"],
        "properties": {"description": _TEXT},
        "anyOf": [{"required": [field]} for field in ("value", "properties")],
    },
}
"""Keywords that replace those of a model, by model name."""
