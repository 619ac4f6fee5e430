"""CEL types that are parsed from strings, and their functions: addresses, URLs, quantities, versions, formats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ...golang import url
from ...language.cel import clock
from ...language.cel.value import LARGEST, LARGEST_UNSIGNED, SMALLEST, CelError, Optional, UnsupportedError, text_of
from .. import names, quantity

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Address:
    """An IP address."""

    value: IPv4Address | IPv6Address

    type_name = "net.IP"

    def text(self) -> str:
        """Return the address in canonical notation."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Network:
    """A range of IP addresses.

    Attributes:
        bits: Length of the network prefix in bits.
    """

    address: IPv4Address | IPv6Address
    bits: int

    type_name = "net.CIDR"

    def text(self) -> str:
        """Return the range in CIDR notation. The address keeps its host bits: ``10.0.0.7/8``."""
        return f"{self.address}/{self.bits}"

    def range(self) -> IPv4Network | IPv6Network:
        """Return the range, without the host bits of its address."""
        import ipaddress

        return ipaddress.ip_network(self.text(), strict=False)


@dataclass(frozen=True, slots=True)
class UrlValue:
    """A URL as a CEL value."""

    value: url.Url

    type_name = "kubernetes.URL"


class QuantityValue:
    """A Kubernetes quantity as a CEL value."""

    __slots__ = ("value",)

    type_name = "kubernetes.Quantity"

    def __init__(self, value: quantity.Quantity) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        """Return whether ``other`` is a quantity of the same amount: ``1Gi`` equals ``1024Mi``."""
        return isinstance(other, QuantityValue) and self.value.compare(other.value) == 0

    def __hash__(self) -> int:
        digits = str(self.value.mantissa)
        stripped = digits.rstrip("0")
        return hash((stripped, stripped and self.value.exponent + len(digits) - len(stripped)))


@dataclass(frozen=True, slots=True)
class Version:
    """A semantic version without its build metadata.

    Attributes:
        numbers: Major, minor and patch version.
        prerelease: Identifiers of the pre-release, such as ``rc`` and ``1``; empty for a release.
    """

    numbers: tuple[int, int, int]
    prerelease: tuple[str, ...]

    type_name = "kubernetes.Semver"

    def key(self) -> tuple[Any, ...]:
        """Return the sort key. A release sorts after its pre-releases."""
        parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.prerelease]
        return self.numbers, not parts, parts


@dataclass(frozen=True, slots=True)
class FormatValue:
    """A string format that CEL knows by name, such as ``dns1123Label``."""

    name: str

    type_name = "kubernetes.NamedFormat"


_PARTS: Final = r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
_VERSION: Final = re.compile(rf"{_PARTS}(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?", re.ASCII)


def _can(read: Callable[..., Any], kind: type[Any] = str) -> Callable[..., bool]:
    def asks(value: Any, *more: Any) -> bool:
        given = _as(kind, value)
        try:
            read(given, *more)
        except CelError:
            return False
        return True

    return asks


def _as(kind: type[T], value: Any) -> T:
    if isinstance(value, kind):
        return value
    raise CelError(f"no such overload: not a {kind.__name__.lower()}")


def _address(value: Any) -> Address:
    import ipaddress

    if isinstance(value, Network):
        return Address(value.address)
    try:
        address = ipaddress.ip_address(text_of(value))
    except ValueError:
        raise CelError(f"{value!r} is not an IP address") from None
    if "%" in value or getattr(address, "ipv4_mapped", None) is not None:
        raise CelError(f"{value!r} is an IP address with a zone, or one of version 4 within version 6")
    return Address(address)


def _network(value: Any) -> Network:
    address, slash, bits = text_of(value).rpartition("/")
    parsed = _address(address).value
    is_plain = slash and bits.isascii() and bits.isdigit() and (bits == "0" or not bits.startswith("0"))
    if not is_plain or len(bits) > len("128") or int(bits) > parsed.max_prefixlen:
        raise CelError(f"{value!r} is not a range of IP addresses")
    return Network(parsed, int(bits))


def _contains(whole: Network, part: Any) -> bool:
    address = part if isinstance(part, Address) else _address(part)
    return address.value.version == whole.address.version and address.value in _as(Network, whole).range()


def _covers(whole: Network, part: Any) -> bool:
    inner = part if isinstance(part, Network) else _network(part)
    if inner.address.version != whole.address.version or inner.bits < whole.bits:
        return False
    return inner.address in whole.range()


