"""The built-in permission profiles of ToolHive."""

from __future__ import annotations

from typing import Any


def _profile(name: str, *, open_network: bool) -> dict[str, Any]:
    outbound = {"insecure_allow_all": open_network, "allow_host": None, "allow_port": None}
    network = {"mode": "", "outbound": outbound, "inbound": {"allow_host": None}}
    return {"name": name, "read": None, "write": None, "network": network, "privileged": False}


NONE_PROFILE = _profile("none", open_network=False)
"""A profile without mounts and without network access."""

NETWORK_PROFILE = _profile("network", open_network=True)
"""A profile without mounts and with full network access. It is the default of workloads."""

BUILTIN_PROFILES = {"none": NONE_PROFILE, "stdio": NONE_PROFILE, "network": NETWORK_PROFILE}
"""The built-in profiles by name. They take precedence over files with the same name."""
