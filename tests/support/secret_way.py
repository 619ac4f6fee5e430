"""The ways to write a secret into a file: by name, by option, by form, by a mark, or through another name."""

from __future__ import annotations

from typing import Any, NamedTuple

SIGN = "Zq7"
"""Every secret of a way contains this text, and nothing else does."""
GROUP = "toolhive.stacklok.dev/v1alpha1"


class Way(NamedTuple):
    """A way to write a secret.

    Attributes:
        id: Name for reports; unique.
        data: A document with the secret.
        text: The same document as text, if it cannot be written as plain data, such as with an alias.
        kind: Input kind of a record; empty for a resource.
    """

    id: str
    data: Any
    text: str = ""
    kind: str = ""


def word(number: int, turn: int) -> str:
    """Return a secret without a form of its own."""
    return f"{SIGN}-{'old' if turn == 0 else 'new'}-{number:03}xw"


def _filled(number: int, turn: int, length: int, *, digits: str = "aB3") -> str:
    start = f"{SIGN}{'o' if turn == 0 else 'n'}{number:03}"
    return (start + digits * length)[:length]


NAMES = (
    *("PGPASSWORD", "GITHUB_PAT", "DB_PWD", "API_KEY", "APIKEY", "OPENAI_API_KEY", "CLIENT_SECRET", "SLACK_TOKEN"),
    *("ACCESS_TOKEN", "AWS_SECRET_ACCESS_KEY", "PRIVATE_KEY", "SSH_KEY", "DB_PASS", "REDIS_AUTH", "npm_config__auth"),
    *("SIGNING_KEY", "ENCRYPTION_KEY", "ACCOUNT_KEY", "LICENSE_KEY", "MASTER_KEY", "APP_HMAC", "SERVICE_JWT"),
    *("WIFI_PSK", "LOGIN_OTP", "COOKIE", "DB_CREDENTIALS", "DB_CREDS", "KEY_PASSPHRASE", "ROOT_PASSWD", "dbPassword"),
    *("clientSecret", "db.password", "spring.datasource.password", "SUBSCRIPTION_KEY", "CONSUMER_SECRET"),
)
HEADERS = (
    *("X-Auth", "Authorization", "Cookie", "X-Api-Key", "Proxy-Authorization", "X-Auth-Token", "PRIVATE-TOKEN"),
    *("DD-API-KEY", "Ocp-Apim-Subscription-Key", "X-Vault-Token", "X-Functions-Key", "X-Client-Secret"),
)
OPTIONS = (
    *("--api-key", "--password", "--token", "-token", "--client-secret", "--db-password", "--auth", "--access-key"),
    *("--pwd", "--signing-key", "token", "password", "api_key"),
)
ANNOTATIONS = (
    *("example.com/token", "example.com/password", "example.com/api-key", "auth.example.com/client-secret"),
    *("token", "password"),
)
FORMS = (
    *(("ghp_{}", 36), ("gho_{}", 36), ("ghs_{}", 36), ("github_pat_{}", 40), ("glpat-{}", 20), ("gldt-{}", 20)),
    *(("glrt-{}", 20), ("xoxb-{}", 24), ("xapp-1-{}", 24), ("GOCSPX-{}", 28), ("ya29.{}", 40), ("AIza{}", 35)),
    *(("sk-{}", 40), ("sk-proj-{}", 40), ("sk-ant-api03-{}", 60), ("sk_live_{}", 24), ("rk_live_{}", 24)),
    *(("whsec_{}", 32), ("hf_{}", 34), ("gsk_{}", 48), ("pplx-{}", 48), ("npm_{}", 36), ("pypi-AgE{}", 60)),
    *(("dckr_pat_{}", 27), ("glsa_{}", 41), ("glc_{}", 40), ("SG.{}.aaaaaaaaaaaaaaaaaaaaaaaaaaa", 22), ("hvs.{}", 90)),
    *(("dp.pt.{}", 43), ("lin_api_{}", 40), ("ntn_{}", 46), ("pscale_pw_{}", 40), ("sntryu_{}", 64), ("sha256~{}", 43)),
    *(("abc8Q~{}", 34), ("ops_eyJ{}", 80), ("ATATT3{}", 80), ("figd_{}", 40), ("sq0csp-{}", 43)),
    *(("eyJhbGciOiJI.eyJzdWIi{}.c2ln", 20), ("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", 64)),
)
CONTEXTS = (
    "Bearer {}",
    "Basic {}",
    "Authorization: Bearer {}",
    "X-Api-Key: {}",
    "Server=db;Uid=app;PWD={};",
    "Server=db;Password={};Pooling=true",
    "AccountName=a;AccountKey={};EndpointSuffix=core.windows.net",
    "Endpoint=sb://a.example/;SharedAccessKeyName=b;SharedAccessKey={}",
    "https://a.blob.example/c?sv=2024&sp=r&sig={}&se=1",
    "https://a.example/x?access_token={}",
    "https://a.example/x?a=1&api_key={}#top",
    "https://hooks.slack.com/services/T000/B000/{}",
    "https://discord.com/api/webhooks/123/{}",
    "https://api.telegram.org/bot123456:{}aaaaaaaaaaaaaaaaaa/sendMessage",
    "postgres://app:{}@db.example/app",
    "redis://:{}@cache.example:6379/0",
    "https://{}@git.example/x.git",
    "amqp://guest:{}@mq/%2f",
    "curl -H 'Authorization: Bearer {}' https://a.example",
    "curl --header 'X-Api-Key: {}' https://a.example",
    "tool --token {} --verbose",
    "tool --password='{}' run",
    "export API_TOKEN={}; run",
    'permit(principal, action, resource) when {{ context.token == "{}" }};',
    'permit(principal, action, resource) when {{ "{}" == context.password }};',
    'request.headers["x-api-key"] == "{}"',
    "database:\n  password: {}\n",
    "[default]\naws_secret_access_key={}\n",
    '{{"client_secret": "{}"}}',
    '{{"args": ["--token", "{}"]}}',
    '{{"auths": {{"a.example": {{"auth": "{}"}}}}}}',
    "//registry.example/:_authToken={}",
    "${{API_TOKEN:-{}}}",
)


