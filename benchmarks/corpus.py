"""A corpus of any size: sound resources of all kinds, in cells that refer to one another, one document a file.

Every cell is complete in itself, and has what people write: comments, labels, quoted and plain texts, blocks.
"""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "toolhive.stacklok.dev/v1alpha1"
FOLDER_SIZE = 1000

SPECS: tuple[tuple[str, str], ...] = (
    (
        "MCPGroup",
        """\
  # What belongs together is found together.
  description: |
    Servers of cell {n}.
    Ask team-{team}@example.com before changing anything here.
""",
    ),
    (
        "MCPOIDCConfig",
        """\
  type: inline
  inline:
    issuer: "https://login-{team}.example.com"
    jwksUrl: "https://login-{team}.example.com/.well-known/jwks.json"
    clientId: "tools-{n}"
    clientSecretRef:
      name: login-{n}
      key: client-secret
""",
    ),
    (
        "MCPTelemetryConfig",
        """\
  openTelemetry:
    enabled: true
    endpoint: https://collector-{team}.monitoring:4318
    tracing:
      enabled: true
      samplingRate: "0.05"
    metrics:
      enabled: true
    resourceAttributes:
      deployment.environment: production
      cell: "{n}"
""",
    ),
    (
        "MCPToolConfig",
        """\
  toolsFilter:  # the others are for administrators
    - search
    - read_page
    - list_pages
    - read_revision
  toolsOverride:
    search:
      name: search-{n}
      description: "Searches the pages of cell {n}; at most 20 results."
    read_page:
      name: read-page-{n}
""",
    ),
    (
        "MCPServer",
        """\
  image: ghcr.io/example/pages:1.{team}.0
  transport: streamable-http
  proxyPort: 8080
  mcpPort: 9090
  args:
    - --read-only
    - --cell={n}
  env:
    - name: LOG_LEVEL
      value: info
    - name: PAGE_LIMIT
      value: "20"
  groupRef:
    name: mcpgroup-{n}
  toolConfigRef:
    name: mcptoolconfig-{n}
  telemetryConfigRef:
    name: mcptelemetryconfig-{n}
    serviceName: pages-{n}
  oidcConfigRef:
    name: mcpoidcconfig-{n}
    audience: pages-{n}
""",
    ),
    (
        "MCPServer",
        """\
  image: "ghcr.io/example/clock:2.0.{team}"
  transport: stdio
  proxyMode: streamable-http
  proxyPort: 8081
  secrets:
    - name: clock-{n}
      key: token
      targetEnvName: CLOCK_TOKEN
  groupRef:
    name: mcpgroup-{n}
  podTemplateSpec:
    spec:
      containers:
        - name: mcp
          resources:
            limits: {{cpu: 500m, memory: 256Mi}}
            requests: {{cpu: 50m, memory: 64Mi}}
""",
    ),
    (
        "MCPRemoteProxy",
        """\
  remoteUrl: https://remote-{team}.example.com/mcp
  transport: streamable-http
  proxyPort: 8080
  oidcConfigRef:
    name: mcpoidcconfig-{n}
    audience: remote-{n}
  externalAuthConfigRef:
    name: mcpexternalauthconfig-{n}
  groupRef:
    name: mcpgroup-{n}
""",
    ),
    (
        "MCPServerEntry",
        """\
  remoteUrl: https://entry-{team}.example.com/mcp
  transport: streamable-http
  groupRef:
    name: mcpgroup-{n}
""",
    ),
    (
        "EmbeddingServer",
        """\
  model: BAAI/bge-small-en-v1.5
  image: ghcr.io/huggingface/text-embeddings-inference:cpu-1.7
  port: 8080
  resources:
    limits:
      cpu: "2"
      memory: 4Gi
    requests:
      cpu: 500m
      memory: 1Gi
""",
    ),
    (
        "VirtualMCPCompositeToolDefinition",
        """\
  name: find_and_read_{n}
  description: Searches pages and reads the best match.
  parameters:
    type: object
    properties:
      query: {{type: string}}
    required: [query]
  steps:
    - id: search
      type: tool
      tool: mcpserver-{n}.search
      arguments:
        query: "{{{{.params.query}}}}"
    - id: read
      type: tool
      tool: mcpserver-{n}.read_page
      dependsOn: [search]
      arguments:
        page: "{{{{.steps.search.output.text}}}}"
""",
    ),
    (
        "MCPExternalAuthConfig",
        """  type: tokenExchange
  tokenExchange:
    tokenUrl: https://login-{team}.example.com/oauth/token
    clientId: exchange-{n}
    clientSecretRef:
      name: exchange-{n}
      key: client-secret
    audience: pages-{n}
    scopes: [read]
""",
    ),
    (
        "VirtualMCPServer",
        """  groupRef:
    name: mcpgroup-{n}
  incomingAuth:
    type: anonymous
    authzConfig:
      type: inline
      inline:
        policies:
          - permit(principal, action, resource);
  outgoingAuth:
    source: discovered
  config:
    aggregation:
      conflictResolution: prefix
      conflictResolutionConfig:
        prefixFormat: "{{workload}}_"
    compositeToolRefs:
      - name: virtualmcpcompositetooldefinition-{n}
""",
    ),
)


def documents() -> Iterator[str]:
    """Yield sound documents without end."""
    for cell in count():
        seen: dict[str, int] = {}
        for kind, spec in SPECS:
            place = seen[kind] = seen.get(kind, -1) + 1
            name = f"{kind.lower()}-{cell}" + (f"-{place}" if place else "")
            yield (
                f"apiVersion: {API}\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: cell-{cell}\n"
                f"  labels:\n    app.kubernetes.io/name: {name}\n    team: team-{cell % 19}\n"
                f'  annotations:\n    example.com/revision: "{cell}"\n'
                f"spec:\n{spec.format(n=cell, team=cell % 19)}"
            )


def write(folder: str, size: int) -> None:
    """Write ``size`` documents below ``folder``, a thousand files in each folder, unless they are there."""
    done = os.path.join(folder, ".complete")
    if os.path.exists(done):
        return
    for number, text in zip(range(size), documents(), strict=False):
        below = os.path.join(folder, f"{number // FOLDER_SIZE:03}")
        if number % FOLDER_SIZE == 0:
            os.makedirs(below, exist_ok=True)
        with open(os.path.join(below, f"{number:06}.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
    with open(done, "w", encoding="utf-8"):
        pass
