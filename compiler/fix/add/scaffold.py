"""Create the folder of a new resource: copy and rename the files that apply the folder of a similar resource."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import mapping
from ...project.kustomize import is_delivery, is_kustomization
from ...reading.document import read_documents
from .listing import without_others
from .pattern import core_of, renamed
from .secret import form_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...check.full import Report
    from ...workspace.resource import Resource
    from .site import Site

_MOST_MODELS: Final = 40
"""Maximum number of resources whose folders are compared to find the best one to copy.

Each comparison parses all files of a folder, so more folders would take too long.
"""


class Scaffold(NamedTuple):
    """The files that apply a resource with its own folder. They are copied for a new resource.

    Attributes:
        texts: Texts to copy, by file in the folder: kustomizations, Namespaces, objects of Flux and Argo CD.
        others: Number of files in the folder that are not copied, except the model's file and Secrets.
        deliveries: Texts of Flux and Argo CD objects outside of the folder that apply it, by file.
    """

    model: Resource[Any]
    folder: str
    texts: Mapping[str, str]
    others: int
    deliveries: Mapping[str, str]

    @property
    def text(self) -> str:
        """All texts to copy, one after the other."""
        return "\n".join((*self.texts.values(), *self.deliveries.values()))


def best_scaffold(report: Report, site: Site) -> Scaffold:
    """Return the scaffold in which the model's name can be replaced most reliably.

    The name should occur in no other scaffold, and in no list of dependencies of its own scaffold, where it may name
    another application. Among equal scaffolds, the one with the fewest other files is returned.
    """
    scaffolds = [_scaffold(report, model, site.folder_of(model)) for model in site.models[:_MOST_MODELS]]

    def rank(scaffold: Scaffold) -> tuple[int, int, int]:
        words = {os.path.basename(scaffold.folder), core_of(scaffold.model.name, os.path.basename(scaffold.folder))}
        others = "\n".join(other.text for other in scaffolds if other is not scaffold)
        clashes = sum(renamed(others, [(word, "")]) != others for word in words)
        needs_itself = re.compile(rf"(?m)^ *- name: (?:{'|'.join(map(re.escape, words))}) *$")
        clashes += needs_itself.search(scaffold.text) is not None
        return clashes, scaffold.others, len(scaffold.text)

    return min(scaffolds, key=rank)


def words_of(scaffold: Scaffold, site: Site, name: str) -> dict[str, str]:
    """Return the words to replace in a scaffold, and their replacements for the new resource ``name``."""
    old, new = os.path.basename(scaffold.folder), os.path.basename(site.folder)
    core = core_of(scaffold.model.name, old)
    own_core = site.pattern.core(name)
    return {old: new, scaffold.model.name: name, core: own_core, core.capitalize(): own_core}


def copied(scaffold: Scaffold, site: Site, words: Mapping[str, str], written: Sequence[str]) -> dict[str, str]:
    """Return the renamed copies of the scaffold's files by path.

    Args:
        scaffold: Files of the existing resource that is copied.
        site: The place of the new resource.
        written: Other new files, which copied kustomizations may list.
    """
    texts = {
        site.folder + file[len(scaffold.folder) :]: renamed(text, words.items())
        for file, text in scaffold.texts.items()
    }
    kept = frozenset((*texts, *written))
    return {file: without_others(file, text, kept) for file, text in texts.items()}


def _scaffold(report: Report, model: Resource[Any], folder: str) -> Scaffold:
    texts: dict[str, str] = {}
    others = 0
    inside = [file.path for file in report.project.files if file.path.startswith(f"{folder}/")]
    for file in inside:
        text = report.loaded.texts.get(file, b"")
        documents, findings = read_documents(text, file)
        if documents and not findings and all(_is_copied(file, document.data) for document in documents):
            texts[file] = text.decode("utf-8", "replace")
        else:
            is_secret = bool(documents) and all(form_of(document.data) for document in documents)
            others += file != model.document.file and not is_secret
    return Scaffold(model, folder, texts, others, _deliveries(report, folder, inside))


def _is_copied(file: str, data: Any) -> bool:
    return is_kustomization(file, data) or is_delivery(data) or mapping(data).get("kind") == "Namespace"


def _deliveries(report: Report, folder: str, inside: Sequence[str]) -> dict[str, str]:
    folders = {file_path.abspath(os.path.dirname(file)) for file in inside}
    texts: dict[str, str] = {}
    for facts in report.loaded.in_scope:
        for delivery in facts.delivery.controllers:
            paths = [path.strip("./") for path in delivery.folders]
            is_its = any(place.endswith(f"/{path}") for place in folders for path in paths if path and "*" not in path)
            if is_its and not facts.file.startswith(f"{folder}/"):
                _, _, _, _, start, end, _, _ = delivery.document.place()
                texts[facts.file] = report.loaded.texts.decoded(facts.file)[start:end]
    return texts