def _server(name: str, spec: dict[str, Any], kind: str = "MCPServer") -> dict[str, Any]:
    base = {"image": "ghcr.io/acme/fetch:1.0", "transport": "stdio"} if kind == "MCPServer" else {}
    return {"apiVersion": GROUP, "kind": kind, "metadata": {"name": name}, "spec": {**base, **spec}}


def _pod(container: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"podTemplateSpec": {"metadata": metadata, "spec": {"containers": [{"name": "mcp", **container}]}}}


def ways(turn: int = 0) -> list[Way]:
    """Return all ways. ``turn`` chooses the secrets: 0 for the old ones, 1 for the new ones of a comparison."""
    out: list[Way] = []

    def add(id_: str, data: Any, text: str = "", kind: str = "") -> None:
        out.append(Way(f"{len(out):03}-{id_}", data, text, kind))

    def secret() -> str:
        return word(len(out), turn)

    def name() -> str:
        return f"w{len(out):03}"

    for variable in NAMES:
        add(f"env-{variable}", _server(name(), {"env": [{"name": variable, "value": secret()}]}))
    for variable in NAMES[:8]:
        add(f"pod-env-{variable}", _server(name(), _pod({"env": [{"name": variable, "value": secret()}]})))
        add(f"env-value-first-{variable}", _server(name(), {"env": [{"value": secret(), "name": variable}]}))
    for header in HEADERS:
        spec = {"remoteUrl": "https://mcp.example.com", "transport": "streamable-http"}
        forward = {"headerForward": {"addPlaintextHeaders": {header: secret()}}}
        add(f"header-{header}", _server(name(), {**spec, **forward}, "MCPRemoteProxy"))
    for option in OPTIONS:
        add(f"option-{option}", _server(name(), {"args": [option, secret()]}))
        add(f"pod-option-{option}", _server(name(), _pod({"args": [option, secret()]})))
        add(f"option-with-value-{option}", _server(name(), {"args": [f"{option}={secret()}"]}))
    for annotation in ANNOTATIONS:
        add(f"pod-annotation-{annotation}", _server(name(), _pod({}, annotations={annotation: secret()})))
        overrides = {"resourceOverrides": {"proxyDeployment": {"annotations": {annotation: secret()}}}}
        add(f"annotation-{annotation}", _server(name(), overrides))
    for form, length in FORMS:
        value = form.format(_filled(len(out), turn, length))
        add(f"form-{form[:8].strip('-')}", _server(name(), {"env": [{"name": "PLAIN", "value": value}]}))
    for context in CONTEXTS:
        add(
            f"context-{context[:24]}",
            _server(name(), {"env": [{"name": "PLAIN", "value": context.format(secret())}]}),
        )
    for number, context in enumerate(CONTEXTS[:24]):
        add(f"argument-{number}", _server(name(), {"args": ["run", context.format(secret())]}))
    _add_others(add, secret, name)
    return out


