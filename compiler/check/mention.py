"""Look for names and labels in all texts of a project, also in those that no rule reads.

The texts are only searched when a rule is about to report that a name or a label is nowhere.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import listed, mapping, walk
from ..disk.files import read_file
from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..disk.files import FoundFile
    from ..workspace.resource import Resource

_MENTION: Final = rb"(?<![A-Za-z0-9-])%s(?![A-Za-z0-9-]|[.a-z]{0,16}\.(?:yaml|yml|json|env)\b)"
"""Pattern of a whole name that is not the name of a file, such as ``name.sops.yaml``."""
_POD_MAKERS: Final = frozenset(
    {"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "Rollout", "StatefulSet"}
)
_INSTALLERS: Final = frozenset({"Application", "ApplicationSet", "HelmChart", "HelmRelease"})
"""Kinds whose objects install a chart, which may give any text among their values to its pods as a label."""
_SEARCHED: Final = (
    rb"\b(?:CronJob|DaemonSet|Deployment|Job|Pod|ReplicaSet|Rollout|StatefulSet|Service|Application\w*|Helm\w+)\b"
)
"""Pattern of the kinds that are searched, or that a caller may add."""


def is_mentioned(
    files: Sequence[FoundFile], buffers: Mapping[str, bytes], name: str, declaring: Resource, *, with_variables: bool
) -> bool:
    """Return whether a text of the project mentions ``name`` outside of the document of ``declaring``.

    With ``with_variables``, a variable at the beginning of the name counts, so ``${APP}-secret`` mentions ``x-secret``.
    A name of a file does not count. A file that cannot be read may mention any name.
    """
    mention = re.compile(_MENTION % re.escape(name.encode()))
    words = name.encode().split(b"-")
    ends = [b"}-" + b"-".join(words[start:]) for start in range(1, len(words))] if with_variables else []
    texts = [text for _, text in walk(declaring.document.data, ()) if isinstance(text, str)]
    own_mentions = sum(len(mention.findall(text.encode("utf-8", "surrogatepass"))) for text in texts)
    for file in files:
        text = _content(file, buffers)
        allowed_mentions = own_mentions if file.path == declaring.document.file else 0
        if text is None or any(end in text for end in ends):
            return True
        if len(mention.findall(text)) > allowed_mentions:
            return True
    return False


class Statements:
    """Tells whether pairs of a key and a text are stated in the texts of a project, which are read once.

    Args:
        files: The files of the project.
        buffers: The texts that an editor has in place of files.
    """

    def __init__(self, files: Sequence[FoundFile], buffers: Mapping[str, bytes]) -> None:
        self._files, self._buffers = files, buffers
        self._answers: dict[tuple[object, ...], bool] = {}

    def __call__(self, pairs: tuple[tuple[str, str], ...], *, kinds: tuple[str, ...] = ()) -> bool:
        """Return whether an object of another program may state all pairs.

        Objects that make pods, that install a chart, and values of charts are searched. A file that contains all texts
        and cannot be read may state them.

        Args:
            kinds: The kinds that are searched as well.
        """
        if (pairs, kinds) not in self._answers:
            self._answers[pairs, kinds] = self._are_stated(frozenset(pairs), _POD_MAKERS.union(kinds))
        return self._answers[pairs, kinds]

    @cached_property
    def _contents(self) -> list[tuple[str, bytes | None]]:
        """The path and the content of each file that may matter; ``None`` for a file that cannot be read."""
        contents: list[tuple[str, bytes | None]] = []
        for file in self._files:
            content = _content(file, self._buffers)
            if content is None:
                contents.append((file.path, None))
            elif re.search(_SEARCHED, content) is not None or b"kind" not in content:
                contents.append((file.path, content))
        return contents

    def _are_stated(self, wanted: frozenset[tuple[str, str]], kinds: frozenset[str]) -> bool:
        texts = [text.encode("utf-8", "surrogatepass") for _, text in wanted]
        for path, content in self._contents:
            if content is None:
                return True
            if not all(text in content for text in texts):
                continue
            objects = _objects(content, path)
            if objects is None:
                return True
            if any(wanted <= _stated_pairs(each, wanted) for each in objects if _is_searched(each, kinds)):
                return True
        return False


def is_named(files: Sequence[FoundFile], buffers: Mapping[str, bytes], text: str, *, besides: Collection[str]) -> bool:
    """Return whether an object of a kind other than ``besides``, or a file without kinds, contains a text."""
    sought = text.encode("utf-8", "surrogatepass")
    for file in files:
        content = _content(file, buffers)
        if content is None:
            return True
        if sought not in content:
            continue
        objects = _objects(content, file.path)
        if objects is None:
            return True
        for each in objects:
            values = (value for _, value in walk(each) if isinstance(value, str))
            if mapping(each).get("kind") not in besides and any(text in value for value in values):
                return True
    return False


def _content(file: FoundFile, buffers: Mapping[str, bytes]) -> bytes | None:
    """Return the content of a file, or the text that an editor has of it; ``None`` if the file cannot be read."""
    content = buffers[file.path] if file.path in buffers else read_file(file)
    return content if isinstance(content, bytes) else None


def _objects(content: bytes, path: str) -> list[Any] | None:
    """Return the objects of a text, and the items of lists of objects; ``None`` if a document cannot be read."""
    documents, findings = read_documents(content, path)
    if any(finding.severity == "error" for finding in findings):
        return None
    objects: list[Any] = []
    for document in documents:
        if str(mapping(document.data).get("kind")).endswith("List"):
            objects += listed(mapping(document.data).get("items"))
        else:
            objects.append(document.data)
    return objects


def _is_searched(data: Any, kinds: frozenset[str]) -> bool:
    return mapping(data).get("kind") in (None, *kinds, *_INSTALLERS)


def _stated_pairs(data: Any, wanted: frozenset[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return those of the pairs that an object states. One that installs a chart may give a text any key."""
    values = [(path[-1], str(value)) for path, value in walk(data) if path and isinstance(value, (str, int, bool))]
    if mapping(data).get("kind") in _INSTALLERS:
        texts = {text for _, text in values}
        return {pair for pair in wanted if pair[1] in texts}
    return {(str(key), text) for key, text in values}
