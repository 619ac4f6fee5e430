"""The signatures of the CEL functions that Kubernetes adds to the standard library.

Source: Kubernetes 1.35, k8s.io/apiserver: pkg/cel/environment/base.go and pkg/cel/library; cel-go v0.26, ext: strings
(version 2), sets, lists (version 3), and the library of optional values.
"""

from __future__ import annotations

from typing import Final

from ...language.cel.overloads import read_signatures

_ORDERED: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SUMMED: Final = ("int", "uint", "double", "duration")
_FORMATS: Final = (
    *("dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName"),
    *("dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix", "labelValue"),
    *("uri", "uuid", "byte", "date", "datetime"),
)


def _each(name: str, kinds: tuple[str, ...], result: str) -> str:
    return f"{name} " + " | ".join(f"list<{kind}>.() {result.format(kind)}" for kind in kinds)


_SIGNATURES: Final = "\n".join(
    (
        """
charAt       string.(int) string
indexOf      string.(string) int | string.(string, int) int | list<A>.(A) int
lastIndexOf  string.(string) int | string.(string, int) int | list<A>.(A) int
lowerAscii   string.() string
upperAscii   string.() string
replace      string.(string, string) string | string.(string, string, int) string
split        string.(string) list<string> | string.(string, int) list<string>
substring    string.(int) string | string.(int, int) string
trim         string.() string
format       string.(list<dyn>) string
strings.quote (string) string
join         list<string>.() string | list<string>.(string) string
find         string.(string) string
findAll      string.(string) list<string> | string.(string, int) list<string>
slice        list<A>.(int, int) list<A>
flatten      list<list<A>>.() list<A> | list<dyn>.(int) list<dyn>
lists.range  (int) list<int>
reverse      list<A>.() list<A>
distinct     list<A>.() list<A>
first        list<A>.() optional<A>
last         list<A>.() optional<A>
sets.contains    (list<A>, list<A>) bool
sets.equivalent  (list<A>, list<A>) bool
sets.intersects  (list<A>, list<A>) bool
url          (string) url
isURL        (string) bool
getScheme    url.() string
getHost      url.() string
getHostname  url.() string
getPort      url.() string
getEscapedPath  url.() string
getQuery     url.() map<string,list<string>>
quantity     (string) quantity
isQuantity   (string) bool
sign         (quantity) int
isGreaterThan  quantity.(quantity) bool | semver.(semver) bool
isLessThan   quantity.(quantity) bool | semver.(semver) bool
compareTo    quantity.(quantity) int | semver.(semver) int
asApproximateFloat  quantity.() double
asInteger    quantity.() int
isInteger    quantity.() bool
add          quantity.(quantity) quantity | quantity.(int) quantity
sub          quantity.(quantity) quantity | quantity.(int) quantity
ip           (string) ip | cidr.() ip
isIP         (string) bool
ip.isCanonical  (string) bool
family       ip.() int
isUnspecified  ip.() bool
isLoopback   ip.() bool
isLinkLocalMulticast  ip.() bool
isLinkLocalUnicast  ip.() bool
isGlobalUnicast  ip.() bool
cidr         (string) cidr
isCIDR       (string) bool
containsIP   cidr.(string) bool | cidr.(ip) bool
containsCIDR  cidr.(string) bool | cidr.(cidr) bool
prefixLength  cidr.() int
masked       cidr.() cidr
string       (ip) string | (cidr) string
format.named  (string) optional<format>
validate     format.(string) optional<list<string>>
semver       (string) semver | (string, bool) semver
isSemver     (string) bool | (string, bool) bool
major        semver.() int
minor        semver.() int
patch        semver.() int
optional.of  (A) optional<A>
optional.none  () optional<A>
optional.ofNonZeroValue  (A) optional<A>
hasValue     optional<A>.() bool
value        optional<A>.() A
orValue      optional<A>.(A) A
or           optional<A>.(optional<A>) optional<A>
_[_]         (optional<list<A>>, int) optional<A> | (optional<map<A,B>>, A) optional<B>
""".strip(),
        _each("isSorted", _ORDERED, "bool"),
        _each("min", _ORDERED, "{}"),
        _each("max", _ORDERED, "{}"),
        _each("sort", _ORDERED, "list<{}>"),
        _each("sum", _SUMMED, "{}"),
        *(f"format.{name}  () format" for name in _FORMATS),
    )
)

FUNCTIONS: Final = read_signatures(_SIGNATURES)
