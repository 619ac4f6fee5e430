"""A repository as Flux applies it: apps of other programs in folders of their own, and a few servers of ours.

    python benchmarks/repository.py COUNT FOLDER [CLUSTERS]

writes COUNT files of YAML, 20 of them with resources of ours, for one cluster or several that take all apps.
"""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS: Final = 20
NAMESPACES: Final = ("auth", "database", "default", "downloads", "home", "media", "network", "observability")
VARIABLES: Final = 40

BOOTSTRAP: Final = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: cluster
  namespace: flux-system
spec:
  interval: 1h
  path: ./clusters/{cluster}
  prune: true
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""

APP: Final = """\
---
# yaml-language-server: $schema=https://schemas.example.com/kustomization-kustomize-v1.json
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: &app {app}
  namespace: &namespace {namespace}
spec:
  targetNamespace: *namespace
  commonMetadata:
    labels:
      app.kubernetes.io/name: *app
  interval: 1h
  path: ./apps/{namespace}/{app}/app
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
    namespace: flux-system
  postBuild:
    substitute:
      APP: *app
      CAPACITY: 5Gi
    substituteFrom:
      - kind: ConfigMap
        name: settings
  wait: false
"""

RELEASE: Final = """\
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: {app}
spec:
  interval: 1h
  chartRef:
    kind: OCIRepository
    name: {app}
  install:
    remediation:
      retries: -1
  upgrade:
    cleanupOnFail: true
    remediation:
      retries: 3
  values:
    controllers:
      {app}:
        annotations:
          reloader.example.com/auto: "true"
        containers:
          app:
            image:
              repository: ghcr.io/acme/{app}
              tag: 1.2.3@sha256:6f5d9b9d3a1e4d43b1e5a0e2b2f7e9a6c3d4b5a697887766554433221100aabb
            env:
              TZ: ${{TIMEZONE}}
              PORT: &port 8080
              LOG_LEVEL: info
            envFrom:
              - secretRef:
                  name: {app}-secret
            probes:
              liveness: &probes
                enabled: true
                custom: true
                spec:
                  httpGet:
                    path: /healthz
                    port: *port
                  initialDelaySeconds: 0
                  periodSeconds: 10
                  timeoutSeconds: 1
                  failureThreshold: 3
              readiness: *probes
            securityContext:
              allowPrivilegeEscalation: false
              readOnlyRootFilesystem: true
              capabilities: {{ drop: ["ALL"] }}
            resources:
              requests:
                cpu: 10m
              limits:
                memory: 512Mi
    service:
      app:
        ports:
          http:
            port: *port
    route:
      app:
        hostnames: ["{{{{ .Release.Name }}}}.${{SECRET_DOMAIN}}"]
        parentRefs:
          - name: internal
            namespace: network
            sectionName: https
    persistence:
      config:
        existingClaim: "{app}"
      tmp:
        type: emptyDir
"""

OF_VAULT: Final = """\
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: {app}
spec:
  refreshInterval: 12h
  secretStoreRef:
    kind: ClusterSecretStore
    name: vault
  target:
    name: {app}-secret
    template:
      data:
        TOKEN: "{{{{ .TOKEN }}}}"
  dataFrom:
    - extract:
        key: {app}
"""

SOURCE: Final = """\
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: {app}
spec:
  interval: 15m
  layerSelector:
    mediaType: application/vnd.cncf.helm.chart.content.v1.tar+gzip
    operation: copy
  ref:
    tag: 4.1.2
  url: oci://ghcr.io/acme/charts/app-template
"""

SERVER: Final = """\
---
apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata:
  name: {app}
spec:
  image: ghcr.io/acme/{app}:1.4.0
  transport: streamable-http
  mcpPort: 8000
  proxyPort: 8080
  groupRef:
    name: server-0
  env:
    - name: BASE_URL
      value: https://{app}.${{SECRET_DOMAIN}}
  secrets:
    - name: tokens
      key: {app}
      targetEnvName: TOKEN
"""

GROUP: Final = """\
apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPGroup
metadata:
  name: server-0
"""


def listing(*files: str) -> str:
    """Return a kustomization that lists files."""
    return "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n" + "".join(
        f"  - {one}\n" for one in files
    )


def rest(apps: list[tuple[str, str]], clusters: int) -> Iterator[tuple[str, str]]:
    """Yield what every size has: the clusters, the lists of apps, and the servers."""
    names = sorted(f"server-{number}" for number in range(OURS))
    settings = "".join(f"  VARIABLE_{number}: value-{number}\n" for number in range(VARIABLES))
    for number in range(clusters):
        cluster = f"cluster-{number}"
        folder = f"clusters/{cluster}"
        yield f"{folder}/cluster.yaml", BOOTSTRAP.format(cluster=cluster)
        values = f"{settings}  TIMEZONE: Europe/Zurich\n  SECRET_DOMAIN: {cluster}.example.org\n"
        head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: flux-system\n"
        yield f"{folder}/settings.yaml", f"{head}data:\n{values}"
        yield f"{folder}/apps.yaml", BOOTSTRAP.format(cluster="apps").replace("./clusters/apps", "./apps")
    yield "apps/ai/servers/ks.yaml", APP.format(app="servers", namespace="ai")
    yield "apps/ai/servers/app/kustomization.yaml", listing("tokens.yaml", *(f"{one}.yaml" for one in names))
    head, _, keys = OF_VAULT.format(app="tokens").replace("tokens-secret", "tokens").partition("    template:")
    tokens = head + keys[keys.index("  dataFrom") :]
    yield "apps/ai/servers/app/tokens.yaml", tokens
    for one in names:
        text = GROUP if one == "server-0" else SERVER.format(app=one)
        yield f"apps/ai/servers/app/{one}.yaml", text
    yield "apps/ai/kustomization.yaml", listing("servers/ks.yaml")
    for namespace in NAMESPACES:
        own = [f"{app}/ks.yaml" for place, app in apps if place == namespace]
        yield f"apps/{namespace}/kustomization.yaml", listing(*own)
    yield "apps/kustomization.yaml", listing("ai", *NAMESPACES)


def of_app(namespace: str, app: str) -> Iterator[tuple[str, str]]:
    """Yield the files of an app of another program."""
    folder = f"apps/{namespace}/{app}"
    yield f"{folder}/ks.yaml", APP.format(app=app, namespace=namespace)
    files = {"helmrelease": RELEASE, "externalsecret": OF_VAULT, "ocirepository": SOURCE}
    yield f"{folder}/app/kustomization.yaml", listing(*(f"{one}.yaml" for one in files))
    for one, text in files.items():
        yield f"{folder}/app/{one}.yaml", text.format(app=app)


def files(count: int, clusters: int = 1) -> list[tuple[str, str]]:
    """Return the files of a repository of a size, by path."""
    apps = [(NAMESPACES[number % len(NAMESPACES)], f"app-{number}") for number in range(count // 5)]
    fixed = len([*rest([], clusters)])
    taken = apps[: max(0, count - fixed) // 5]
    found = [*rest(taken, clusters), *(one for app in taken for one in of_app(*app))]
    spare = ((f"apps/network/more/{number}.yaml", "a: 1\n") for number in range(count))
    return [*found, *islice(spare, max(0, count - len(found)))]


def write(folder: str, count: int, clusters: int = 1) -> None:
    """Write a repository."""
    for path, text in files(count, clusters):
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    write(sys.argv[2], int(sys.argv[1]), *map(int, sys.argv[3:4]))
