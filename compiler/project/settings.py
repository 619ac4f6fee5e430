"""What ``mcpcfg.yaml``, or ``[tool.mcpcfg]`` in ``pyproject.toml``, states, and the options of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ..toolhive.operator import OperatorSettings
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release_choice import Reason, ReleaseChoice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...validators.custom_rule_definition import CustomRule
    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Severity

Unused: TypeAlias = Literal["warning", "error"]
"""The severity of errors in files that nothing applies."""
Level: TypeAlias = Literal["error", "warning", "info", "off"]
Threshold: TypeAlias = Literal["error", "warning", "info", "never"]


DEFAULT_SOURCE = "default"
"""Where a release comes from that nothing states."""


class Settings(NamedTuple):
    """The project's configuration, with defaults for what it does not state.

    Attributes:
        file: Where it was read from, ``None`` where there is none.
        profile: The names that the operator goes by, and its release.
        release_from: What decides that release: an option, the configuration, or a place ``file:line``.
        release_by: Why that decides.
        unread_pin: As of `ReleaseChoice`, as is ``other_pins``.
        namespace: For documents that state none.
        external: Kind to names that exist outside the files; ``*`` for all of the kind.
        exclude: Patterns of paths, relative to the project's root, that are not read.
        skills: Patterns of the folders of skills, relative to the project's root, that are checked.
        isolated: Patterns of paths, relative to the project's root, of files that are each a project of its own.
        unused: The severity of errors in files that nothing applies.
        crds: Files and folders of CRDs, relative to the project's root, that admit objects.
        rules: Rule id to severity or ``off``.
        custom_rules: The project's own rules.
        fail_on: The severity from which on the exit status is 1.
        severity: Least severity of the findings that are shown; ``None`` leaves it to the format.
        baseline: A file of findings that are known and accepted.
        secrets_provider: What keeps the secrets of workloads; empty where that is not stated.
        operator: What the operator reads from its surroundings.
        select: Rule ids, or beginnings of ids, that a call limits the findings to; empty for all rules.
        ignore: Rule ids, or beginnings of ids, that a call leaves out.
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
    custom_rules: tuple[CustomRule, ...] = ()
    fail_on: Threshold = "error"
    severity: Severity | None = None
    baseline: str | None = None
    secrets_provider: str = ""
    operator: OperatorSettings = OperatorSettings()
    release_from: str = ""
    release_by: Reason = "default"
    unread_pin: str = ""
    other_pins: tuple[tuple[str, str], ...] = ()
    crds: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def release_choice(settings: Settings) -> ReleaseChoice:
    """Return which release judges by a configuration; that of a `Report` knows the pins of the project."""
    source = settings.release_from or DEFAULT_SOURCE
    return ReleaseChoice(settings.profile, source, settings.release_by, settings.unread_pin, settings.other_pins)


def namespace_fault(name: str) -> str | None:
    """Return why no namespace can have this name, ``None`` where one can."""
    from ..kube.names import dns_label_faults

    return next((f'namespace "{name}" {fault}' for fault in dns_label_faults(name)), None)


class Options(NamedTuple):
    """The options of a call: how its files are read.

    Attributes:
        closed: The given files are all there is.
        isolated: Each file is a project of its own.
        unused: The severity of errors in files that nothing applies; goes before the configuration's.
        namespace: For documents that state none; goes before the configuration's.
        read_as: The input kind that the first path is read as, as ``--as`` names it.
        first: That path; `mcpcfg.check` states it.
        stdin_name: How standard input is called in findings, which the command line alone reads.
        reference_engine: Whether the libraries jsonschema and cel-python decide, instead of the generated code.
        stdin_text: What standard input held, where it has been read already.
        buffers: Texts that count in place of what files hold, by the paths of the files; `mcpcfg.check` adds ``files``.
        release: The release of the operator that judges; goes before the configuration's.
        crds: Files and folders of CRDs that admit objects; they go before the configuration's.
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

    @property
    def reference(self) -> SchemaOf | None:
        """Return the schemas by which the libraries decide, where they do."""
        if not self.reference_engine:
            return None
        from ..explain.schema_place import schema_of

        return schema_of
