"""Check webhooks in files and run configurations.

Source: toolhive 0.21.0 and 0.44.0, package webhook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.decoder import Decoder
from ...golang.duration import format_duration
from ...toolhive.release import NEWEST_MODELLED, holds
from ..shape import TYPES, decode
from ..unknown_key import decoding_faults
from .audit import UNDECODABLE, UNKNOWN_FIELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ...diagnostics.span import Path
    from ...golang.shape import Misfit

WEBHOOK_INCOMPLETE = rule("FIL030 webhook-incomplete", "process", "A webhook has no name, no URL or no failure policy")
WEBHOOK_INSECURE = rule("FIL031 webhook-not-https", "process", "The URL of a webhook is not HTTPS")
WEBHOOK_TIMEOUT = rule(
    "FIL032 webhook-timeout-refused", "process", "The timeout of a webhook is not between 1 and 30 seconds"
)
WEBHOOK_CERTIFICATE = rule(
    "FIL033 webhook-certificate-incomplete",
    "process",
    "A file of webhooks has a client certificate without its key, or a key without its certificate",
)
WEBHOOK_TWIN = rule("FIL034 webhook-name-twice", "lint", "Two webhooks of a kind have the same name")
WEBHOOK_UNSIGNED = rule(
    "FIL035 webhook-unsigned", "lint", "A webhook has a signing secret that is not used", until="0.27.0"
)


LEAST_TIMEOUT, MOST_TIMEOUT = 1_000_000_000, 30_000_000_000
"""The shortest and the longest timeout that ToolHive accepts, in nanoseconds: 1 s and 30 s (``MaxTimeout``)."""

POLICIES = ("fail", "ignore")


def check_webhook_file(
    data: Any, written: Callable[[Path], str | None] | None = None, release: str = NEWEST_MODELLED
) -> list[Fault]:
    """Return the faults of a file of webhooks.

    Args:
        written: Returns the source text of the scalar at a path of a YAML file; ``None`` for a JSON file.
    """
    config, misfits, unknown = decode(data, "WebhookFile") if written is None else _decode_yaml(data, written)
    faults = decoding_faults("WebhookFile", misfits, unknown, UNDECODABLE, UNKNOWN_FIELD)
    if not misfits:
        for key in ("validating", "mutating"):
            faults += [fault._replace(path=(key, *fault.path)) for fault in webhook_faults(config[key] or (), release)]
    return faults


def _decode_yaml(data: Any, written: Callable[[Path], str | None]) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    decoder = Decoder(TYPES, "yaml", text=written)
    config: dict[str, Any] = decoder.decode(data, ("struct", "WebhookFile"))
    return config, decoder.misfits, decoder.unknown


def webhook_faults(webhooks: Sequence[Mapping[str, Any]], release: str = NEWEST_MODELLED) -> Iterator[Fault]:
    """Yield the faults of a list of decoded webhooks. Paths are relative to the list."""
    seen: set[str] = set()
    for number, webhook in enumerate(webhooks):
        yield from below((number,), refusals(webhook))
        if webhook["hmac_secret_ref"] and holds(None, WEBHOOK_UNSIGNED.until, release):
            message = "calls are not signed, because the secret is not read"
            hint = "authenticate callers in another way, such as with client certificates"
            yield Fault((number, "hmac_secret_ref"), WEBHOOK_UNSIGNED, message, hint)
        if webhook["name"] in seen:
            message = f"another webhook of the list is called {shown(webhook['name'])} too"
            yield Fault((number, "name"), WEBHOOK_TWIN, message, "rename one of the two")
        seen.add(webhook["name"])


def refusals(webhook: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a decoded webhook for which proxies and the operator refuse the webhook.

    The operator checks webhooks when it writes a RunConfig.
    """
    if not webhook["name"]:
        yield Fault((), WEBHOOK_INCOMPLETE, "a webhook has no name", "name it")
    yield from _address(webhook)
    policy = webhook["failure_policy"]
    if policy not in POLICIES:
        message = f'{shown(policy)} is neither "fail" nor "ignore"' if policy else "a webhook has no failure_policy"
        hint: str | None = 'write "fail" or "ignore"'
        yield Fault(("failure_policy",) if policy else (), WEBHOOK_INCOMPLETE, message, hint)
    timeout = webhook["timeout"]
    if (timeout != 0 and timeout < LEAST_TIMEOUT) or timeout > MOST_TIMEOUT:
        message = f"a timeout of {format_duration(timeout)} is not between 1s and 30s"
        # Less than a millisecond was hardly meant, but a number without unit.
        hint = "write a duration with a unit: a number counts nanoseconds" if 0 < timeout < 1_000_000 else None
        yield Fault(("timeout",), WEBHOOK_TIMEOUT, message, hint)
    tls = webhook["tls_config"]
    if tls is not None and bool(tls["client_cert_path"]) != bool(tls["client_key_path"]):
        missing = "client_key_path" if tls["client_cert_path"] else "client_cert_path"
        hint = f"set {missing}"
        yield Fault(("tls_config",), WEBHOOK_CERTIFICATE, f'"{missing}" is missing beside the other', hint)


def _address(webhook: Mapping[str, Any]) -> Iterator[Fault]:
    address = webhook["url"]
    if not address:
        yield Fault((), WEBHOOK_INCOMPLETE, "a webhook has no url", "set url")
        return
    try:
        scheme = url.parse(address.replace("#", "%23")).scheme
    except url.UrlError:
        yield Fault(("url",), WEBHOOK_INCOMPLETE, f"{shown(address)} is not a URL", "write an https address")
        return
    if not scheme and not address.startswith("/"):
        hint = "write an https address"
        yield Fault(("url",), WEBHOOK_INCOMPLETE, f"{shown(address)} is not an absolute URL", hint)
        return
    tls = webhook["tls_config"]
    if scheme != "https" and not (tls is not None and tls["insecure_skip_verify"]):
        hint = "use https, or set insecure_skip_verify inside a cluster"
        yield Fault(("url",), WEBHOOK_INSECURE, f"{shown(address)} is not https", hint)
