from typing import Any

import pytest

from mcpcfg.compiler.golang.spew import (
    BOOL,
    INT32,
    JSON,
    RAW_EXTENSION,
    STRING,
    Field,
    Map,
    Pointer,
    Raw,
    Scalar,
    Slice,
    Struct,
    Type,
    bytes_dump,
    dump,
    fnv32a,
    object_hash,
    text_hash,
)

# The types of the vectors below, each after those that it uses; data keys are the Go names here.
_DECLARATIONS = """
v1.LocalObjectReference: Name string
v1.ConfigMapKeySelector: LocalObjectReference v1.LocalObjectReference; Key string; Optional *bool
v1.SecretKeySelector: LocalObjectReference v1.LocalObjectReference; Key string; Optional *bool
v1alpha1.SecretKeyRef: Name string; Key string
v1alpha1.CABundleSource: ConfigMapRef *v1.ConfigMapKeySelector
v1alpha1.ToolAnnotationsOverride: Title *string; ReadOnlyHint *bool; DestructiveHint *bool; IdempotentHint *bool;\
 OpenWorldHint *bool
v1alpha1.ToolOverride: Name string; Description string; Annotations *v1alpha1.ToolAnnotationsOverride
v1alpha1.MCPToolConfigSpec: ToolsFilter []string; ToolsOverride map[string]v1alpha1.ToolOverride
v1alpha1.SensitiveHeader: Name string; SecretKeyRef v1alpha1.SecretKeyRef
v1alpha1.OpenTelemetryMetricsConfig: Enabled bool
v1alpha1.OpenTelemetryTracingConfig: Enabled bool; SamplingRate string
v1alpha1.PrometheusConfig: Enabled bool
v1alpha1.MCPTelemetryOTelConfig: Enabled bool; Endpoint string; Insecure bool; Headers map[string]string;\
 SensitiveHeaders []v1alpha1.SensitiveHeader; ResourceAttributes map[string]string;\
 Metrics *v1alpha1.OpenTelemetryMetricsConfig; Tracing *v1alpha1.OpenTelemetryTracingConfig;\
 UseLegacyAttributes bool; CABundleRef *v1alpha1.CABundleSource
v1alpha1.MCPTelemetryConfigSpec: OpenTelemetry *v1alpha1.MCPTelemetryOTelConfig; Prometheus *v1alpha1.PrometheusConfig
v1alpha1.TokenExchangeConfig: TokenURL string
v1alpha1.HeaderInjectionConfig: HeaderName string
v1alpha1.EmbeddedAuthServerConfig: Issuer string
v1alpha1.UpstreamInjectSpec: ProviderName string
v1alpha1.BearerTokenConfig: TokenSecretRef *v1alpha1.SecretKeyRef
v1alpha1.RoleMapping: Claim string; Matcher string; RoleArn string; Priority *int32
v1alpha1.AWSStsConfig: Region string; Service string; FallbackRoleArn string; RoleMappings []v1alpha1.RoleMapping;\
 RoleClaim string; SessionDuration *int32; SessionNameClaim string
v1alpha1.MCPExternalAuthConfigSpec: Type v1alpha1.ExternalAuthType; TokenExchange *v1alpha1.TokenExchangeConfig;\
 HeaderInjection *v1alpha1.HeaderInjectionConfig; BearerToken *v1alpha1.BearerTokenConfig;\
 EmbeddedAuthServer *v1alpha1.EmbeddedAuthServerConfig; AWSSts *v1alpha1.AWSStsConfig;\
 UpstreamInject *v1alpha1.UpstreamInjectSpec
v1alpha1.MCPRegistrySpec: ConfigYAML string; Volumes []v1.JSON; VolumeMounts []v1.JSON;\
 PGPassSecretRef *v1.SecretKeySelector; DisplayName string; PodTemplateSpec *runtime.RawExtension
"""