def _add_others(add: Any, secret: Any, name: Any) -> None:
    for key in ("data", "stringData"):
        add(
            f"secret-{key}",
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name()}, key: {"anything": secret()}},
        )
    policies = [f'permit(principal, action, resource) when {{ context.token == "{secret()}" }};']
    authz = {"authzConfig": {"type": "inline", "inline": {"policies": policies}}}
    add("cedar", _server(name(), authz))
    strategy = {"type": "header_injection", "header_injection": {"header_name": "X-Team", "header_value": secret()}}
    vmcp = {"name": "a", "groupRef": "b", "incomingAuth": {"type": "anonymous"}}
    add("header-value", {**vmcp, "outgoingAuth": {"source": "inline", "default": strategy}}, kind="vmcp")
    strategy = {"type": "header_injection", "headerInjection": {"headerName": "X-Team", "headerValue": secret()}}
    add("headerValue", {**vmcp, "outgoingAuth": {"source": "inline", "default": strategy}}, kind="vmcp")
    image = {"image": "ghcr.io/acme/a:1", "transport": "stdio", "description": "a", "tier": "Community"}
    for field in ("default",):
        entry = {**image, "env_vars": [{"name": "TEAM", "description": "a", "secret": True, field: secret()}]}
        add(f"registry-env-{field}", _registry({"servers": {"a": entry}}), kind="registry")
    remote = {"url": "https://a.example", "transport": "sse", "description": "a", "tier": "Community"}
    headers = [{"name": "X-Team", "description": "a", "secret": True, "default": secret()}]
    add(
        "registry-header",
        _registry({"servers": {}, "remote_servers": {"a": {**remote, "headers": headers}}}),
        kind="registry",
    )
    variables = [{"name": "TEAM", "isSecret": True, "value": secret()}]
    package = {"registryType": "oci", "identifier": "ghcr.io/a/b:1", "transport": {"type": "stdio"}}
    record = {"name": "io.github.acme/a", "description": "a", "version": "1.0.0"}
    add("server-json", {**record, "packages": [{**package, "environmentVariables": variables}]}, kind="server")
    add("secret-creation", {"key": "team", "value": secret()}, kind="secret-creation")
    config = {"schema_version": "v0.1.0", "name": "a", "image": "i", "transport": "stdio"}
    add("run-client-secret", {**config, "remote_auth_config": {"client_secret": secret()}}, kind="runconfig")
    add("run-bearer", {**config, "remote_auth_config": {"bearer_token": secret()}}, kind="runconfig")
    add("run-env", {**config, "env_vars": {"PGPASSWORD": secret()}}, kind="runconfig")
    add("run-secrets", {**config, "secrets": [secret()]}, kind="runconfig")
    add("run-arguments", {**config, "cmd_args": ["--token", secret()]}, kind="runconfig")
    add(
        "run-header",
        {**config, "header_forward": {"add_plaintext_headers": {"X-Auth": secret()}}},
        kind="runconfig",
    )
    kustomization = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    literals = {"secretGenerator": [{"name": "a", "literals": [f"anything={secret()}"]}]}
    add("generated-secret", {**kustomization, **literals})
    patch = [{"op": "replace", "path": "/spec/env/0/value", "value": secret()}]
    add("patch", {**kustomization, "patches": [{"target": {"kind": "MCPServer"}, "patch": _json(patch)}]})
    patch = [{"op": "add", "path": "/spec/args/1", "value": secret()}]
    add("patch-of-argument", {**kustomization, "patches": [{"target": {"kind": "MCPServer"}, "patch": _json(patch)}]})
    head = f"apiVersion: {GROUP}\nkind: MCPServer\nmetadata: {{name: %s}}\nspec:\n"
    value = secret()
    add(
        "alias",
        _server(name(), {"proxyMode": value, "env": [{"name": "DB_PASSWORD", "value": value}]}),
        head % name() + f"  proxyMode: &p {value}\n  env:\n  - name: DB_PASSWORD\n    value: *p\n",
    )
    value = secret()
    add(
        "alias-in-flow",
        _server(name(), {"proxyMode": value, "env": [{"name": "DB_PASSWORD", "value": value}]}),
        head % name() + f"  proxyMode: &p {value}\n  env: [{{name: DB_PASSWORD, value: *p}}]\n",
    )
    value = secret()
    add(
        "alias-after-option",
        _server(name(), {"proxyMode": value, "args": ["--password", value]}),
        head % name() + f"  proxyMode: &p {value}\n  args:\n  - --password\n  - *p\n",
    )


def _registry(content: dict[str, Any]) -> dict[str, Any]:
    return {"version": "1.0.0", "last_updated": "2025-01-01T00:00:00Z", **content}


def _json(value: Any) -> str:
    import json

    return json.dumps(value)
