"""The names and forms of secrets, with the source of each.

Sources: ``gitleaks`` and ``detect-secrets`` are the rules of these programs (config/gitleaks.toml of 8.30,
detect_secrets/plugins of 1.5.0). ``Kubernetes``, ``ToolHive`` and vendors are the documentation of a field or a token.
"""

from __future__ import annotations

from typing import Final

from ..named_tuple import NamedTuple

NAMES: Final[tuple[tuple[str, str], ...]] = (
    (r"\w*(?:password|passwd|passphrase|secret|token|apikey|credentials?)", "gitleaks, generic-api-key"),
    (r"(?:\w+_)?(?:pass|pwd|creds)|\w*(?:db|user|root|key)pass|pgpass", "detect-secrets, keyword"),
    (r"(?:\w+_)?(?:api|auth|service|account|db|database|priv|private|client|access)_?key", "detect-secrets, keyword"),
    (r"(?:\w+_)?(?:secret|signing|encryption|shared|subscription|license|master|admin|hmac)_?key", "vendors"),
    (r"(?:\w+_)?(?:functions|webhook|deploy|unseal|ssh|app|application|consumer|security)_?key", "vendors"),
    (r"(?:\w+_)?(?:client_key|private_key)_(?:data|base64|pem)", "Kubernetes, kubeconfig"),
    (r"(?:\w+_)?authorization|(?:set_)?cookie2?", "RFC 9110, RFC 6265"),
    (r"(?:\w+_)?auth", "npm _auth, Redis, .dockerconfigjson, headers such as X-Auth"),
    (r"(?:\w+_)?(?:pat|psk|jwt|hmac|sig|otp|passcode|bearer)", "GitHub PAT, Azure SAS sig, RFC 7519"),
    (r"header_?value", "ToolHive, headerInjection"),
)
"""Patterns of whole names in lower case with words joined by ``_``. The value of such a name is secret."""

PUBLIC_NAMES: Final = r"(?:existing|(?:image_)?pull|tls)_?secret|(?:public|next_page|page|csrf)_?token"
"""Names that match `NAMES`, but whose value is the name of a Secret or is public. Source: Helm charts; gitleaks."""

WARNED_NAMES: Final = (
    r"(?i:(?:^|[_.\-])(?:pass(?:word|wd|phrase)?|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key"
    r"|credentials?)$)"
)
"""The names that rules warn about. They are fewer than `NAMES`, because a false alarm does more harm than a mask."""

NAMELESS: Final = (
    *(
        "stringData",
        "SecretList",
        "secretGenerator",
        "sensitive",
        "/value",
        "/default",
        "/command/",
        "/args/",
        "Basic ",
    ),
)
"""Texts that tell of a secret although they match none of `NAMES`."""

HARMLESS: Final = (
    r"(?i:|true|false|yes|no|on|off|null|none|~|oauth2?|oidc|bearer|basic|digest|anonymous|unauthenticated"
    r"|required|optional|inline|auth(?:entication|orization)?)"
)
"""Values that are not secrets even under a sensitive name: switches, and names of schemes."""

FILLED_IN_LATER: Final = r"\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\{\{.*\}\}|<[^>]*>|[*.…x]+"
"""Placeholders, and fillers that people write instead of a secret."""

REFERENCE_TEXT: Final = r"[\w.\-]+,target=\w+|op://\S+"
"""A reference to a secret. Source: ToolHive, secrets.SecretParameter; 1Password, secret references."""

REFERENCE_KEYS: Final = frozenset(
    ("name", "key", "target", "targetEnvName", "namespace", "kind", "apiVersion", "optional", "type")
)
"""Keys below a sensitive name whose values say where a secret is kept. Source: Kubernetes, SecretKeySelector."""

NOT_WARNED: Final = (
    r"(?i:|true|false|yes|no|none|null|unset|changeme|dummy|example|test|redacted|[0-9]{1,6}|[x*.<>_-]+|<.*>|/.*"
    r"|[a-z]+://[^:@/]*(?:/.*)?)"
)
"""Values under a sensitive name that rules do not warn about: switches, numbers, fillers, paths, URLs."""

HOLDERS: Final = frozenset(("clientsecret", "bearertoken", "password", "secrets"))
"""Names, without separators, below which all values are secret, except those of `REFERENCE_KEYS`. Source: ToolHive."""

VALUE_KEYS: Final = frozenset(("value", "default", "defaultValue", "default_value"))
"""Keys whose value belongs to the name beside them. Source: Kubernetes, EnvVar; the MCP registry's server.json."""

SECRET_MARKS: Final = frozenset(("secret", "isSecret", "is_secret", "sensitive"))
"""Keys with the value true that make the value beside them a secret. Source: the MCP registry's server.json."""

SECRET_KINDS: Final = ("Secret", "SecretList")
PUBLIC_KEYS: Final = frozenset(
    ("apiVersion", "kind", "metadata", "name", "namespace", "type", "immutable", "items", "labels")
)
"""Keys of a Secret whose values are not confidential, and those below which other objects stand."""

SECRET_DATA: Final = frozenset(("data", "stringData"))
"""Keys of a Secret whose values are secret. Source: Kubernetes, Secret."""

ARGUMENT_LISTS: Final = frozenset(
    ("args", "arguments", "command", "cmd", "cmd_args", "cmd_arguments", "cmdArgs", "entrypoint")
)
"""Keys of lists in which a sensitive name without dashes is an option, too."""


UNNAMED_PATH: Final = r"/(?:\S+/)?(?:\d+/(?:value|default)|(?:args|command)/(?:\d+|-))"
"""Paths of a JSON patch to a value whose name, or whose option, is in another file. Source: RFC 6902."""