def _is_global(value: Address) -> bool:
    address = _as(Address, value).value
    # Like netip.Addr.IsGlobalUnicast, which includes private addresses.
    is_broadcast = address.version == 4 and str(address) == "255.255.255.255"
    return not (
        address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local or is_broadcast
    )


def _is_local_multicast(value: Address) -> bool:
    address = _as(Address, value).value
    # Like netip.Addr.IsLinkLocalMulticast: 224.0.0.0/24 and ff02::/16, whatever the flags in the second byte.
    return address.is_multicast and (
        str(address).startswith("224.0.0.")
        if address.version == 4
        else int.from_bytes(address.packed[:2], "big") & 0xFF0F == 0xFF02
    )


def _link(value: Any) -> UrlValue:
    try:
        parsed = url.parse(text_of(value))
    except url.UrlError:
        raise CelError(f"{value!r} is not a URL") from None
    if not (parsed.scheme or value.startswith("/") or value == "*"):
        raise CelError(f"{value!r} is not an absolute URL")
    return UrlValue(parsed)


def _query(value: UrlValue) -> dict[str, list[str]]:
    from urllib.parse import unquote_plus

    out: dict[str, list[str]] = {}
    for pair in _as(UrlValue, value).value.query.split("&"):
        if pair and ";" not in pair:
            key, _, text = pair.partition("=")
            out.setdefault(unquote_plus(key), []).append(unquote_plus(text))
    return out


def _host(value: UrlValue) -> tuple[str, str]:
    """Return the host name of a URL without brackets, and its port. The port is empty if the URL has none."""
    host = _as(UrlValue, value).value.host
    name, colon, port = host.rpartition(":")
    if colon and (not port or (port.isascii() and port.isdigit())) and not name.endswith(":"):
        host = name
    else:
        port = ""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host, port


def _escaped_path(value: UrlValue) -> str:
    parsed = _as(UrlValue, value).value
    return parsed.raw_path or url.escape_path(parsed.path)


def _amount(value: Any) -> QuantityValue:
    try:
        return QuantityValue(quantity.parse(text_of(value)))
    except quantity.QuantityError:
        raise CelError(f"{value!r} is not a quantity") from None


def _whole(value: QuantityValue) -> int:
    amount = _as(QuantityValue, value).value
    if amount.sign and amount.magnitude > len(str(LARGEST)):
        raise CelError("cannot convert value to integer")
    power = max(amount.exponent, 0) if amount.sign else 0
    whole, rest = divmod(amount.mantissa * 10**power, 10 ** max(-amount.exponent, 0))
    if rest or not SMALLEST <= whole <= LARGEST:
        raise CelError("cannot convert value to integer")
    return int(whole)


def _float(amount: quantity.Quantity) -> float:
    return float(f"{amount.mantissa}e{amount.exponent}")  # infinite if too large, as in Go


def _sum(value: QuantityValue, other: Any, sign: int) -> QuantityValue:
    left = _as(QuantityValue, value).value
    right = _amount(str(other)).value if type(other) is int else _as(QuantityValue, other).value
    exponent = min(left.exponent, right.exponent)
    if max(left.magnitude, right.magnitude) - exponent > quantity.LONGEST:
        raise UnsupportedError(f"a sum of more than {quantity.LONGEST:,} digits is not evaluated here")
    total = left.mantissa * 10 ** (left.exponent - exponent) + sign * right.mantissa * 10 ** (right.exponent - exponent)
    return QuantityValue(quantity.Quantity(total, exponent, left.format))


def _version(value: Any, loosely: Any = False) -> Version:  # noqa: FBT002 - comes by position
    text = text_of(value)
    if loosely:
        head, sign, rest = re.match(r"([^-+]*)([-+]?)(.*)", text.strip().removeprefix("v"), re.DOTALL).groups()  # type: ignore[union-attr] # it matches any text
        parts = [part.lstrip("0") or "0" if part.isdigit() else part for part in head.split(".")]
        text = ".".join([*parts, *["0"] * (3 - len(parts))]) + sign + rest
    match = _VERSION.fullmatch(text)
    before = tuple(match[4].split(".")) if match and match[4] else ()
    built = match[5].split(".") if match and match[5] else ()
    odd = any(not part or (part.isdigit() and part != "0" and part.startswith("0")) for part in before)
    numbers = (part for part in (*(match.groups()[:3] if match else ()), *before) if part.isdigit())
    if match is None or odd or not all(built) or any(len(part) > len(str(LARGEST_UNSIGNED)) for part in numbers):
        raise CelError(f"{value!r} is not a semantic version")
    major, minor, patch = (int(part) for part in match.groups()[:3])
    return Version((major, minor, patch), before)


