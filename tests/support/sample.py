"""Small files at random: sound, broken, of other programs, or declaring what others do too."""

from __future__ import annotations

import os
import random
import re
import time
from functools import cache
from pathlib import Path
from textwrap import indent

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
NAMES = ("one", "two", "three")


def resource(kind: str, name: str, *lines: str, namespace: str | None = None) -> str:
    stated = f"  namespace: {namespace}\n" if namespace else ""
    spec = "".join(f"  {line}\n" for line in lines) or "  {}\n"
    return f"apiVersion: toolhive.stacklok.dev/v1beta1\nkind: {kind}\nmetadata:\n  name: {name}\n{stated}spec:\n{spec}"


def write(path: Path, text: str) -> None:
    """Write a file as if a while ago: its time stamp alone decides whether it is read again."""
    path.write_text(text)
    before = time.time_ns() - 3_600_000_000_000 + random.randrange(10**9)
    os.utime(path, ns=(before, before))


def random_text(rng: random.Random) -> str:
    """Write a file that may be sound, broken, of another program, or declare what others do too."""
    name, other = rng.choice(NAMES), rng.choice(NAMES)
    namespace = rng.choice((None, None, "a", "b"))
    server = (f"image: ghcr.io/acme/{name}:1.0", "transport: streamable-http", f"groupRef: {{name: {other}}}")
    texts = (
        resource("MCPGroup", name, namespace=namespace),
        resource("MCPServer", name, *server, namespace=namespace),
        resource("MCPServer", name, *server, f"toolConfigRef: {{name: {other}}}", namespace=namespace),
        resource("MCPServer", name, *server, f"telemetryConfigRef: {{name: {other}, serviceName: x}}"),
        resource("MCPServer", name, "transport: http", namespace=namespace),
        resource("MCPServer", name, *server, "proxyPort: ${PORT}"),
        resource("MCPServer", name, *server[:2], "groupRef: {name: '${GROUP}'}", namespace=namespace),
        resource("MCPServer", name, *server, f"externalAuthConfigRef: {{name: {other}}}", namespace=namespace),
        resource(
            "MCPExternalAuthConfig", name, "type: bearerToken", "bearerToken: {tokenSecretRef: {name: s, key: k}}"
        ),
        resource("MCPExternalAuthConfig", name, "type: unauthenticated", namespace=namespace),
        resource(
            "VirtualMCPServer",
            name,
            f"groupRef: {{name: {other}}}",
            "incomingAuth: {type: anonymous}",
            f"config: {{compositeToolRefs: [{{name: {name}}}]}}",
            namespace=namespace,
        ),
        resource(
            "VirtualMCPCompositeToolDefinition",
            name,
            f"name: {name}",
            "description: does things",
            f"steps: [{{id: a, tool: {other}.run, dependsOn: [{rng.choice('ab')}]}}]",
            namespace=namespace,
        ),
        resource("MCPToolConfig", name, f"toolsFilter: [{other}]", namespace=namespace),
        resource("MCPTelemetryConfig", name, "openTelemetry: {enabled: true, endpoint: https://otel:4318}"),
        resource("MCPServer", name, *server) + f"---\n{resource('MCPToolConfig', other)}",
        resource("MCPServer", name, *server, "transports: x  # mcpcfg: ignore[ADM001]"),
        resource("MCPGroup", name).replace("v1alpha1", "v1beta1"),
        f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata: {{}}\n",
        "apiVersion: v1\nkind: [\n",
        "just: text\n",
        f"apiVersion: apps/v1\nkind: Deployment\nkind: Deployment\n---\n{resource('MCPGroup', name)}",
        f"apiVersion: v1\nkind: {{{{ .Values.{name} }}}}\n",
        f"{resource('MCPServer', name, 'transport: http')}---\nkind: MCPServer\nspec: {{{{ .Values.{name} }}}}\n",
        f"{{{{ .Values.{name} }}}}\n",
        f"namespace: {rng.choice(('a', 'c'))}\nresources: [f1.yaml, f2.yaml]\n",
    )
    return rng.choice(texts)


@cache
def rule_documents() -> tuple[str, ...]:
    """Return the resources of all fixtures of rules: nearly all that can be wrong, under a few names."""
    texts = [path.read_text("utf-8") for path in sorted(FIXTURES.glob("*/*.yaml"))]
    documents = [document.strip() for text in texts for document in re.split(r"^---\s*$", text, flags=re.MULTILINE)]
    return tuple(document + "\n" for document in documents if "apiVersion: " in document)


def random_rule_text(rng: random.Random) -> str:
    """Write a file of one or two resources that rules have something to say about, or a list of some."""
    if rng.random() < 0.1:
        items = [indent(one, "    ").replace("    ", "  - ", 1) for one in rng.choices(rule_documents(), k=3)]
        return "apiVersion: v1\nkind: List\nitems:\n" + "".join(items)
    return "---\n".join(rng.choices(rule_documents(), k=rng.choice((1, 1, 1, 2))))


def random_overlay(rng: random.Random, files: list[str]) -> str:
    """Write a kustomization in a folder beside the ``files``, some of which it lists, renames or patches."""
    listed = "".join(f"- ../{file}\n" for file in rng.choices(files, k=rng.randint(1, 8)))
    namespace = rng.choice(("", "namespace: a\n", "namespace: b\n", "namespace: c\n"))
    prefix = rng.choice(("", "", "namePrefix: x-\n"))
    patches = rng.choice(("", "", f"patches:\n- path: ../{rng.choice(files)}\n"))
    return f"{namespace}{prefix}resources:\n{listed}{patches}"
