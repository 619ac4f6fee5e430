"""A fault of clients is refused in a resource as it is in a run configuration, or by the API server."""

import ast
from pathlib import Path

from mcpcfg.compiler.toolhive import auth_client as shared
from mcpcfg.compiler.vmcp.auth_client import HINTS, OF_API_SERVER, PLACES


def test_the_codes_that_are_told_apart_exist() -> None:
    texts = {
        node.value for node in ast.walk(ast.parse(Path(shared.__file__).read_text())) if isinstance(node, ast.Constant)
    }
    made = {f"plain-{what}-{clients}" for what in ("http", "issuer") for clients in ("registration", "delegates")}
    assert {*OF_API_SERVER, *PLACES, *HINTS} <= texts | made