def _compared(left_value: Any, right_value: Any) -> int:
    if isinstance(left_value, QuantityValue):
        return left_value.value.compare(_as(QuantityValue, right_value).value)
    left, right = _as(Version, left_value).key(), _as(Version, right_value).key()
    return (left > right) - (left < right)


def _prefix(check: Callable[[str], tuple[str, ...]]) -> Callable[[str], tuple[str, ...]]:
    return lambda text: check(names.name_prefix(text))


def _has(form: str) -> Callable[[str], tuple[str, ...]]:
    def check(text: str) -> tuple[str, ...]:
        from ..text_format import has_format

        return () if has_format(text, form) else (f"is no {form}",)

    return check


_FORMATS: Final[dict[str, Callable[[str], tuple[str, ...]]]] = {
    "dns1123Label": names.dns_label_faults,
    "dns1123Subdomain": names.dns_subdomain_faults,
    "dns1035Label": names.dns_1035_label_faults,
    "qualifiedName": names.label_key_faults,
    "dns1123LabelPrefix": _prefix(names.dns_label_faults),
    "dns1123SubdomainPrefix": _prefix(names.dns_subdomain_faults),
    "dns1035LabelPrefix": _prefix(names.dns_1035_label_faults),
    "labelValue": names.label_value_faults,
    "uri": _has("uri"),
    "uuid": _has("uuid"),
    "byte": _has("byte"),
    "date": _has("date"),
    "datetime": _has("datetime"),
}


def _validated(form: FormatValue, text: str) -> Optional:
    faults = _FORMATS[_as(FormatValue, form).name](text_of(text))
    return Optional([*faults]) if faults else Optional()


def _address_attribute(name: str) -> Callable[[Address], Any]:
    return lambda value: getattr(_as(Address, value).value, name)


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "ip": _address,
    "isIP": _can(_address),
    "ip.isCanonical": lambda text: _address(text_of(text)).text() == text,
    "family": _address_attribute("version"),
    "isUnspecified": _address_attribute("is_unspecified"),
    "isLoopback": _address_attribute("is_loopback"),
    "isLinkLocalMulticast": _is_local_multicast,
    "isLinkLocalUnicast": _address_attribute("is_link_local"),
    "isGlobalUnicast": _is_global,
    "cidr": _network,
    "isCIDR": _can(_network),
    "containsIP": _contains,
    "containsCIDR": _covers,
    "prefixLength": lambda value: _as(Network, value).bits,
    "masked": lambda value: Network(_as(Network, value).range().network_address, value.bits),
    "url": _link,
    "isURL": _can(_link),
    "getScheme": lambda value: _as(UrlValue, value).value.scheme,
    "getHost": lambda value: _as(UrlValue, value).value.host,
    "getHostname": lambda value: _host(value)[0],
    "getPort": lambda value: _host(value)[1],
    "getEscapedPath": _escaped_path,
    "getQuery": _query,
    "quantity": _amount,
    "isQuantity": _can(_amount),
    "sign": lambda value: _as(QuantityValue, value).value.sign,
    "isGreaterThan": lambda left, right: _compared(left, right) > 0,
    "isLessThan": lambda left, right: _compared(left, right) < 0,
    "compareTo": _compared,
    "asApproximateFloat": lambda value: _float(_as(QuantityValue, value).value),
    "asInteger": _whole,
    "isInteger": _can(_whole, QuantityValue),
    "add": lambda value, other: _sum(value, other, 1),
    "sub": lambda value, other: _sum(value, other, -1),
    "semver": _version,
    "isSemver": _can(_version),
    "major": lambda value: _as(Version, value).numbers[0],
    "minor": lambda value: _as(Version, value).numbers[1],
    "patch": lambda value: _as(Version, value).numbers[2],
    "format.named": lambda name: Optional(FormatValue(name)) if text_of(name) in _FORMATS else Optional(),
    "validate": _validated,
    **{f"format.{name}": lambda name=name: FormatValue(name) for name in _FORMATS},
}


def as_declared(text: str, form: str) -> Any:
    """Return the CEL value of a string whose schema has the format ``form``: a timestamp, a duration, or bytes.

    Raises:
        CelError: The string does not have the format.
    """
    if form == "duration":
        return clock.parse_duration(text)
    if form == "byte":
        import base64
        import binascii

        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error:
            raise CelError(f"{text!r} is not base64") from None
    return clock.parse_timestamp(f"{text}T00:00:00Z" if form == "date" else text)
