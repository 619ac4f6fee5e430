"""Create the texts of all generated files, and compare them with the files in a checkout or write them."""

from __future__ import annotations

import json
import os
from typing import Any

from ..diagnostics import file_path
from ..models.kind import KINDS
from ..models.middleware import PARAMETERS
from ..models.state import TABLES
from ..toolhive.profile import LATER_VERSION, TOOLHIVE
from ..toolhive.release import NEWEST_KNOWN, RELEASES, SECOND_VERSION_SINCE
from . import admission_table, cel_module, crd, fingerprint, go_dump, page, reference_table
from .client_page import client_page
from .declaration import DeclarationReader
from .file_format import FORMATS, VMCP
from .go_struct import parameter_table, struct_module
from .json_schema import Reading, file_schema, schema_file, with_nulls
from .kind import ReadKind, read_kinds
from .model import values_below
from .record import ANSWERS, GO_STRUCTS, OUTPUTS, SCHEMAS, TOOLS, WITH_NULLS
from .schema import kind_schemas

PUBLISHED = TOOLHIVE.judging_release
"""Release whose schemas are published."""
GENERATED = ("schemas/*.schema.json", "docs/reference/*.md")
"""Patterns of files that only the generator writes. `write` removes a matching file that is no longer generated."""


def outputs() -> dict[str, str]:
    """Return the texts of all generated files, by path relative to the root of the repository."""
    kinds = read_kinds(PUBLISHED)
    return _schemas(kinds) | _file_schemas() | _tables(kinds) | _pages()


def drift(root: str, expected: dict[str, str]) -> list[str]:
    """Return the generated files below ``root`` that are missing, outdated or left over, given the texts by path."""
    return sorted(path for path, text in expected.items() if _read(root, path) != text) + left_over(root, expected)


def left_over(root: str, expected: dict[str, str]) -> list[str]:
    """Return the paths of files below ``root`` that match `GENERATED` but are not in ``expected``."""
    from glob import glob

    existing = {file_path.relpath(path, root) for pattern in GENERATED for path in glob(file_path.join(root, pattern))}
    return sorted(existing - expected.keys())


def write(root: str, expected: dict[str, str]) -> list[str]:
    """Write missing and outdated files, remove files that are no longer generated, and return the paths of both."""
    changed = drift(root, expected)
    for path in changed:
        whole = file_path.join(root, path)
        if path not in expected:
            os.remove(whole)
            continue
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8", newline="\n") as file:
            file.write(expected[path])
    return changed


def _read(root: str, path: str) -> str | None:
    try:
        with open(file_path.join(root, path), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _schemas(kinds: list[ReadKind]) -> dict[str, str]:
    out = {f"schemas/{schema_file(name)}": _json(schema) for name, schema in kind_schemas(PUBLISHED).items()}
    out["schemas/crds.yaml"] = crd.stream(kinds, TOOLHIVE, PUBLISHED)
    return out


def _file_schemas() -> dict[str, str]:
    reader = DeclarationReader(of_crd=False, release=PUBLISHED)
    formats = [
        file_schema(format_.name, reader.model(format_.model), format_.reading, demands=format_.demands)
        for format_ in FORMATS
    ]
    record = Reading(closed=False)
    records = [
        file_schema(name, reader.model(model), record, title=model.__name__)
        for name, model in (SCHEMAS | ANSWERS | OUTPUTS).items()
    ]
    tools = [file_schema(name, reader.model(model), Reading(), title=model.__name__) for name, model in TOOLS.items()]
    schemas = {str(format_["$id"]): format_ for format_ in (*formats, *records, *tools)}
    schemas |= {schema_file(name): with_nulls(schemas[schema_file(name)]) for name in WITH_NULLS}
    return {f"schemas/{name}": _json(format_) for name, format_ in schemas.items()}


def _tables(kinds: list[ReadKind]) -> dict[str, str]:
    by_release = {release: read_kinds(release) for release in RELEASES}
    all_kinds = [*kinds, *(read for reads in by_release.values() for read in reads)]
    names = cel_module.rule_names(values_below(*(part.value for read in all_kinds for part in read.parts)))
    table = admission_table.TableWriter(names)
    positions = {read.kind.name: table.kind(read.parts) for read in kinds}
    reader = DeclarationReader(of_crd=False, release=PUBLISHED)
    files = {name.name: table.file(reader.model(name.model)) for name in FORMATS if name.reading == Reading()}
    published_count = len(table.shapes)
    changes: dict[str, dict[str, int | None]] = {name: {} for name in sorted(positions)}
    for release, reads in by_release.items():
        in_release: dict[str, int | None] = {read.kind.name: table.kind(read.parts) for read in reads}
        for name, dated in changes.items():
            position = in_release.get(name)
            if not dated or [*dated.values()][-1] != position:
                dated[release] = position
    latest = DeclarationReader(of_crd=False, release=NEWEST_KNOWN)
    newest = by_release[NEWEST_KNOWN]  # has all fields; older documents just lack the new ones
    hashed = {read.kind.name: go_dump.dump_type(read.spec) for read in newest if read.kind.name in go_dump.HASHED_KINDS}
    references = {read.kind.name: reference_table.reference_rows(read.parts[:1]) for read in newest}
    return {
        "compiler/admission/_shapes.py": admission_table.module(
            table.shapes[:published_count],
            positions,
            files,
            frozenset(kind.name for kind in KINDS if kind.only_first_version),
        ),
        "compiler/admission/_dated_shapes.py": admission_table.dated_module(
            table.shapes[published_count:], {name: dated for name, dated in changes.items() if len(dated) > 1}
        ),
        "compiler/kube/_fingerprint.py": fingerprint.module(),
        "compiler/admission/_cel.py": cel_module.module(names),
        "compiler/emit/_spew.py": go_dump.dump_module(hashed),
        "compiler/workspace/_reference.py": reference_table.module(references),
        "compiler/records/_structs.py": struct_module(
            "records", [latest.model(name) for name in (*SCHEMAS.values(), *ANSWERS.values(), *GO_STRUCTS)]
        )
        + parameter_table(PARAMETERS),
        "compiler/vmcp/_structs.py": struct_module("the vMCP configuration", [latest.model(name) for name in VMCP]),
    }


def _pages() -> dict[str, str]:
    """Return the texts of the reference pages by path. They describe the newest known release."""
    out = {}
    kinds = read_kinds(NEWEST_KNOWN)
    for read in kinds:
        kind = read.kind
        short = ", ".join(f"`{name}`" for name in (kind.plural, *kind.short_names))
        versions = [f"`apiVersion: {TOOLHIVE.api_group}/{TOOLHIVE.versions[0]}`"]
        if not kind.only_first_version:
            versions.append(f"from release {SECOND_VERSION_SINCE} on also `{TOOLHIVE.api_group}/{LATER_VERSION}`")
        facts = [*([f"since release {kind.since}"] if kind.since else []), ", ".join(versions), f"for kubectl: {short}"]
        out[f"docs/reference/{kind.name}.md"] = page.page(kind.name, kind.description, read.parts, facts)
    reader = DeclarationReader(of_crd=False, release=NEWEST_KNOWN)
    files = [(format_.name, reader.model(format_.model)) for format_ in FORMATS]
    for name, model in files:
        out[f"docs/reference/{name}.md"] = page.page(name, model.description, model.fields)
    out["docs/reference/clients.md"] = client_page()
    out["docs/reference/states.md"] = page.states(TABLES)
    out["docs/reference/index.md"] = page.index(
        [(read.kind.name, read.kind.description) for read in kinds],
        [(name, model.description) for name, model in files],
    )
    return out


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
