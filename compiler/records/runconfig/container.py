"""Check what a run configuration says about its container, and about the address on which its proxy listens.

Source: toolhive 0.21.0 and 0.44.0, packages transport, runtime and container/kubernetes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RECORDED
from ...toolhive.constants import HOST_VARIABLE, PORT_VARIABLES, TRANSPORT_VARIABLE
from .origin import is_of_operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

CONTAINER = rule(
    "RUN065 runconfig-container-name-refused",
    "process",
    "A run configuration has no container name, or one that no container can have",
    verified=RECORDED,
)
HOST = rule(
    "RUN066 runconfig-host-refused",
    "process",
    "The host of a run configuration is not an IP address or a host name",
    verified=RECORDED,
)
CONTROL_CHARACTER = rule(
    "RUN067 runconfig-control-character",
    "process",
    "A run configuration puts a control character into a pod that Kubernetes cannot read",
    verified=RECORDED,
)

_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_.-]*"
_POD_NAME: Final = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
_HOST_NAME: Final = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?"
_NUMBERS: Final = r"[0-9.]+"
_UNREAD: Final = "[\x7f-\x84\x86-\x9f\ufffe\uffff]"


def container_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of the container and of the host. A remote server has no container."""
    if config["host"] and _cannot_listen(config["host"]):
        message = f"nothing can listen on {shown(config['host'])}"
        yield Fault(("host",), HOST, message, "write 0.0.0.0 or 127.0.0.1")
    if not config["image"] or config["remote_url"]:
        return
    name, is_of_pod = config["container_name"], is_of_operator(config)
    if not name:
        yield Fault((), CONTAINER, '"container_name" is missing', "set container_name")
    elif re.fullmatch(_POD_NAME if is_of_pod else _NAME, name) is None:
        hint = "write the name of the workload, of lower-case letters, digits and hyphens"
        yield Fault(("container_name",), CONTAINER, f"{shown(name)} cannot be the name of a container", hint)
    if is_of_pod:
        yield from _control_characters(config)


def _cannot_listen(host: str) -> bool:
    """Return whether a host is no address and cannot be a name. The proxy joins host and port by a colon."""
    import ipaddress

    if re.fullmatch(_NUMBERS, host) or host.startswith("["):
        try:
            ipaddress.ip_address(host.removeprefix("[").removesuffix("]").partition("%")[0])
        except ValueError:
            return True
        return False
    return re.fullmatch(_HOST_NAME, host) is None


def _control_characters(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each control character in an argument or a variable that reaches the pod."""
    added = {TRANSPORT_VARIABLE}
    if config["transport"] != "stdio":
        added |= {*PORT_VARIABLES, HOST_VARIABLE}
    texts: list[tuple[Path, str]] = [(("cmd_args", i), text) for i, text in enumerate(config["cmd_args"] or ())]
    variables: Mapping[str, str] = config["env_vars"] or {}
    texts += [(("env_vars", name), text) for name, text in variables.items() if name not in added]
    for path, text in texts:
        if match := re.search(_UNREAD, text):
            message = f"the text contains the control character U+{ord(match[0]):04X}, which the API server refuses"
            yield Fault(path, CONTROL_CHARACTER, message, "remove it")
