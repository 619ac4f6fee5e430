"""The permission profiles that the product has built in."""

from __future__ import annotations

from typing import Any


def _profile(name: str, *, open_network: bool) -> dict[str, Any]:
    outbound = {"insecure_allow_all": open_network, "allow_host": None, "allow_port": None}
    network = {"mode": "", "outbound": outbound, "inbound": {"allow_host": None}}
    return {"name": name, "read": None, "write": None, "network": network, "privileged": False}


NONE_PROFILE = _profile("none", open_network=False)
"""Nothing mounted, nothing to be reached."""

NETWORK_PROFILE = _profile("network", open_network=True)
"""Nothing mounted, everything to be reached: what a workload gets by default."""

BUILTIN_PROFILES = {"none": NONE_PROFILE, "stdio": NONE_PROFILE, "network": NETWORK_PROFILE}
"""Built-in profiles by the names that stand for them; they go before files of the same name."""
