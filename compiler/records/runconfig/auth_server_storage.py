"""Find the storage settings of an embedded authorization server that keep the server from starting.

Source: toolhive 0.21.0 and 0.44.0, packages authserver/runner and authserver/storage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RECORDED
from ...golang.duration import DurationError, parse_duration
from ...toolhive.release import holds
from .lint import IGNORED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STORAGE = rule(
    "RUN025 auth-server-storage-refused",
    "process",
    "The storage of the embedded authorization server is refused",
    verified=RECORDED,
)
_TIMEOUTS = ("dial_timeout", "read_timeout", "write_timeout")


def storage_faults(storage: Mapping[str, Any], release: str) -> Iterator[Fault]:
    """Yield the faults of a decoded storage: an unknown type, and missing, refused or ignored settings of Redis."""
    kind, redis = storage["type"], storage["redis_config"]
    if kind in {"", "memory"}:
        if redis is not None:
            message = f'"redis_config" is ignored, because the type is {kind or "memory"}'
            yield Fault(("redis_config",), IGNORED, message, "remove it", on_key=True)
        return
    if kind != "redis":
        yield Fault(("type",), STORAGE, f'{shown(kind)} is neither "memory" nor "redis"')
    elif redis is None:
        hint = "add it, or use memory"
        yield Fault((), STORAGE, 'the storage is redis, but there is no "redis_config"', hint)
    else:
        yield from below(("redis_config",), _redis(redis, release))


def _redis(redis: Mapping[str, Any], release: str) -> Iterator[Fault]:
    sentinel, user = redis["sentinel_config"], redis["acl_user_config"]
    if redis.get("addr") or redis.get("cluster_mode"):
        if sentinel is not None:
            key = "addr" if redis.get("addr") else "cluster_mode"
            yield Fault((key,), STORAGE, f'"{key}" does not go with "sentinel_config"', "remove one of the two")
        elif not redis.get("addr"):
            yield Fault(("cluster_mode",), STORAGE, '"cluster_mode" needs an "addr"', "set addr")
    elif sentinel is None:
        hint = "add sentinel_config"
        yield Fault((), STORAGE, 'Redis is reached through Sentinel, but there is no "sentinel_config"', hint)
    else:
        for key in ("master_name", "sentinel_addrs"):
            if not sentinel[key]:
                yield Fault(("sentinel_config",), STORAGE, f'"{key}" is missing', f"set {key}")
    if user is None:
        hint = "add acl_user_config"
        yield Fault((), STORAGE, 'Redis needs a user, but there is no "acl_user_config"', hint)
    else:
        for key in ("username_env_var", "password_env_var"):
            # Since v0.27.0, the user is optional. Without one, Redis authenticates its default user.
            is_needed = key == "password_env_var" or holds(None, "0.27.0", release)
            if not user[key] and is_needed:
                yield Fault(("acl_user_config",), STORAGE, f'"{key}" is missing', f"set {key}")
    if not redis["key_prefix"]:
        yield Fault((), STORAGE, '"key_prefix" is missing', "set key_prefix")
    for key in _TIMEOUTS:
        try:
            parse_duration(redis[key] or "0s")
        except DurationError:
            yield Fault((key,), STORAGE, f"{shown(redis[key])} is not a duration such as 5s")