PUBLIC_HOLDERS: Final = r"[fF]rom_?[sS]ecrets?\Z"
"""Keys of mappings from names to names of Secrets. Source: ToolHive, add_headers_from_secret."""

SOURCE_OF_KEY: Final = r"\b(?:remoteRef|sourceRef)\b"
"""Keys beside a ``secretKey`` that is the name of a key. Source: External Secrets Operator, ExternalSecretData."""


class Form(NamedTuple):
    """The form of a token.

    Attributes:
        signs: Texts of which every such token has one. A search for them is fast.
        pattern: Pattern of a token, from the sign on. The group ``secret`` is the part to mask, by default all.
        source: The specification, or the program that looks for the form.
        before: Number of characters of the token before the sign.
    """

    signs: tuple[str, ...]
    pattern: str
    source: str = "gitleaks"
    before: int = 0


_HEX: Final = r"[A-Fa-f0-9]"
FORMS: Final = (
    Form(("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{30,}"),
    Form(("github_pat_",), r"github_pat_[A-Za-z0-9_]{30,}"),
    Form(
        ("glpat-", "gldt-", "glft-", "glrt-", "glsoat-", "glptt-", "glcbt-", "glimt-", "glagent-", "gloas-"),
        r"gl[a-z]{2,5}-[A-Za-z0-9_.\-]{20,}",
    ),
    Form(("xox",), r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    Form(("xapp-",), r"xapp-\d-[A-Za-z0-9-]{10,}"),
    Form(("hooks.slack",), r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[^\s\"'?&)\]}>]+)"),
    Form(("/api/webhooks/",), r"/api/webhooks/\d+/(?P<secret>[\w-]{10,})", "Discord, webhooks"),
    Form(("webhook.office.com/",), r"webhook\.office\.com/(?P<secret>[^\s\"'?&)\]}>]{20,})"),
    Form(("api.telegram.org/bot",), r"api\.telegram\.org/bot(?P<secret>\d+:[\w-]{20,})", "detect-secrets"),
    Form(("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}"),
    Form(("ABSK",), r"ABSK[A-Za-z0-9+/]{60,}=*"),
    Form(("AIza",), r"AIza[A-Za-z0-9_\-]{35}"),
    Form(("GOCSPX-",), r"GOCSPX-[A-Za-z0-9_\-]{20,}", "Google, OAuth clients"),
    Form(("ya29.",), r"ya29\.[A-Za-z0-9_\-]{20,}", "Google, OAuth access tokens"),
    Form(("sk-",), r"sk-(?=[A-Za-z0-9_\-]{0,200}[A-Za-z0-9_]{20})[A-Za-z0-9_\-]{20,}"),
    Form(("sk_", "rk_"), r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    Form(("whsec_",), r"whsec_[A-Za-z0-9+/]{20,}=*", "Stripe, webhooks"),
    Form(("hf_",), r"hf_[A-Za-z0-9]{30,}"),
    Form(("gsk_",), r"gsk_[A-Za-z0-9]{40,}", "Groq, API keys"),
    Form(("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    Form(("eyJ",), r"(?<![_\-])eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*", "RFC 7519"),
    Form(("npm_",), r"npm_[A-Za-z0-9]{36}"),
    Form(("pypi-",), r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    Form(("rubygems_",), rf"rubygems_{_HEX}{{48}}"),
    Form(("dckr_pat_",), r"dckr_pat_[A-Za-z0-9_\-]{20,}", "Docker Hub, access tokens"),
    Form(("glc_", "glsa_"), r"gl(?:c|sa)_[A-Za-z0-9+/_]{30,}=*"),
    Form(("SG.",), r"SG\.[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_\-]{20,}"),
    Form(("dop_v1_", "doo_v1_", "dor_v1_"), r"do[por]_v1_[a-f0-9]{64}"),
    Form(("hvs.", "hvb."), r"hv[sb]\.[A-Za-z0-9_\-]{20,}"),
    Form(("shpat_", "shpca_", "shppa_", "shpss_"), rf"shp(?:at|ca|pa|ss)_{_HEX}{{32}}"),
    Form(("sq0atp-", "sq0csp-"), r"sq0(?:at|cs)p-[A-Za-z0-9_\-]{22,}", "detect-secrets"),
    Form(("dapi",), r"dapi[a-f0-9]{32}"),
    Form(("dp.pt.",), r"dp\.pt\.[A-Za-z0-9]{40,}"),
    Form(("dt0c01.",), r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    Form(("lin_api_",), r"lin_api_[A-Za-z0-9]{40}"),
    Form(("ntn_",), r"ntn_[A-Za-z0-9]{40,}"),
    Form(("PMAK-",), rf"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    Form(("pul-",), r"pul-[a-f0-9]{40}"),
    Form(("pscale_",), r"pscale_(?:tkn|oauth|pw)_[\w=.\-]{32,}"),
    Form(("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    Form(("sha256~",), r"sha256~[A-Za-z0-9_\-]{43}"),
    Form(("Q~",), r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.\-]{31,34}", before=4),
    Form(("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    Form(("ops_eyJ",), r"ops_eyJ[A-Za-z0-9+/_\-]{50,}=*"),
    Form(("ATATT3",), r"ATATT3[A-Za-z0-9_\-=]{50,}", "Atlassian, API tokens"),
    Form(("figd_",), r"figd_[A-Za-z0-9_\-]{30,}", "Figma, access tokens"),
    Form(
        ("-----BEGIN",),
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:\s|\\+[nr])*+(?:(?:Proc-Type|DEK-Info):[^\n]*+|[A-Za-z0-9+/=]{16,}+))*+"
        r"(?:(?:\s|\\+[nr])*+[A-Za-z0-9+/=]{0,16}(?:\s|\\+[nr])*+-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        "RFC 7468",
    ),
)
"""Tokens and keys that are recognized by their form."""
