"""Reading the configuration file, as strictly as any other input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .document import read_documents
from .settings import Settings, from_data
from .source import InputError

if TYPE_CHECKING:
    from .finding import Finding


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
    # Kubernetes would read off as a boolean: here it is a word
    documents, findings = read_documents(text, file, dialect="vmcp")
    if documents and not findings:
        from .admission.file import file_findings

        findings = file_findings("mcpcfg", documents[0])
    if findings:
        raise InputError("\n".join(["the configuration is not valid:", *(_line(one, file, shown) for one in findings)]))
    data = documents[0].data if documents else {}
    return data if isinstance(data, dict) else {}


def _line(finding: Finding, file: str, shown: str | None) -> str:
    place = shown or f"{file}:{finding.span.line}:{finding.span.column}"
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"  {place}: {finding.message}{hint}"
