"""mcpcfg.yaml: the configuration of a project. ``[tool.mcpcfg]`` of pyproject.toml has the same fields."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import PROXY_RUNNER_IMAGE, REGISTRY_IMAGE, VMCP_IMAGE
from .declare import Default, ListSet, MaxLength, MinItems, MinLength, Pattern

Level = Literal["error", "warning", "info", "off"]
Names = Annotated[list[Annotated[str, MinLength(1)]], MinItems(1), ListSet()]


class ProfileNames(TypedDict, total=False):
    """Names that a re-branded operator uses. If a name is missing, the profile toolhive supplies it."""

    apiGroup: Annotated[str, "API group of the kinds.", Default("toolhive.stacklok.dev"), MinLength(1)]
    versions: Annotated[Names, "Served versions of the kinds, the stored one first; v1alpha1 when missing."]
    prefix: Annotated[str, "Short prefix of file keys and, in capitals, of variables.", Default("thv"), MinLength(1)]
    product: Annotated[str, "Long prefix of labels and, in capitals, of variables.", Default("toolhive"), MinLength(1)]
    organization: Annotated[str, "Organization in label keys and image names.", Default("stacklok"), MinLength(1)]
    cloud: Annotated[
        str, "Cloud provider in field names and values, such as aws in awsSts.", Default("aws"), MinLength(1)
    ]


class ImageSettings(TypedDict, total=False):
    """Images that the operator takes from its environment variables."""

    proxyRunner: Annotated[str, "Image of the proxies.", Default(PROXY_RUNNER_IMAGE), MinLength(1)]
    vmcp: Annotated[str, "Image of virtual servers.", Default(VMCP_IMAGE), MinLength(1)]
    registry: Annotated[str, "Image of registry servers.", Default(REGISTRY_IMAGE), MinLength(1)]


class CustomRule(TypedDict, total=False):
    """A custom rule of the project."""

    id: Required[
        Annotated[
            str,
            "Id of the rule in findings: three capital letters and three digits. It must differ from"
            " mcpcfg's own rules.",
            Pattern("^[A-Z]{3}[0-9]{3}$"),
        ]
    ]
    kind: Required[Annotated[str, "Kind that the rule checks; Kubernetes' core kinds are allowed.", MinLength(1)]]
    expression: Required[
        Annotated[
            str,
            "CEL expression over self (the resource with its defaults) and references (the list of"
            " resources that self refers to). The result false is a finding.",
            MinLength(1),
        ]
    ]
    message: Required[Annotated[str, "Message of the finding.", MinLength(1)]]
    severity: Annotated[Literal["error", "warning", "info"], "Severity of the findings.", Default("error")]
    hint: Annotated[str, "Advice on how to fix the resource."]
    field: Annotated[str, "Field that the findings point to, such as spec.image; the resource's name when empty."]


class SettingsFile(TypedDict, total=False):
    """Configuration of a project that mcpcfg checks and builds."""

    profile: Annotated[
        str, "Set of names that the operator uses: toolhive, or a key of profiles.", Default("toolhive"), MinLength(1)
    ]
    profiles: Annotated[dict[str, ProfileNames], "Additional sets of names."]
    release: Annotated[
        str,
        "Release of the operator to check for, such as 0.44.0. mcpcfg releases lists all.",
        Pattern(r"^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))?$"),
    ]
    namespace: Annotated[
        str, "Namespace for documents that do not set one.", Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), MaxLength(63)
    ]
    external: Annotated[
        dict[str, Names],
        "Names of objects that exist outside the files, by kind, such as Secret, ConfigMap or"
        " MCPGroup. * stands for all objects of a kind.",
    ]
    exclude: Annotated[list[str], "Patterns of paths that are not read, relative to the project's root."]
    skills: Annotated[
        list[str],
        "Patterns of the skill folders to check, relative to the project's root. Other skill folders are not checked.",
    ]
    isolated: Annotated[
        list[str],
        "Patterns of files to check in isolation, relative to the project's root. Such files,"
        " examples and test cases, do not see one another.",
    ]
    unused: Annotated[
        Literal["warning", "error"],
        "Severity of errors in files that are never applied, such as files that the kustomization"
        " of their folder does not list.",
        Default("warning"),
    ]
    crds: Annotated[
        list[Annotated[str, MinLength(1)]],
        "Files and folders of CRDs, relative to the project's root. They admit objects of their"
        " kinds. CRDs of the operator's own kinds replace those of the release.",
    ]
    rules: Annotated[dict[str, Level], "Rule id to the severity of its findings, or off."]
    customRules: Annotated[list[CustomRule], "Custom rules of the project."]
    failOn: Annotated[
        Literal["error", "warning", "info", "never"],
        "Lowest severity of a finding that sets the exit status to 1.",
        Default("error"),
    ]
    severity: Annotated[
        Literal["error", "warning", "info"],
        "Lowest severity of the findings that are shown. When missing, text shows errors and"
        " warnings, and other formats show all. Findings that decide the exit status are always shown.",
    ]
    baseline: Annotated[str, "File of accepted findings, which are not reported.", MinLength(1)]
    secretsProvider: Annotated[
        Literal["encrypted", "1password", "environment"], "Provider of the secrets that run configurations refer to."
    ]
    images: Annotated[ImageSettings, "Images of the pods that the operator starts."]
    proxyHost: Annotated[str, "Host that proxies listen on.", Default("0.0.0.0"), MinLength(1)]  # noqa: S104 - in a pod
    platform: Annotated[
        Literal["kubernetes", "openshift"],
        "Platform. It determines the security contexts of pods.",
        Default("kubernetes"),
    ]
    usageMetrics: Annotated[
        bool, "Whether proxies report anonymous usage; always false if the operator runs in CI.", Default(value=True)
    ]
