"""Skills: entries of catalogs, folders, and records of installed skills."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .declare import Always, Format, ListSet, MaxLength, MinLength, Pattern, go_type


@go_type("registry.SkillPackage")
class SkillPackage(TypedDict, total=False):
    """A package that contains a skill."""

    registryType: Required[Annotated[Literal["oci", "git"], "Type of the package.", Always()]]
    identifier: Annotated[str, "Reference of the OCI artifact."]
    digest: Annotated[str, "Digest of the OCI artifact."]
    mediaType: Annotated[str, "Media type of the OCI artifact."]
    url: Annotated[str, "URL of the Git repository.", Format("uri")]
    ref: Annotated[str, "Git reference. Installing ignores it."]
    commit: Annotated[str, "Git commit. Installing ignores it."]
    subfolder: Annotated[str, "Folder inside the repository."]


@go_type("registry.SkillIcon")
class SkillIcon(TypedDict, total=False):
    """An icon of a skill."""

    src: Required[Annotated[str, "URL or path of the image.", Always()]]
    size: Annotated[str, "Size of the icon."]
    type: Annotated[str, "Media type of the icon."]
    label: Annotated[str, "Alternative text of the icon."]


@go_type("registry.SkillRepository")
class SkillRepository(TypedDict, total=False):
    """The source repository of a skill."""

    url: Annotated[str, "URL of the repository.", Format("uri")]
    type: Annotated[str, "Kind of the repository: git."]


@go_type("registry.Skill")
class RegistrySkill(TypedDict, total=False):
    """A skill in a catalog."""

    namespace: Required[Annotated[str, "Reverse-DNS name of the owner.", MinLength(3), MaxLength(128), Always()]]
    name: Required[
        Annotated[
            str, "Name of the skill.", MinLength(1), MaxLength(64), Pattern(r"^[a-z0-9][a-z0-9-]*[a-z0-9]$"), Always()
        ]
    ]
    description: Required[Annotated[str, "Purpose of the skill.", MinLength(1), MaxLength(1024), Always()]]
    version: Required[Annotated[str, "Version or commit.", MinLength(1), Always()]]
    status: Annotated[
        Literal["active", "deprecated", "archived"], "Whether the skill is recommended for use; active when missing."
    ]
    title: Annotated[str, "Display name.", MaxLength(100)]
    license: Annotated[str, "SPDX identifier of the license.", MaxLength(256)]
    compatibility: Annotated[str, "Requirements on the environment.", MaxLength(500)]
    allowedTools: Annotated[list[str], "Tools that the skill may use.", ListSet()]
    repository: Annotated[SkillRepository, "Source repository."]
    icons: Annotated[list[SkillIcon], "Icons to show."]
    packages: Annotated[list[SkillPackage], "Packages that contain the skill."]
    metadata: Annotated[dict[str, Any], "Metadata of the skill's SKILL.md."]
    _meta: Annotated[dict[str, Any], "Extensions, by reverse-DNS name."]


SkillFrontMatter = TypedDict(
    "SkillFrontMatter",
    {
        "name": Required[
            Annotated[
                str,
                "Name of the skill. It must equal the name of the folder and may not contain two hyphens in a row.",
                Pattern(r"^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$"),
            ]
        ],
        "description": Required[
            Annotated[str, "What the skill does and when to use it; at most 1024 bytes.", MinLength(1), MaxLength(1024)]
        ],
        "version": Annotated[str, "Version."],
        "allowed-tools": Annotated[Any, "Tools that the skill may use: a list, or a string separated by spaces."],
        "toolhive.requires": Annotated[
            Any, "OCI references of required skills, at most 100: a list, or a string separated by spaces."
        ],
        "license": Annotated[str, "SPDX identifier of the license."],
        "compatibility": Annotated[str, "Requirements on the environment; at most 500 bytes.", MaxLength(500)],
        "metadata": Annotated[dict[str, str], "Additional metadata; all values are strings."],
    },
    total=False,
)
SkillFrontMatter.__doc__ = "Front matter of a SKILL.md, between two lines of three hyphens. Unknown keys are ignored."


@go_type("skills.SkillMetadata")
class SkillMetadata(TypedDict, total=False):
    """An installed skill and its state."""

    name: Required[Annotated[str, "Name of the skill.", Always()]]
    version: Required[Annotated[str, "Version.", Always()]]
    description: Required[Annotated[str, "Purpose of the skill; empty after an install.", Always()]]
    author: Required[Annotated[str, "Author; empty after an install.", Always()]]
    tags: Annotated[list[str], "Tags for searching."]


@go_type("skills.Dependency")
class SkillDependency(TypedDict, total=False):
    """A skill that another skill requires."""

    name: Annotated[str, "Name of the skill."]
    reference: Required[Annotated[str, "Reference of the OCI artifact.", Always()]]
    digest: Annotated[str, "Digest of the OCI artifact."]


@go_type("skills.InstalledSkill")
class InstalledSkill(TypedDict, total=False):
    """An installation of a skill: its scope, source, state and clients."""

    metadata: Required[Annotated[SkillMetadata, "Metadata of the skill.", Always()]]
    scope: Required[Annotated[Literal["user", "project"], "Scope of the install.", Always()]]
    project_root: Annotated[str, "Root of the project; only for scope project."]
    reference: Annotated[str, "Source of the install: OCI or Git reference."]
    tag: Annotated[str, "Tag of the artifact."]
    digest: Annotated[str, "Digest of the artifact, or the Git commit."]
    status: Required[Annotated[Literal["installed", "pending", "failed"], "State of the install.", Always()]]
    installed_at: Required[Annotated[str, "Time of the install, in UTC.", Format("date-time"), Always()]]
    clients: Annotated[list[str], "Clients that the skill is installed for."]
    dependencies: Annotated[list[SkillDependency], "Skills that the skill requires."]


@go_type("skills.SkillInfo")
class SkillDetails(TypedDict, total=False):
    """A skill, and its installation if the skill is installed."""

    metadata: Required[Annotated[SkillMetadata, "Metadata of the skill.", Always()]]
    installed_skill: Annotated[InstalledSkill, "The install of the skill."]


@go_type("skills.SkillFileEntry")
class SkillFile(TypedDict, total=False):
    """A file of a skill."""

    path: Required[Annotated[str, "Path in the skill's folder.", Always()]]
    size: Required[Annotated[int, "Size in bytes.", Always()]]


@go_type("skills.SkillContent")
class SkillContent(TypedDict, total=False):
    """Content of a skill: its SKILL.md and its files."""

    name: Required[Annotated[str, "Name of the skill.", Always()]]
    description: Required[Annotated[str, "Purpose of the skill.", Always()]]
    version: Annotated[str, "Version."]
    license: Annotated[str, "License of the skill."]
    body: Required[Annotated[str, "SKILL.md without its front matter.", Always()]]
    files: Required[Annotated[list[SkillFile], "Files of the skill.", Always()]]


@go_type("skills.ValidationResult")
class SkillValidation(TypedDict, total=False):
    """Result of validating a skill's folder."""

    valid: Required[Annotated[bool, "Whether there are no errors.", Always()]]
    errors: Annotated[list[str], "Errors."]
    warnings: Annotated[list[str], "Warnings."]


@go_type("skills.ValidateRequest")
class SkillValidateRequest(TypedDict, total=False):
    """The folder to validate."""

    path: Required[Annotated[str, "Absolute path of the folder.", Always()]]


@go_type("v1.installSkillRequest")
class SkillInstallRequest(TypedDict, total=False):
    """The skill to install, and the scope."""

    name: Required[Annotated[str, "Name, OCI reference or Git reference.", Always()]]
    version: Annotated[str, "Version."]
    scope: Annotated[Literal["user", "project", ""], "Scope of the install; user when missing."]
    project_root: Annotated[str, "Root of the project; implies scope project."]
    clients: Annotated[list[str], "Clients to install for; all clients that support skills when missing."]
    force: Annotated[bool, "Whether to replace a folder that the service did not install."]
    group: Annotated[str, "Group to add the skill to; the group default when missing."]


@go_type("v1.skillListResponse")
class InstalledSkillList(TypedDict, total=False):
    """The skills that are installed."""

    skills: Required[Annotated[list[InstalledSkill], "The skills.", Always()]]


@go_type("v1.installSkillResponse")
class SkillInstalled(TypedDict, total=False):
    """Response to the install of a skill."""

    skill: Required[Annotated[InstalledSkill, "The skill.", Always()]]
