"""Find the data of a catalog record that has no field in a registry entry.

Source: toolhive-core 0.0.16, registry/converters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

PUBLISHER_KEY = "io.modelcontextprotocol.registry/publisher-provided"
"""The key in ``_meta`` of a record under which publishers store extensions."""
NAMESPACE = "io.github.stacklok"
"""The key of ToolHive's extensions among the publisher's extensions."""
RECORD_VERSION = "1.0.0"
"""The version of every record that is converted from an entry, as in toolhive-core (``defaultVersion``)."""

_RECORD_FIELDS = (("version", "the version"), ("websiteUrl", "the home page"), ("icons", "the icons"))
_PACKAGE_FIELDS = ("registryBaseUrl", "version", "fileSha256", "runtimeHint")
_VARIABLE_FIELDS = ("format", "value", "placeholder", "choices", "variables")
_HEADER_FIELDS = ("format", "value", "placeholder", "variables")


class Loss(NamedTuple):
    """Data that a conversion drops.

    Attributes:
        path: The path of the data in the original document.
        message: The name of the data, or advice on how to express the data in the result.
    """

    path: Path
    message: str


def record_losses(record: Mapping[str, Any], path: Path) -> list[Loss]:
    """Return the data of a sound catalog record at ``path`` that a conversion to a registry entry loses."""
    return [Loss((*path, *loss.path), loss.message) for loss in _losses(record)]


def _losses(record: Mapping[str, Any]) -> Iterator[Loss]:
    for key, words in _RECORD_FIELDS:
        if record[key] and not (key == "version" and record[key] == RECORD_VERSION):
            yield Loss((key,), f"{words} of the record")
    repository = record["repository"] or {}
    for key in ("source", "id", "subfolder"):
        if repository.get(key) and not (key == "source" and repository[key] == "github"):
            yield Loss(("repository", key), f'"{key}" of the repository')
    if record["remotes"]:
        yield from _remote_losses(record["remotes"])
        if record["packages"]:
            yield Loss(("packages",), "the packages: a remote goes before them")
        extension_key = record["remotes"][0]["url"]
    else:
        yield from _package_losses(record["packages"])
        extension_key = next(
            package["identifier"] for package in record["packages"] if package["registryType"] == "oci"
        )
    extras = ((record["_meta"] or {}).get(PUBLISHER_KEY) or {}).get(NAMESPACE)
    for key in extras if isinstance(extras, dict) and extension_key in extras else ():
        if key != extension_key:
            yield Loss(("_meta", PUBLISHER_KEY, NAMESPACE, key), "an extension of something else")


def _remote_losses(remotes: list[dict[str, Any]]) -> Iterator[Loss]:
    for number, header in enumerate(remotes[0]["headers"] or ()):
        yield from _input_losses(header, _HEADER_FIELDS, ("remotes", 0, "headers", number))
    if remotes[0]["variables"]:
        yield Loss(("remotes", 0, "variables"), "the variables of the URL")
    for number in range(1, len(remotes)):
        yield Loss(("remotes", number), "a second remote: the first one is used")


def _package_losses(packages: list[dict[str, Any]]) -> Iterator[Loss]:
    for number, package in enumerate(packages):
        path: Path = ("packages", number)
        if package["registryType"] != "oci":
            yield Loss(path, f"a package of type {package['registryType']}: images alone are run")
            continue
        for key in _PACKAGE_FIELDS:
            if package[key]:
                yield Loss((*path, key), f'"{key}" of the package')
        for index, variable in enumerate(package["environmentVariables"] or ()):
            yield from _input_losses(variable, _VARIABLE_FIELDS, (*path, "environmentVariables", index))
        for index, argument in enumerate(package["runtimeArguments"] or ()):
            if not _is_variable(argument):
                yield Loss((*path, "runtimeArguments", index), "an argument of the engine that sets no variable")
        for index, argument in enumerate(package["packageArguments"] or ()):
            if not argument["value"] and (argument["default"] or argument["valueHint"]):
                yield Loss((*path, "packageArguments", index), "an argument whose value is not given")


def _is_variable(argument: Mapping[str, Any]) -> bool:
    return argument["type"] == "named" and argument["name"] in {"-e", "--env"} and "=" in argument["value"]


def _input_losses(given: Mapping[str, Any], keys: Iterable[str], path: Path) -> Iterator[Loss]:
    for key in keys:
        if given[key]:
            yield Loss((*path, key), f'"{key}" of {given["name"]}')
