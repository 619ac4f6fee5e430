"""The configuration of a project (``mcpcfg.yaml`` or ``[tool.mcpcfg]`` of ``pyproject.toml``) and options of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from ..toolhive.operator import OperatorSettings
from ..toolhive.profile import TOOLHIVE, Profile, profile_of_release
from ..toolhive.release import NEWEST_MODELLED, whole_release

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from ...validators.custom_rule_definition import CustomRuleDefinition
    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Severity
    from ..toolhive.profile import Reason

    Unused: TypeAlias = Literal["warning", "error"]
    """Severity of errors in files that are never applied."""
    Level: TypeAlias = Literal["error", "warning", "info", "off"]
    Threshold: TypeAlias = Literal["error", "warning", "info", "never"]


class ProjectSettings(NamedTuple):
    """The configuration of a project, with defaults.

    Attributes:
        file: Path of the configuration file, or ``None``.
        release_from: Origin of the release: an option, the configuration file, or a place ``file:line``; empty for
            the default.
        release_by: Type of that origin.
        unread_pin: The first pinned version that is not a release; see `ReleaseChoice`.
        other_pins: Other pinned releases; see `ReleaseChoice`.
        old_charts: Clauses about old numbers of charts; see `ReleaseChoice`.
        namespace: Namespace of documents that state none.
        external: Names of objects that exist outside of the files, by kind; ``*`` stands for every name.
        exclude: Patterns of files that are not read, relative to the root of the project.
        skills: Patterns of skill folders that are checked, relative to the root of the project.
        isolated: Patterns of files that are each checked as a project of their own, relative to the root.
        unused: Severity of errors in files that are never applied.
        crds: Files and folders of CRDs that objects are checked with, relative to the root of the project.
        rules: Severity, or ``off``, by rule id.
        fail_on: Lowest severity that makes the exit status 1.
        severity: Lowest severity that is shown; ``None`` for the default of the format.
        baseline: File of accepted findings.
        secrets_provider: Provider that keeps the secrets of workloads; empty if not stated.
        operator: Settings that the operator takes from its environment.
        select: Rule ids or prefixes of ids; other rules report nothing. Empty for all rules.
        ignore: Rule ids or prefixes of ids that report nothing.
    """

    file: str | None = None
    profile: Profile = TOOLHIVE
    namespace: str | None = None
    external: Mapping[str, frozenset[str]] = {}
    exclude: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    unused: Unused = "warning"
    rules: Mapping[str, Level] = {}
    custom_rules: tuple[CustomRuleDefinition, ...] = ()
    fail_on: Threshold = "error"
    severity: Severity | None = None
    baseline: str | None = None
    secrets_provider: str = ""
    operator: OperatorSettings = OperatorSettings()
    release_from: str = ""
    release_by: Reason = "default"
    unread_pin: str = ""
    other_pins: tuple[tuple[str, str], ...] = ()
    old_charts: Mapping[str, str] = {}
    crds: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def namespace_fault(name: str) -> str | None:
    """Return why a namespace cannot have this name, as a clause, or ``None`` if it can."""
    from ..kube.names import dns_label_faults

    return next((f'namespace "{name}" {fault}' for fault in dns_label_faults(name)), None)


def profile_with_release(profile: Profile, stated: str, message_prefix: str = "") -> Profile:
    """Return a profile with another release of the operator.

    Args:
        stated: Release as the user wrote it.
        message_prefix: Beginning of the message if ``stated`` is not a release.

    Raises:
        InputError: The text is not a release.
    """
    release = whole_release(stated)
    if release is None:
        raise InputError(
            f"{message_prefix}{stated!r} is no release of the operator: write X.Y.Z, such as {NEWEST_MODELLED}"
        )
    return profile_of_release(profile, release)


class Options(NamedTuple):
    """The options of a call that decide how files are read.

    Attributes:
        closed: True if no object exists outside of the given files.
        isolated: True if each file is a project of its own.
        unused: Severity of errors in files that are never applied; overrides the configuration.
        namespace: Namespace of documents that state none; overrides the configuration.
        read_as: Input kind of the path in ``first``, as ``--as`` names it.
        first: First path of the call; `mcpcfg.check` sets it.
        stdin_name: Name of standard input in findings. Only the command line reads standard input.
        reference_engine: True if jsonschema and cel-python check objects instead of generated code.
        stdin_text: Content of standard input, if it was already read.
        buffers: Texts by path that replace the content of files; `mcpcfg.check` adds its ``files``.
        release: Release of the operator that is checked against; overrides the configuration.
        crds: Files and folders of CRDs that objects are checked with; they replace those of the configuration.
        schema_of: The function that finds schemas, if the reference engine judges; `with_schemas` sets it.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False
    stdin_text: bytes | None = None
    buffers: Mapping[str, bytes] = {}
    isolated: bool = False
    release: str | None = None
    unused: Unused | None = None
    crds: tuple[str, ...] = ()
    schema_of: SchemaOf | None = None
