"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..project import suppression
from ..project.input_kind import KINDS
from ..project.settings import Options, namespace_fault
from ..report.format import FORMATS
from .section import section

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..diagnostics.finding import Severity
    from ..project.settings import ProjectSettings, Threshold
    from ..report.format import Format

Command = Callable[..., Any]

INPUT_KINDS = ("resource", *(kind.name for kind in KINDS))


_SAME: Final = ("closed", "namespace", "isolated", "release", "unused", "crds", "read_as")
"""Names of input options that are also fields of `Options`."""


class _Path(click.Path):
    """A path argument. Every text is valid, because a missing file is reported when it is opened."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # type: ignore[override]
        return file_path.with_slashes(str(super().convert(value, param, ctx)))


class _Folder(_Path):
    """A path argument for which shells complete only folders."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del ctx, param
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


PATH: Final = _Path(readable=False)
"""A path argument that shells complete. Click does not check it: errors are reported when the file is opened."""
FOLDER: Final = _Folder(readable=False)


class InputCall(NamedTuple):
    """The paths and input options of a command.

    Attributes:
        paths: Files and folders; empty for the current folder.
        config: Configuration file; ``None`` to search for it.
        exclude: Patterns of paths that are not read.
    """

    paths: tuple[str, ...]
    config: str | None
    exclude: tuple[str, ...]
    options: Options


class Output(NamedTuple):
    """A file that gets the report, and the format of the file."""

    format: Format
    file: str


class ReportCall(NamedTuple):
    """Options for the report of findings.

    Attributes:
        format: Format of the output on the screen.
        fail_on: Lowest severity that causes exit status 1; ``None`` for the default, ``error``.
        severity: Lowest severity to show; ``None`` for the default of the format.
        color: True for text with colors; ``None`` to decide by the stream.
        outputs: Files that also get the report.
        width: Number of columns to wrap text to; ``None`` to not wrap.
    """

    format: Format
    fail_on: Threshold | None
    severity: Severity | None
    color: bool | None
    outputs: tuple[Output, ...]
    width: int | None = None

    @property
    def threshold(self) -> Threshold:
        """The lowest severity that causes exit status 1."""
        return self.fail_on or "error"

    def least(self, format_: str) -> Severity:
        """Return the lowest severity that a format shows. It includes every severity that causes exit status 1."""
        return suppression.least_severity(format_, self.severity, self.threshold)

    def over(self, settings: ProjectSettings) -> ReportCall:
        """Return the options, with severities that are not stated taken from the configuration."""
        return self._replace(fail_on=self.fail_on or settings.fail_on, severity=self.severity or settings.severity)

    @property
    def goes_elsewhere(self) -> bool:
        """True if the report is also written to files or to the summary of a GitHub job."""
        return bool(self.outputs) or "GITHUB_STEP_SUMMARY" in os.environ

    def for_stream(self, stream: TextIO) -> ReportCall:
        """Return the options with color and width for a stream. By default, only a terminal gets both."""
        if not stream.isatty():
            return self._replace(color=self.color is True, width=None)
        color = not os.environ.get("NO_COLOR") if self.color is None else self.color
        return self._replace(color=color, width=columns(stream))


def columns(stream: TextIO) -> int | None:
    """Return the columns of a terminal: ``COLUMNS`` if it is set, otherwise those that the terminal reports.

    Return ``None`` if the stream is not a terminal.
    """
    try:
        if (stated := int(os.environ.get("COLUMNS", ""))) > 0:
            return stated
    except ValueError:
        pass
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of a repeatable option. Each value may be a comma-separated list."""
    return tuple(part for value in values for item in value.split(",") if (part := item.strip()))


def namespace_option(function: Command) -> Command:
    """Add ``--namespace`` to a command: the namespace of documents that do not state one."""
    add = click.option(
        "--namespace", "-n", callback=_valid_namespace, help="Namespace for documents that do not set one."
    )
    return add(function)


_RELEASE_HELP: Final = "Release of the operator, if not the one that the project states; mcpcfg releases lists them."


def release_option(function: Command, text: str = _RELEASE_HELP) -> Command:
    """Add ``--release`` with the help ``text`` to a command, which gets ``release``."""
    return click.option("--release", metavar="X.Y", callback=valid_release, help=text)(function)


def valid_release(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the value of ``--release`` unchanged.

    Raises:
        click.BadParameter: It is not the name of a release.
    """
    if value is not None:
        from ..toolhive.release import NEWEST_MODELLED, whole_release

        if whole_release(value) is None:
            raise click.BadParameter(
                f"{value} is no release: write X.Y.Z, such as {NEWEST_MODELLED}", ctx=ctx, param=param
            )
    return value


