"""Checks and compiles the configuration of MCP servers on Kubernetes, before it reaches a cluster.

``check`` reads files or texts and returns a `Report` of findings, ``build`` compiles a report to what the operator
would write, ``render`` writes a report as text, JSON, SARIF and so on, ``rules`` lists the rules. See docs/library.md.
"""

from mcpcfg.compiler.diagnostics.version import VERSION  # absolute: pytest imports this file by the folder's name

TYPE_CHECKING = False
"""Type checkers take it for true. `typing` itself would be slow to import, and the command line passes through here."""

if TYPE_CHECKING:
    from .compiler.api import Artifacts, build, check, render, rules
    from .compiler.check.full import Report
    from .compiler.diagnostics.finding import Finding, Note, Rule, Severity, Stage, Subject
    from .compiler.diagnostics.span import InputError, Span
    from .compiler.emit.target import Artifact, Target
    from .compiler.project.settings import Options
    from .compiler.report.format import Format
    from .compiler.toolhive.machine import Machine
    from .compiler.toolhive.operator import Images, OperatorSettings

__version__ = VERSION
__all__ = [
    "Artifact",
    "Artifacts",
    "Finding",
    "Format",
    "Images",
    "InputError",
    "Machine",
    "Note",
    "OperatorSettings",
    "Options",
    "Report",
    "Rule",
    "Severity",
    "Span",
    "Stage",
    "Subject",
    "Target",
    "__version__",
    "build",
    "check",
    "render",
    "rules",
]

_MODULES = {
    "api": ("Artifacts", "build", "check", "render", "rules"),
    "check.full": ("Report",),
    "diagnostics.finding": ("Finding", "Note", "Rule", "Severity", "Stage", "Subject"),
    "diagnostics.span": ("InputError", "Span"),
    "emit.target": ("Artifact", "Target"),
    "project.settings": ("Options",),
    "report.format": ("Format",),
    "toolhive.machine": ("Machine",),
    "toolhive.operator": ("Images", "OperatorSettings"),
}
"""Module below ``compiler`` to what is imported from it when it is first asked for."""


def __getattr__(name: str) -> object:
    """Import a public name (PEP 562)."""
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            value: object = getattr(import_module(f".compiler.{module}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
