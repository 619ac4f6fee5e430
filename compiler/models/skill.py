"""Skills: as catalogs list them, as folders hold them, and as the service has installed them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .declare import Always, Format, ListSet, MaxLength, MinLength, Pattern, go_type


@go_type("registry.SkillPackage")
class SkillPackage(TypedDict, total=False):
    """One way to get a skill."""

    registryType: Required[Annotated[Literal["oci", "git"], "Which way.", Always()]]
    identifier: Annotated[str, "Reference of the OCI artifact."]
    digest: Annotated[str, "Its digest."]
    mediaType: Annotated[str, "Its media type."]
    url: Annotated[str, "URL of the Git repository.", Format("uri")]
    ref: Annotated[str, "Git reference; not used for installing."]
    commit: Annotated[str, "Git commit; not used for installing."]
    subfolder: Annotated[str, "Where in the repository."]


@go_type("registry.SkillIcon")
class SkillIcon(TypedDict, total=False):
    """An icon to show."""

    src: Required[Annotated[str, "URL or path of the image.", Always()]]
    size: Annotated[str, "Its size."]
    type: Annotated[str, "Its media type."]
    label: Annotated[str, "What it shows, for those who cannot see it."]


@go_type("registry.SkillRepository")
class SkillRepository(TypedDict, total=False):
    """Where the source is."""

    url: Annotated[str, "URL of the repository.", Format("uri")]
    type: Annotated[str, "Kind of the repository: git."]


@go_type("registry.Skill")
class RegistrySkill(TypedDict, total=False):
    """A skill in a catalog."""

    namespace: Required[Annotated[str, "Reverse-DNS name of the owner.", MinLength(3), MaxLength(128), Always()]]
    name: Required[
        Annotated[
            str,
            "Name of the skill.",
            MinLength(1),
            MaxLength(64),
            Pattern(r"^[a-z0-9][a-z0-9-]*[a-z0-9]$"),
            Always(),
        ]
    ]
    description: Required[Annotated[str, "What it is for.", MinLength(1), MaxLength(1024), Always()]]
    version: Required[Annotated[str, "Version or commit.", MinLength(1), Always()]]
    status: Annotated[Literal["active", "deprecated", "archived"], "Whether it should be used; active when missing."]
    title: Annotated[str, "Name to show.", MaxLength(100)]
    license: Annotated[str, "SPDX identifier of the licence.", MaxLength(256)]
    compatibility: Annotated[str, "What it needs around it.", MaxLength(500)]
    allowedTools: Annotated[list[str], "Tools that it may use.", ListSet()]
    repository: Annotated[SkillRepository, "Where the source is."]
    icons: Annotated[list[SkillIcon], "Icons to show."]
    packages: Annotated[list[SkillPackage], "Ways to get it."]
    metadata: Annotated[dict[str, Any], "The metadata of its SKILL.md."]
    _meta: Annotated[dict[str, Any], "Extensions, by reverse-DNS name."]


SkillFrontMatter = TypedDict(
    "SkillFrontMatter",
    {
        "name": Required[
            Annotated[
                str,
                "Name of the skill: that of its folder, without two hyphens in a row.",
                Pattern(r"^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$"),
            ]
        ],
        "description": Required[
            Annotated[str, "What it does and when to use it; at most 1024 bytes.", MinLength(1), MaxLength(1024)]
        ],
        "version": Annotated[str, "Its version."],
        "allowed-tools": Annotated[Any, "Tools that it may use: a list, or one text with blanks between them."],
        "toolhive.requires": Annotated[
            Any,
            "OCI references of the skills that it needs, at most 100: a list, or one text with blanks between them.",
        ],
        "license": Annotated[str, "SPDX identifier of its licence."],
        "compatibility": Annotated[str, "What it needs around it; at most 500 bytes.", MaxLength(500)],
        "metadata": Annotated[dict[str, str], "More about it: key to text."],
    },
    total=False,
)
SkillFrontMatter.__doc__ = "Front matter of a SKILL.md, between two lines of three hyphens; other keys are skipped."


@go_type("skills.SkillMetadata")
class SkillMetadata(TypedDict, total=False):
    """An installed skill and its state."""

    name: Required[Annotated[str, "Name of the skill.", Always()]]
    version: Required[Annotated[str, "Its version.", Always()]]
    description: Required[Annotated[str, "What it is for; empty after a fresh install.", Always()]]
    author: Required[Annotated[str, "Who wrote it; empty after a fresh install.", Always()]]
    tags: Annotated[list[str], "Tags to find it by."]


@go_type("skills.Dependency")
class SkillDependency(TypedDict, total=False):
    """A skill that another one needs."""

    name: Annotated[str, "Its name."]
    reference: Required[Annotated[str, "Reference of the OCI artifact.", Always()]]
    digest: Annotated[str, "Its digest."]


@go_type("skills.InstalledSkill")
class InstalledSkill(TypedDict, total=False):
    """A skill that is installed."""

    metadata: Required[Annotated[SkillMetadata, "What is known of it.", Always()]]
    scope: Required[Annotated[Literal["user", "project"], "For whom it is installed.", Always()]]
    project_root: Annotated[str, "Root of the project, for scope project alone."]
    reference: Annotated[str, "Where it was installed from."]
    tag: Annotated[str, "Tag of the artifact."]
    digest: Annotated[str, "Digest of the artifact, or the Git commit."]
    status: Required[Annotated[Literal["installed", "pending", "failed"], "How far the install is.", Always()]]
    installed_at: Required[Annotated[str, "When it was installed, in UTC.", Format("date-time"), Always()]]
    clients: Annotated[list[str], "The clients that it is installed for."]
    dependencies: Annotated[list[SkillDependency], "The skills that it needs."]


@go_type("skills.SkillInfo")
class SkillDetails(TypedDict, total=False):
    """A skill, and how it is installed."""

    metadata: Required[Annotated[SkillMetadata, "What is known of it.", Always()]]
    installed_skill: Annotated[InstalledSkill, "How it is installed."]


@go_type("skills.SkillFileEntry")
class SkillFile(TypedDict, total=False):
    """A file of a skill."""

    path: Required[Annotated[str, "Path in the skill's folder.", Always()]]
    size: Required[Annotated[int, "Size in bytes.", Always()]]


@go_type("skills.SkillContent")
class SkillContent(TypedDict, total=False):
    """What is in a skill."""

    name: Required[Annotated[str, "Name of the skill.", Always()]]
    description: Required[Annotated[str, "What it is for.", Always()]]
    version: Annotated[str, "Its version."]
    license: Annotated[str, "Its licence."]
    body: Required[Annotated[str, "SKILL.md without its front matter.", Always()]]
    files: Required[Annotated[list[SkillFile], "Its files.", Always()]]


@go_type("skills.ValidationResult")
class SkillValidation(TypedDict, total=False):
    """What is wrong with a skill's folder."""

    valid: Required[Annotated[bool, "Whether there are no errors.", Always()]]
    errors: Annotated[list[str], "What has to be fixed."]
    warnings: Annotated[list[str], "What could be better."]


@go_type("skills.ValidateRequest")
class SkillValidateRequest(TypedDict, total=False):
    """Which folder to look at."""

    path: Required[Annotated[str, "Absolute path of the folder.", Always()]]


@go_type("v1.installSkillRequest")
class SkillInstallRequest(TypedDict, total=False):
    """Which skill to install, and where."""

    name: Required[Annotated[str, "Name, OCI reference or Git reference.", Always()]]
    version: Annotated[str, "Version."]
    scope: Annotated[Literal["user", "project", ""], "For whom; user when missing."]
    project_root: Annotated[str, "Root of the project; implies scope project."]
    clients: Annotated[list[str], "The clients to install for; every one that can when missing."]
    force: Annotated[bool, "Whether to replace a folder that was not installed."]
    group: Annotated[str, "Group to add it to; default when missing."]


@go_type("v1.skillListResponse")
class InstalledSkillList(TypedDict, total=False):
    """The skills that are installed."""

    skills: Required[Annotated[list[InstalledSkill], "The skills.", Always()]]


@go_type("v1.installSkillResponse")
class SkillInstalled(TypedDict, total=False):
    """The answer to the install of a skill."""

    skill: Required[Annotated[InstalledSkill, "The skill.", Always()]]
