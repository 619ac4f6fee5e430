"""Plan all changes that add a resource to a project.

A *model* is an existing resource whose style the new resource takes over.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ...admission.table import table_of
from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import value_at
from ...diagnostics.span import InputError
from ...disk.output_file import read_inside
from ...disk.walk import boundaries
from ...project.kustomization import by_folder
from ...project.kustomize import FILE_NAMES
from ...reading.document import read_documents
from ...reading.excerpt import decode
from ...workspace.reference import declared_keys
from ...workspace.workspace import MEMBER_KINDS
from .listing import lists_any, with_entry
from .manifest import Style, document_text, metadata_of, spec_of, style_at
from .pattern import common_pattern, renamed
from .scaffold import best_scaffold, copied, words_of
from .secret import FILL_IN, SecretModel, keys_style, secret_data, secret_model, secret_name, secrets_of
from .site import Site, find_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ...check.full import Report
    from ...project.kustomization import Kustomization
    from ...workspace.resource import Resource
    from .scaffold import Scaffold

_JOINING: Final = (*sorted(MEMBER_KINDS), "VirtualMCPServer")
"""Kinds that refer to a group."""


class Wish(NamedTuple):
    """A resource to add.

    Attributes:
        spec: The fields of its spec that the user states.
        namespace: The stated namespace; ``None`` to take it from similar resources.
        group: Name of the stated group; ``None`` to choose it.
        place: The stated file or folder; ``None`` to choose it.
        secrets: Names of environment variables whose values come from a Secret.
    """

    kind: str
    name: str
    spec: Mapping[str, Any]
    namespace: str | None = None
    group: str | None = None
    place: str | None = None
    secrets: tuple[str, ...] = ()


class ProjectChanges(NamedTuple):
    """The changes that add a resource to a project.

    Attributes:
        texts: New texts by file.
        before: The contents from which the changes were planned, by file; ``None`` for a new file.
        notes: Sentences about steps that are left to the user.
        spec: The spec of the new resource.
        secret_file: The file that gets a Secret without values; empty if no Secret is written.
    """

    texts: Mapping[str, str]
    before: Mapping[str, bytes | None]
    notes: tuple[str, ...]
    spec: Mapping[str, Any]
    secret_file: str = ""


def plan(report: Report, wish: Wish) -> ProjectChanges:
    """Return the changes that add a resource to a project. Nothing is written.

    Raises:
        InputError: The place is not clear, the resource exists already, or a file cannot be changed.
    """
    return _Planner(report, wish).plan()


class _Planner:
    """Collects the changes that add one resource.

    Attributes:
        notes: Sentences about steps that are left to the user.
    """

    def __init__(self, report: Report, wish: Wish) -> None:
        self.texts: dict[str, str] = {}
        self.notes: list[str] = []
        self._before: dict[str, bytes | None] = {}
        self._report = report
        self._files = frozenset(file.path for file in report.project.files)
        self._wish = wish
        self._site: Site = find_site(report, wish.kind, wish.name, wish.group, wish.place)
        self._scaffold: Scaffold | None = best_scaffold(report, self._site) if self._site.folder else None
        first = self._site.models[:1] if self._scaffold is None else [self._scaffold.model]
        self._models = [*first, *(model for model in self._site.models if model not in first)]
        self._words: dict[str, str] = {}
        if self._scaffold is not None:
            self._words = words_of(self._scaffold, self._site, wish.name)
        elif first:
            self._words = {first[0].name: wish.name}

    def plan(self) -> ProjectChanges:
        site, wish = self._site, self._wish
        metadata = metadata_of(wish.name, wish.namespace, self._models, self._words)
        rival = self._report.workspace.find(wish.kind, metadata.get("namespace"), wish.name, site.file)
        if rival is not None:
            place = rival.at(("metadata", "name"))
            raise InputError(f"there is already a {wish.kind} {wish.name}: {place.file}:{place.line}")
        spec = dict(wish.spec)
        if wish.kind in _JOINING and "groupRef" not in spec:
            group = self._group()
            spec |= {"groupRef": group} if group is not None else {}
        secret = self._with_secrets(spec, metadata.get("namespace")) if wish.secrets else None
        same_kind = [model for model in self._models if model.kind == wish.kind]
        data: dict[str, Any] = {
            "apiVersion": self._api_version(),
            "kind": wish.kind,
            "metadata": metadata,
            "spec": spec_of(spec, same_kind or self._joining_models()),
        }
        self._write(site.file, document_text(data, self._style()))
        written = [site.file]
        if secret is not None:
            written.append(self._write_secret(secret, site.file))
        files = [file for file in written if file]
        if self._scaffold is not None:
            self._copy_scaffold(self._scaffold, files)
            self._list_folder(self._scaffold, files)
        else:
            self._list_files(files)
        self._refuse_unwritable()
        before = {file: self._before[file] for file in self.texts}
        secret_file = written[1] if len(written) > 1 else ""
        return ProjectChanges(self.texts, before, tuple(self.notes), data["spec"], secret_file)

    def _text(self, file: str) -> str | None:
        if file in self.texts:
            return self.texts[file]
        if file not in self._before:
            texts = self._report.loaded.texts
            self._before[file] = texts[file] if file in texts else read_inside(file, boundaries((".",)))
        before = self._before[file]
        return None if before is None else decode(before)

    def _refuse_unwritable(self) -> None:
        for file in sorted(self.texts):
            before = self._before[file]
            if before is not None and decode(before).encode("utf-8", "surrogateescape") != before:
                raise InputError(f"{file} begins with a byte order mark: it cannot be changed")

    def _style(self) -> Style:
        if not self._models:
            return Style()
        model = self._models[0]
        text = self._report.loaded.texts.decoded(model.document.file)
        _, _, _, _, start, end, _, _ = model.document.place()
        style = style_at(text[start:end], model.kind, self._wish.kind)
        return style._replace(has_marker=text.lstrip().startswith("---"))

    def _api_version(self) -> str:
        profile = self._report.project.settings.profile
        if self._wish.kind in table_of(profile.judging_release).first_version_only:
            return f"{profile.api_group}/{profile.versions[0]}"
        stated = [str(model.document.data.get("apiVersion")) for model in self._models]
        return stated[0] if stated and stated[0].startswith(profile.api_group) else profile.api_version()

    def _write(self, file: str, text: str) -> None:
        before, style = self._text(file), self._style()
        if before is None:
            self.texts[file] = f"---{style.newline}{text}" if style.has_marker else text
            return
        gap = "" if before.endswith(("\n", "\r")) or not before else style.newline
        self.texts[file] = f"{before}{gap}---{style.newline}{text}"

    # --- group and Secret ---------------------------------------------------------------------------------------

    def _group(self) -> Any:
        """Return the value of ``groupRef``, or ``None`` if the resource joins no group.

        The group is the stated one, or else the only group of the project. But if there are models, only a stated group
        counts, because the models show whether resources of the kind join a group.
        """
        if self._wish.group is not None:
            return {"name": self._wish.group}
        groups: dict[str, Resource[Any]] = {
            group.name: group for group in self._report.workspace.read_of_kind("MCPGroup")
        }
        has_models = any(model.kind == self._wish.kind for model in self._models) or self._joining_models()
        return {"name": next(iter(groups))} if len(groups) == 1 and not has_models else None

    def _joining_models(self) -> list[Resource[Any]]:
        return [model for model in self._models if model.kind in MEMBER_KINDS and self._wish.kind in _JOINING]

    def _with_secrets(
        self, spec: dict[str, Any], namespace: str | None
    ) -> tuple[SecretModel | None, dict[str, Any]] | None:
        """Add references to a Secret to ``spec``. Return the model and the data of the Secret to write.

        If the user has to change a shared Secret or seal one, add a note and return ``None``.
        """
        wish, report = self._wish, self._report
        dashed = keys_style(self._models) == "dashes"
        keys = [name.lower().replace("_", "-") if dashed else name for name in wish.secrets]
        shared = {secret["name"] for model in self._models for secret in secrets_of(model)}
        users = [model for model in self._models if secrets_of(model)]
        is_shared = len(shared) == 1 and len(users) > 1 and not self._lacks(next(iter(shared)), keys, users[0])
        if is_shared:
            name = next(iter(shared))
        elif len(shared) == 1 and len(users) > 1:
            name = wish.name
        else:
            name = secret_name(wish.name, self._models)
        spec["secrets"] = [
            {"name": name, "key": key, "targetEnvName": variable}
            for key, variable in zip(keys, wish.secrets, strict=True)
        ]
        folders = [*dict.fromkeys(os.path.dirname(model.document.file) for model in self._models)]
        model = secret_model((file.path for file in report.project.files), report.loaded.texts, folders)
        if is_shared:
            self.notes.append(f"add {', '.join(keys)} to the Secret {name}, which other servers use too")
            return None
        if model is not None and model.form == "SealedSecret":
            self.notes.append(f"seal a Secret {name} with {', '.join(keys)}: kubeseal encrypts it for your cluster")
            return None
        return model, secret_data(name, namespace, keys, model)

    def _lacks(self, name: str, keys: Sequence[str], user: Resource[Any]) -> bool:
        """Return whether a declaration of the Secret ``name`` in the project lacks some of the keys.

        If the project does not declare it, return false, because the keys can be added where it is declared.
        """
        secret = self._report.workspace.find("Secret", user.namespace, name, user.document.file)
        existing_keys = declared_keys(secret) if secret is not None else None
        return existing_keys is not None and not existing_keys.issuperset(keys)

    def _write_secret(self, secret: tuple[SecretModel | None, dict[str, Any]], near_file: str) -> str:
        model, data = secret
        form = model.form if model is not None else "Secret"
        file = self._secret_file(model, data["metadata"]["name"], near_file)
        text = model.text if model is not None else ""
        style = style_at(text, data["kind"], data["kind"])._replace(newline=self._style().newline)
        comment = FILL_IN.get(form, "").format(file=os.path.basename(file))
        self._write(file, document_text(data, style if text else self._style()._replace(schema=""), comment=comment))
        if comment:
            self.notes.append(f"{file}: {comment[:1].lower()}{comment[1:].rstrip('.')}")
        return file

    def _secret_file(self, model: SecretModel | None, name: str, near_file: str) -> str:
        """Return the path of the file for a Secret, named after the model's file, ``near_file`` or the Secret."""
        folder = os.path.dirname(near_file)
        plain = file_path.join(folder, f"{os.path.splitext(os.path.basename(near_file))[0]}-secret.yaml")
        if model is None:
            return plain
        base = os.path.basename(model.document.file)
        stem, extension = (base[: base.index(".")], base[base.index(".") :]) if "." in base else (base, "")
        if model.form == "ExternalSecret" and self._site.folder:
            return file_path.join(folder, base)
        is_near = os.path.dirname(model.document.file) == folder
        pattern = common_pattern((other.name, stem) for other in self._models)
        if is_near and pattern is not None:
            return file_path.join(folder, pattern.apply(self._wish.name) + extension)
        if is_near and model.form == "ExternalSecret":
            return model.document.file
        return file_path.join(folder, f"{name}{extension}") if model.form == "SOPS" else plain

    # --- kustomizations and deliveries --------------------------------------------------------------------------

    def _copy_scaffold(self, scaffold: Scaffold, written: Sequence[str]) -> None:
        copies = copied(scaffold, self._site, self._words, written)
        self.texts |= {file: text for file, text in copies.items() if self._text(file) is None}
        for file, text in scaffold.deliveries.items():
            before = self._text(file) or ""
            copy = renamed(text, self._words.items()).strip("\r\n")
            if _name_of(copy) == _name_of(text):
                self.notes.append(f"have a controller apply {self._site.folder}, as {file} does for {scaffold.folder}")
                continue
            copy = copy if copy.startswith("---") else f"---\n{copy}"
            gap = "" if before.endswith("\n") else "\n"
            self.texts[file] = f"{before}{gap}{copy}\n"

    def _list_files(self, written: Sequence[str]) -> None:
        models = {file_path.normpath(model.document.file) for model in self._models}
        paths = [*dict.fromkeys(map(file_path.normpath, written))]
        for folder, _, file, text in self._kustomizations():
            if lists_any(file, text, models.__contains__) or self._is_nearest(folder, written):
                self._add_entries(file, text, paths, models.__contains__)

    def _list_folder(self, scaffold: Scaffold, written: Sequence[str]) -> None:
        """Add the folder of the new resource to the kustomizations that list the model's folder.

        Also add the new files to the copied kustomizations in the new folder.
        """
        site = self._site
        folders = tuple(f"{file_path.normpath(site.folder_of(model))}/" for model in self._models)
        old, new = file_path.normpath(scaffold.folder), file_path.normpath(site.folder)
        for _, kustomization, file, text in self._kustomizations():
            if not f"{file}/".startswith(folders):
                inside = sorted(path for path in kustomization.listed if f"{path}/".startswith(f"{old}/"))
                paths = [new + path[len(old) :] for path in inside]
                self._add_entries(file, text, paths, lambda path: f"{path}/".startswith(folders))
        for file in [file for file in self.texts if os.path.basename(file) in FILE_NAMES]:
            beside = [path for path in written if os.path.dirname(path) == os.path.dirname(file)]
            self._add_entries(file, self.texts[file], map(file_path.normpath, beside), lambda _: False)

    def _kustomizations(self) -> Iterator[tuple[str, Kustomization, str, str]]:
        for folder, kustomization in by_folder(self._report.loaded.plan.kustomizations).items():
            for file in (file_path.normpath(file_path.join(folder, name)) for name in FILE_NAMES):
                is_read = kustomization.listed and (file in self._files or file in self.texts)
                text = self._text(file) if is_read else None
                if text is not None:
                    yield folder, kustomization, file, text

    def _add_entries(self, file: str, text: str, paths: Iterable[str], is_model: Callable[[str], bool]) -> None:
        added: set[str] = set()
        for path in paths:
            text = with_entry(file, text, path, lambda listed: listed in added or is_model(listed)) or text
            added.add(path)
        if text != self._text(file):
            self.texts[file] = text

    def _is_nearest(self, folder: str, written: Sequence[str]) -> bool:
        """Return whether a kustomization in ``folder`` must list new files there, because none lists models there."""
        is_beside = any(file_path.normpath(os.path.dirname(file) or ".") == folder for file in written)
        left_out = self._report.loaded.plan.left_out
        folder_models = [model for model in self._models if os.path.dirname(model.document.file) == folder]
        return is_beside and all(model.document.file in left_out for model in folder_models)


def _name_of(text: str) -> object:
    documents, _ = read_documents(text.encode(), "")
    return value_at(documents[0].data, ("metadata", "name")) if documents else None
