"""The options of a call: how its files are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..admission.reference import SchemaOf
    from .settings import Unused


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
        jobs: How many processes read many files; 0 for as many as there are processors, or for this one alone where it
            has several threads.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False
    stdin_text: bytes | None = None
    buffers: Mapping[str, bytes] = {}
    jobs: int = 0
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


def refuse_wrong(options: Options) -> None:
    """Check the options that the command line checks where it reads them.

    Raises:
        ValueError: One has no such value.
    """
    if options.read_as not in {None, "resource"}:
        from .input_kind import named

        if named(str(options.read_as)) is None:
            raise ValueError(f"there is no kind of input {options.read_as!r}")
    if options.namespace is not None:
        from .settings import namespace_fault

        fault = namespace_fault(options.namespace)
        if fault is not None:
            raise ValueError(fault)