def _valid_namespace(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    fault = None if value is None else namespace_fault(value)
    if fault is not None:
        raise click.BadParameter(fault, ctx=ctx, param=param)
    return value


def config_option(function: Command) -> Command:
    """Add ``--config`` to a command, which gets ``config``."""
    add = click.option(
        "--config",
        type=PATH,
        metavar="FILE",
        help="Configuration file; by default the nearest mcpcfg.yaml or pyproject.toml.",
    )
    return add(function)


def input_options(function: Command, release_help: str = _RELEASE_HELP) -> Command:
    """Add the arguments ``PATH…`` and the options of the section Input to a command, which gets ``call: InputCall``.

    ``release_help`` is the help of ``--release``.
    """

    @section("Input")
    @click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
    @click.option(
        "--closed",
        is_flag=True,
        help="Report every reference that the given files do not satisfy, also to Secrets and ConfigMaps.",
    )
    @namespace_option
    @partial(release_option, text=release_help)
    @click.option(
        "--crds",
        type=PATH,
        multiple=True,
        metavar="PATH",
        help="File or folder of CRDs, or - for standard input, to validate objects of any API group with.",
    )
    @click.option("--isolated", is_flag=True, help="Treat each file as a project of its own.")
    @click.option(
        "--unused",
        type=click.Choice(["warning", "error"]),
        help="Severity of errors in files that the kustomization of their folder does not list.  [default: warning]",
    )
    @click.option(
        "--as", "read_as", type=click.Choice(INPUT_KINDS), metavar="KIND", help="Read the first PATH as KIND."
    )
    @click.option("--stdin-filename", type=PATH, default="<stdin>", help="Name of standard input in findings.")
    @config_option
    @click.option(
        "--exclude",
        multiple=True,
        callback=split,
        metavar="PATTERNS",
        help="Do not read these paths in folders, in addition to exclude in the configuration. Repeatable.",
    )
    @click.option(
        "--engine",
        type=click.Choice(["generated", "reference"]),
        default="generated",
        help="Admission engine: generated code, or the libraries jsonschema and cel-python.",
    )
    @wraps(function)
    def with_input(paths: tuple[str, ...], **given: Any) -> Any:
        return function(call=_input_call(paths, given), **given)

    return with_input


def _input_call(paths: tuple[str, ...], given: dict[str, Any]) -> InputCall:
    from ..api import with_schemas

    options = Options(
        **{name: given.pop(name) for name in _SAME},
        first=paths[0] if paths else None,
        stdin_name=given.pop("stdin_filename"),
        reference_engine=given.pop("engine") == "reference",
    )
    return InputCall(paths, given.pop("config"), given.pop("exclude"), with_schemas(options))


def report_options(function: Command) -> Command:
    """Add the options for reports to a command, which gets ``report: ReportCall``."""

    @section("Report")
    @click.option(
        "--format", "-f", "format_", type=click.Choice(FORMATS), default="text", help="Output format of findings."
    )
    @click.option(
        "--fail-on",
        type=click.Choice(["error", "warning", "info", "never"]),
        help="Lowest severity that makes the exit status 1.  [default: error]",
    )
    @click.option(
        "--severity",
        type=click.Choice(["error", "warning", "info"]),
        help="Lowest severity to show; all are counted.  [default: warning in text, else info]",
    )
    @click.option(
        "--color/--no-color", "color", default=None, help="Use color; by default on a terminal, unless NO_COLOR is set."
    )
    @click.option(
        "--output",
        "outputs",
        multiple=True,
        type=PATH,
        metavar="[FORMAT=]FILE",
        help="Also write the report to FILE in FORMAT; without FORMAT, write FILE in the format of --format and text"
        " to the screen. Repeatable.",
    )
    @wraps(function)
    def with_report(**given: Any) -> Any:
        format_, outputs = _outputs(given.pop("format_"), given.pop("outputs"))
        fail_on, severity, color = (given.pop(name) for name in ("fail_on", "severity", "color"))
        return function(report=ReportCall(format_, fail_on, severity, color, outputs), **given)

    return with_report


def _outputs(format_: Format, values: tuple[str, ...]) -> tuple[Format, tuple[Output, ...]]:
    """Return the format of the screen, and the files that get the report, from the values of ``--output``.

    If a file has no format, it gets the format of the screen, and the screen shows text.
    """
    outputs = []
    screen = format_
    for output_ in values:
        stated, equals, file = output_.partition("=")
        if equals and stated in FORMATS:
            outputs.append(Output(stated, file))
        elif equals and stated.isalpha():
            raise click.UsageError(
                f"--output: there is no format {stated!r}, only {', '.join(FORMATS)};"
                f" a file of that name is ./{output_}"
            )
        else:
            outputs.append(Output(format_, output_))
            screen = "text"
    files = [file_path.abspath(output.file) for output in outputs]
    if len(set(files)) < len(files):
        raise click.UsageError("--output names one file twice: each format takes a file of its own")
    if not all(output.file for output in outputs):
        raise click.UsageError("--output names no file")
    return screen, tuple(outputs)


def timing_options(function: Command) -> Command:
    """Add ``--verbose`` to a command. The option prints how long each stage takes."""

    @click.option("--verbose", "-v", is_flag=True, help="Print how long each stage takes to standard error.")
    @wraps(function)
    def with_timing(*, verbose: bool, **given: Any) -> Any:
        from ..diagnostics import timing

        timing.watch()
        try:
            return function(**given)
        finally:
            timing.clear()
            if verbose:
                click.echo(timing.table(), err=True)

    return with_timing


class FixCall(NamedTuple):
    """The options ``--fix``, ``--diff`` and ``--unsafe-fixes``."""

    fix: bool
    diff: bool
    unsafe: bool


def fix_options(function: Command) -> Command:
    """Add the options for fixes to a command, which gets ``fix_call: FixCall``."""

    @section("Fixes")
    @click.option(
        "--fix", is_flag=True, help="Apply safe fixes, then report what is left; --unsafe-fixes adds those to review."
    )
    @click.option("--diff", is_flag=True, help="Print what --fix would change without writing it.")
    @click.option(
        "--unsafe-fixes", is_flag=True, help="Also apply fixes that need a review. --diff --unsafe-fixes shows them."
    )
    @wraps(function)
    def with_fixing(*, fix: bool, diff: bool, unsafe_fixes: bool, **given: Any) -> Any:
        if unsafe_fixes and not (fix or diff):
            raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
        return function(fix_call=FixCall(fix, diff, unsafe_fixes), **given)

    return with_fixing
