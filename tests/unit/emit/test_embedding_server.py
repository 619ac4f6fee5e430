"""The pod of an embedding server."""

from __future__ import annotations

import sample
from admitted import only

from mcpcfg.compiler.emit import embeddingserver


def test_the_first_container_of_its_name_gives_the_security_context() -> None:
    containers = (
        "{name: other, securityContext: {runAsUser: 1}}",
        "{name: embedding, securityContext: {runAsUser: 2}}",
        "{name: embedding, securityContext: {runAsUser: 3}}",
    )
    template = f"podTemplateSpec: {{spec: {{containers: [{', '.join(containers)}]}}}}"
    pod = embeddingserver._pod(only(sample.resource("EmbeddingServer", "vectors", "model: a/b", template)))
    (container,) = pod["containers"]
    assert container["securityContext"] == {"runAsUser": 2}