def _types() -> dict[str, Struct]:
    known: dict[str, Any] = {"string": STRING, "bool": BOOL, "int32": INT32, "v1.JSON": JSON}
    known["runtime.RawExtension"] = RAW_EXTENSION
    for line in _DECLARATIONS.replace("\\\n", "").strip().splitlines():
        name, _, fields = line.partition(": ")
        parts = (field.split() for field in fields.split("; "))
        known[name] = Struct(name, tuple(Field(go, _key(go), _type(kind, known)) for go, kind in parts))
    return known


def _key(go: str) -> str | None:
    return None if go == "LocalObjectReference" else go


def _type(text: str, known: dict[str, Any]) -> Type:
    if text.startswith("*"):
        return Pointer(_type(text[1:], known))
    if text.startswith("[]"):
        return Slice(_type(text[2:], known))
    if text.startswith("map[string]"):
        return Map(_type(text.removeprefix("map[string]"), known))
    found: Type = known.get(text) or Scalar(text)
    return found


_TYPES = _types()

_VECTORS: list[tuple[str, str, dict[str, Any]]] = [
    ("f12d3bfd", "MCPToolConfigSpec", {}),
    ("e36547f3", "MCPToolConfigSpec", {"ToolsFilter": ["b", "a"]}),
    (
        "b8573c2",
        "MCPToolConfigSpec",
        {
            "ToolsFilter": ["b", "a"],
            "ToolsOverride": {
                "zz": {"Name": "yy"},
                "aa": {"Description": "d <x>", "Annotations": {"ReadOnlyHint": True}},
            },
        },
    ),
    (
        "43f69434",
        "MCPToolConfigSpec",
        {
            "ToolsFilter": ["b_tool", "a_tool"],
            "ToolsOverride": {
                "z_tool": {"Name": "zz", "Description": "d <x> & y"},
                "a_tool": {"Name": "renamed", "Annotations": {"Title": "T", "ReadOnlyHint": False}},
            },
        },
    ),
    ("b69e1e3b", "MCPTelemetryConfigSpec", {"Prometheus": {"Enabled": True}}),
    (
        "ca59e021",
        "MCPTelemetryConfigSpec",
        {
            "OpenTelemetry": {
                "Enabled": True,
                "Endpoint": "https://otel:4318",
                "Headers": {"b": "2", "a": "1"},
                "SensitiveHeaders": [{"Name": "K", "SecretKeyRef": {"Name": "s", "Key": "k"}}],
                "Metrics": {"Enabled": True},
                "Tracing": {"Enabled": True, "SamplingRate": "0.05"},
                "UseLegacyAttributes": True,
                "CABundleRef": {"ConfigMapRef": {"Name": "ca", "Key": "ca.crt"}},
            }
        },
    ),
    (
        "fe9a67f",
        "MCPExternalAuthConfigSpec",
        {"Type": "bearerToken", "BearerToken": {"TokenSecretRef": {"Name": "bts", "Key": "k"}}},
    ),
    (
        "48522a34",
        "MCPExternalAuthConfigSpec",
        {
            "Type": "awsSts",
            "AWSSts": {
                "Region": "us-east-1",
                "Service": "aws-mcp",
                "RoleMappings": [{"Claim": "g", "RoleArn": "arn:aws:iam::123456789012:role/x", "Priority": 3}],
                "RoleClaim": "groups",
                "SessionDuration": 3600,
                "SessionNameClaim": "sub",
            },
        },
    ),
    (
        "fe905301",
        "MCPExternalAuthConfigSpec",
        {
            "Type": "awsSts",
            "AWSSts": {
                "Region": "us-east-1",
                "Service": "aws-mcp",
                "FallbackRoleArn": "arn:aws:iam::123456789012:role/fb",
                "RoleMappings": [
                    {"Claim": "admins", "RoleArn": "arn:aws:iam::123456789012:role/a", "Priority": 0},
                    {"Matcher": 'claims["sub"] == "x"', "RoleArn": "arn:aws:iam::123456789012:role/b"},
                ],
                "RoleClaim": "groups",
                "SessionDuration": 3600,
                "SessionNameClaim": "sub",
            },
        },
    ),
    ("ea4ebfdf", "MCPRegistrySpec", {"ConfigYAML": "sources:\n- name: a\n"}),
    ("cda1776a", "MCPRegistrySpec", {"ConfigYAML": "a: 1", "PodTemplateSpec": {}}),
    (
        "5f9f0eca",
        "MCPRegistrySpec",
        {
            "ConfigYAML": "x: <1>\n",
            "PGPassSecretRef": {"Name": "pg", "Key": "pw"},
            "Volumes": [{"secret": {"secretName": "s1"}, "name": "v1"}, {"name": "v2", "emptyDir": {}}],
            "VolumeMounts": [{"name": "v1", "mountPath": "/secrets/a"}, {"mountPath": "/v2", "name": "v2"}],
        },
    ),
]


