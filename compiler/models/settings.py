"""mcpcfg.yaml: the configuration of a project. ``[tool.mcpcfg]`` of pyproject.toml has the same fields."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import PROXY_RUNNER_IMAGE, REGISTRY_IMAGE, VMCP_IMAGE
from .declare import Default, ListSet, MaxLength, MinItems, MinLength, Pattern

Level = Literal["error", "warning", "info", "off"]
Names = Annotated[list[Annotated[str, MinLength(1)]], MinItems(1), ListSet()]


class ProfileNames(TypedDict, total=False):
    """The names that a re-branded operator goes by; those of toolhive where one is missing."""

    apiGroup: Annotated[str, "API group of the kinds.", Default("toolhive.stacklok.dev"), MinLength(1)]
    versions: Annotated[Names, "Served versions of the kinds, the stored one first; v1alpha1 when missing."]
    prefix: Annotated[str, "Short prefix of file keys and, in capitals, of variables.", Default("thv"), MinLength(1)]
    product: Annotated[str, "Long prefix of labels and, in capitals, of variables.", Default("toolhive"), MinLength(1)]
    organization: Annotated[str, "Word of the maker in label keys and image names.", Default("stacklok"), MinLength(1)]
    cloud: Annotated[str, "Cloud word in field names and values: awsSts.", Default("aws"), MinLength(1)]


class ImageSettings(TypedDict, total=False):
    """Images that the operator takes from its own environment."""

    proxyRunner: Annotated[str, "Image of the proxies.", Default(PROXY_RUNNER_IMAGE), MinLength(1)]
    vmcp: Annotated[str, "Image of virtual servers.", Default(VMCP_IMAGE), MinLength(1)]
    registry: Annotated[str, "Image of registry servers.", Default(REGISTRY_IMAGE), MinLength(1)]


class CustomRule(TypedDict, total=False):
    """A rule of the project's own."""

    id: Required[
        Annotated[
            str,
            "Id by which findings name it: three capitals and three digits, other than those of mcpcfg's rules.",
            Pattern("^[A-Z]{3}[0-9]{3}$"),
        ]
    ]
    kind: Required[Annotated[str, "Kind that it looks at; core kinds too.", MinLength(1)]]
    expression: Required[
        Annotated[
            str,
            "CEL expression over self, the resource with its defaults, and references, the list of resources that it"
            " refers to; false is a finding.",
            MinLength(1),
        ]
    ]
    message: Required[Annotated[str, "What is wrong where it gives false.", MinLength(1)]]
    severity: Annotated[Literal["error", "warning", "info"], "Severity of its findings.", Default("error")]
    hint: Annotated[str, "What to do instead."]
    field: Annotated[str, "Field that findings stand at, such as spec.image; the resource's name when empty."]


class Settings(TypedDict, total=False):
    """Configuration of a project that mcpcfg checks and builds."""

    profile: Annotated[
        str, "Set of names that the operator goes by: toolhive, or one of profiles.", Default("toolhive"), MinLength(1)
    ]
    profiles: Annotated[dict[str, ProfileNames], "Further sets of names."]
    release: Annotated[
        str,
        "Release of the operator that judges the project: 0.44.0; mcpcfg releases lists them.",
        Pattern(r"^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))?$"),
    ]
    namespace: Annotated[
        str,
        "Namespace for documents that do not set one.",
        Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"),
        MaxLength(63),
    ]
    external: Annotated[
        dict[str, Names],
        "Names of objects that exist outside the files, by kind: Secret, ConfigMap, MCPGroup; * for all of a kind.",
    ]
    exclude: Annotated[list[str], "Patterns of paths that are not read, relative to the project's root."]
    skills: Annotated[
        list[str], "Patterns of the folders of skills to check, relative to the project's root; others are left alone."
    ]
    isolated: Annotated[
        list[str],
        "Patterns of paths, relative to the project's root, of files that are each a project of its own: examples and"
        " test cases, which neither see nor contradict one another.",
    ]
    unused: Annotated[
        Literal["warning", "error"],
        "Severity of errors in files that nothing applies: no kustomization lists them, though their folder has one.",
        Default("warning"),
    ]
    crds: Annotated[
        list[Annotated[str, MinLength(1)]],
        "Files and folders of CRDs, relative to the project's root, that admit objects of their kinds: of any API"
        " group, and of the operator's in place of its release.",
    ]
    rules: Annotated[dict[str, Level], "Rule id to the severity of its findings, or off."]
    customRules: Annotated[list[CustomRule], "Rules of the project's own."]
    failOn: Annotated[
        Literal["error", "warning", "info", "never"],
        "Severity from which on the exit status is 1.",
        Default("error"),
    ]
    severity: Annotated[
        Literal["error", "warning", "info"],
        "Least severity of the findings that are shown; when missing, text shows errors and warnings, and the other"
        " formats show all. What decides the exit status is always shown.",
    ]
    baseline: Annotated[str, "File of findings that are known and accepted.", MinLength(1)]
    secretsProvider: Annotated[
        Literal["encrypted", "1password", "environment"], "What keeps the secrets that run configurations refer to."
    ]
    images: Annotated[ImageSettings, "Images of the pods that the operator starts."]
    proxyHost: Annotated[str, "Host that proxies listen on.", Default("0.0.0.0"), MinLength(1)]  # noqa: S104 - in a pod
    platform: Annotated[
        Literal["kubernetes", "openshift"], "Platform; it decides security contexts.", Default("kubernetes")
    ]
    usageMetrics: Annotated[
        bool, "Whether proxies report anonymous usage; off where the operator runs inside CI.", Default(value=True)
    ]
