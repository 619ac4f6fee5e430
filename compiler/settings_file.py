"""Reading the configuration file, as strictly as any other input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .document import read_documents
from .settings import Settings, from_data
from .source import InputError
from .tables import schema_text

if TYPE_CHECKING:
    from .source import Path


def read_settings(file: str) -> Settings:
    """Read ``mcpcfg.yaml``, or the ``[tool.mcpcfg]`` table of a ``pyproject.toml``.

    Raises:
        InputError: The file cannot be read or says something that its schema does not know; each fault with its place.
    """
    data = _toml_table(file) if file.endswith(".toml") else _yaml(file)
    try:
        return from_data(data, file)
    except KeyError as error:
        raise InputError(f"{file}: profile {error} is none of those under profiles") from error


def _toml_table(file: str) -> dict[str, Any]:
    import json
    import tomllib

    try:
        with open(file, "rb") as stream:
            table = tomllib.load(stream).get("tool", {}).get("mcpcfg", {})
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{file}: {error}") from error
    return _validated(json.dumps(table, default=str).encode(), file, f"{file} [tool.mcpcfg]")


def _yaml(file: str) -> dict[str, Any]:
    try:
        with open(file, "rb") as stream:
            return _validated(stream.read(), file, None)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error


def _validated(text: bytes, file: str, shown: str | None) -> dict[str, Any]:
    documents, findings = read_documents(text, file)
    told = [(finding.span, finding.message) for finding in findings]
    data = documents[0].data if documents else {}
    if not told:
        told = [(documents[0].span(path), message) for path, message in _faults(data)] if documents else []
    if told:
        lines = [f"  {shown or f'{file}:{span.line}:{span.column}'}: {message}" for span, message in told]
        raise InputError("\n".join(["the configuration is not valid:", *lines]))
    return data if isinstance(data, dict) else {}


def _faults(data: Any) -> list[tuple[Path, str]]:
    """Hold the configuration against its published JSON Schema."""
    import json

    from jsonschema import Draft202012Validator

    schema = json.loads(schema_text("mcpcfg") or "{}")
    errors = sorted(Draft202012Validator(schema).iter_errors(data), key=lambda error: list(map(str, error.path)))
    return [(tuple(error.absolute_path), error.message) for error in errors]