@pytest.mark.parametrize(("digest", "name", "value"), _VECTORS, ids=[vector[0] for vector in _VECTORS])
def test_recorded_objects_have_their_recorded_hash(digest: str, name: str, value: dict[str, Any]) -> None:
    assert object_hash(value, _TYPES["v1alpha1." + name]) == digest


def test_an_absent_list_is_nil_and_an_empty_one_is_not() -> None:
    kind = _TYPES["v1alpha1.MCPToolConfigSpec"]
    assert dump({"ToolsFilter": [], "ToolsOverride": {}}, kind) == (
        "(v1alpha1.MCPToolConfigSpec){ToolsFilter:([]string)[] ToolsOverride:(map[string]v1alpha1.ToolOverride)map[]}"
    )


def test_elements_have_no_type_and_their_fields_have_one() -> None:
    inner = Struct("main.Inner", (Field("Name", "name", STRING),))
    kind = Struct(
        "main.T",
        (
            Field("A", "a", Slice(inner)),
            Field("B", "b", Map(Slice(STRING))),
            Field("C", "c", Slice(Pointer(inner))),
            Field("D", "d", Pointer(INT32)),
            Field("E", "e", Struct("struct {}", ())),
        ),
    )
    value = {"a": [{"name": "x"}, None], "b": {"y": None, "x": ["p", "q"]}, "c": [{}, None], "d": 0}
    assert dump(value, kind) == (
        "(main.T){A:([]main.Inner)[{Name:(string)x} {Name:(string)}]"
        " B:(map[string][]string)map[x:[p q] y:<nil>]"
        " C:([]*main.Inner)[<*>{Name:(string)} <nil>]"
        " D:(*int32)0 E:(struct {}){}}"
    )


def test_free_form_data_is_dumped_as_the_bytes_of_its_sorted_json() -> None:
    assert dump({"b": 1, "a": "<"}, Raw("v1.JSON")) == "(v1.JSON){Raw:" + bytes_dump(b'{"a":"\\u003c","b":1}') + "}"


@pytest.mark.parametrize(
    ("text", "digest"),
    [("x: 1\n", "ebf053f7"), ("sources:\n- name: a\n", "767b558b"), ("x: <1>\n", "db8ad06f")],
)
def test_recorded_texts_have_the_recorded_hash_of_their_bytes(text: str, digest: str) -> None:
    assert text_hash(bytes_dump(text.encode())) == digest


def test_bytes_are_dumped_as_decimal_numbers() -> None:
    assert bytes_dump(b"x: 1\n") == "([]uint8)[120 58 32 49 10]"
    assert bytes_dump(b"") == "([]uint8)[]"


@pytest.mark.parametrize(("data", "digest"), [(b"", 0x811C9DC5), (b"a", 0xE40C292C), (b"foobar", 0xBF9CF968)])
def test_hashes_equal_the_published_test_vectors_of_fnv(data: bytes, digest: int) -> None:
    assert fnv32a(data) == digest
