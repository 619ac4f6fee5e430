"""Which release of the operator a project installs, as its files state it: the version of the chart is the release.

Source: docs of Flux (OCIRepository, GitRepository, HelmRelease, HelmChart), Argo CD (Application), Helm (Chart.yaml,
Chart.lock), helmfile, kustomize (``helmCharts``, ``images``, remote resources), Fleet (``fleet.yaml``), k3s, k0s,
Sveltos, Zarf and Crossplane; of the operator's chart the names and the folder, and that its version is the release.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.plain import listed, value_at
from ..reading.document import Place
from ..toolhive.release import RELEASES, release_key, whole_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_CHART_FILES: Final = ("Chart.yaml", "Chart.lock")
_LONGEST: Final = 256
"""Characters of a version: what is longer is none."""
_EXACT: Final = re.compile(r"=?\s*(v?\d+\.\d+\.\d+)(?:[-+].*)?")
_TERM: Final = re.compile(
    r"(>=|<=|>|<|!=|=|\^|~>?|)\s*v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:[-+][^\s,]*)?"
)


_HYPHEN: Final = r"(\S+)\s+-\s+(\S+)"
"""``1.0 - 2.0``, both of them included."""


class Pin(NamedTuple):
    """One place of a file that states the release of the operator.

    Attributes:
        release: The release, modelled or not; of a range the newest modelled one in it. Empty if it names none.
        place: Of the version. Its line is looked up for the pin that counts alone: that takes longer than reading it.
        is_schemas: Whether it is that of the CRDs alone, which are a chart of their own.
        is_latest: Whether it is only the newest one that fits: a CRD, which many releases ship alike.
        unread: The version as it is stated, if it names no release: ``latest``, a digest, a placeholder.
        is_chart: Whether it is that of the operator's chart, which sets the images of its release.
    """

    release: str
    place: Place
    is_schemas: bool = False
    is_latest: bool = False
    unread: str = ""
    is_chart: bool = False


class Pinned(NamedTuple):
    """A pin and its file."""

    file: str
    pin: Pin


def read(documents: Iterable[Document], profile: Profile) -> Iterator[Pin]:
    """Yield what documents of one file pin.

    Args:
        documents: Of the file.
        profile: The names that the operator goes by.
    """
    for document in documents:
        for element in document.elements():
            data = element.data
            if not isinstance(data, dict):
                continue
            shipped = _shipped(data, profile)
            if shipped is not None:
                yield Pin(shipped, Place(element, ("metadata", "name")), is_schemas=True, is_latest=True)
            for name, path in _stated(element.file, data, profile):
                version = value_at(data, path)
                text = version if isinstance(version, str) and len(version) < _LONGEST else ""
                text = _remote_version(text, profile) or text
                if text:
                    release, is_chart = _release(text) or "", name == f"{profile.product}-operator"
                    unread = "" if release else text
                    yield Pin(release, Place(element, path), name.endswith("-crds"), unread=unread, is_chart=is_chart)


def _shipped(data: Mapping[str, Any], profile: Profile) -> str | None:
    """Return the newest release that ships a CRD as it is, if one does."""
    if data.get("kind") != "CustomResourceDefinition" or _text(data, ("spec", "group")) != profile.api_group:
        return None
    from ..kube.crd_fingerprint import newest_release

    return newest_release(data)


def merge_crd_pins(pins: Sequence[Pinned]) -> list[Pinned]:
    """Return pins with the CRDs of each folder made one: the release is the newest that ships all of them."""
    lowest: dict[str, Pinned] = {}
    for one in pins:
        folder = os.path.dirname(one.file)
        if one.pin.is_latest:
            known = lowest.setdefault(folder, one)
            if release_key(one.pin.release) < release_key(known.pin.release):
                lowest[folder] = one
    return [one for one in pins if not one.pin.is_latest or lowest[os.path.dirname(one.file)] is one]


class NearestPins:
    """The pin that counts for the files of each folder: the one with which it has the most folders in common.

    Of several, the pin of the operator goes before that of its CRDs, and a newer one before an older one, which would
    refuse what is meant for the newer.

    Args:
        pins: At least one.
    """

    def __init__(self, pins: Sequence[Pinned]) -> None:
        self._best: dict[str, Pinned] = {}
        best: dict[str, Pinned] = {}
        for one in sorted(pins, key=_weight, reverse=True):  # stable: of equal pins the first stays
            best.setdefault(os.path.dirname(one.file), one)
        for folder, one in best.items():
            for above in _with_parents(folder):
                if above in self._best:
                    break
                self._best[above] = one

    def pin_for(self, folder: str) -> Pinned:
        """Return the pin that counts for a folder."""
        return next(self._best[above] for above in _with_parents(folder) if above in self._best)


def _weight(one: Pinned) -> tuple[bool, tuple[int, ...]]:
    return not one.pin.is_schemas, release_key(one.pin.release or RELEASES[0])


def _with_parents(folder: str) -> Iterator[str]:
    """Yield the absolute path of a folder and those of the folders above it, up to the root."""
    path = file_path.abspath(folder)
    while True:
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above


def _stated(file: str, data: Mapping[str, Any], profile: Profile) -> Iterator[tuple[str, Path]]:
    """Yield each chart, or image, of the operator that a document names, with the path of its version."""
    charts = (f"{profile.product}-operator", f"{profile.product}-operator-crds")
    for named, path in _named(file, data):
        name = named.rstrip("/").removesuffix(".git").rpartition("/")[2].partition(":")[0]
        if name in charts:
            yield name, path
    yield from _checked_out(data, profile)
    if data.get("kind") == "Deployment":
        yield from _images(data, ("spec", "template", "spec", "containers"), "image", "image", profile)
    elif data.get("kind", "Kustomization") == "Kustomization":
        for above in (("images",), ("spec", "images")):
            yield from _images(data, above, "name", "newTag", profile)


def _named(file: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield each chart that a document names, by its name or address, with the path of its version."""
    kind = str(data.get("kind", ""))
    if kind in {"Application", "ApplicationSet"}:
        above: Path = ("spec",) if kind == "Application" else ("spec", "template", "spec")
        for path in _argo_cd_sources(data, above):
            yield from ((name, (*path, "targetRevision")) for name in _argo_cd_names(data, path))
    if kind == "OCIRepository":
        yield _text(data, ("spec", "url")), _ref(data)
    elif os.path.basename(file) in _CHART_FILES:
        yield from _listed(data, "dependencies", "name")
        yield _text(data, ("name",)), ("version",)
    elif "helmCharts" in data:
        yield from _listed(data, "helmCharts", "name")
    else:
        yield from _pairs(data)


_NAMES: Final = ("chart", "chartName", "chartname")
_VERSIONS: Final = ("version", "chartVersion", "targetRevision")
_REPOSITORIES: Final = ("repository", "repo", "url", "repoURL")
"""Beside a mere name and a version: what makes a chart of them."""


def _pairs(data: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield what a mapping calls its chart, with the path of the version beside it, at any place."""
    below: list[tuple[Any, Path]] = [(data, ())]
    while below:
        value, path = below.pop()
        if isinstance(value, dict):
            version = next((key for key in _VERSIONS if key in value), None)
            keys = [*_NAMES, *(["name"] if any(key in value for key in _REPOSITORIES) else [])]
            if version is not None:
                yield from ((value[key], (*path, version)) for key in keys if isinstance(value.get(key), str))
            below += [(inner, (*path, key)) for key, inner in value.items() if isinstance(inner, (dict, list))]
        elif isinstance(value, list):
            below += [(inner, (*path, number)) for number, inner in enumerate(value)]


def _argo_cd_sources(data: Mapping[str, Any], above: Path) -> list[Path]:
    several = range(_length(data, (*above, "sources")))
    return [(*above, "source"), *((*above, "sources", number) for number in several)]


def _argo_cd_names(data: Mapping[str, Any], source: Path) -> tuple[str, ...]:
    """Return what a source calls its chart: in a registry of charts, or in one of images."""
    return tuple(_text(data, (*source, key)) for key in ("chart", "repoURL"))


def _ref(data: Mapping[str, Any]) -> Path:
    """Return the path of what a source of Flux states of its version."""
    ref: Path = ("spec", "ref")
    has_range = value_at(data, (*ref, "semver")) and not (
        value_at(data, (*ref, "digest")) or value_at(data, (*ref, "commit"))
    )
    stated = (key for key in ("tag", "digest", "commit", "branch") if value_at(data, (*ref, key)))
    return (*ref, "semver" if has_range else next(stated, "tag"))


def _checked_out(data: Mapping[str, Any], profile: Profile) -> Iterator[tuple[str, Path]]:
    """Yield the charts, or definitions, that come from the repository of the operator, with the path of the tag."""
    kind = str(data.get("kind", ""))
    if kind == "GitRepository":
        if _is_repository(_text(data, ("spec", "url")), profile):
            yield f"{profile.product}-operator", _ref(data)
    elif kind == "Application":
        for path in _argo_cd_sources(data, ("spec",)):
            folder = _FOLDER.search(_text(data, (*path, "path")))
            if folder is not None and _is_repository(_text(data, (*path, "repoURL")), profile):
                yield f"{profile.product}-{folder[1]}", (*path, "targetRevision")
    elif kind in {"", "Kustomization", "Component"}:
        for field in ("resources", "components", "crds"):
            for number in range(_length(data, (field,))):
                folder = _FOLDER.search(_text(data, (field, number)))
                if folder is not None and _remote_version(_text(data, (field, number)), profile):
                    yield f"{profile.product}-{folder[1]}", (field, number)


_FOLDER: Final = re.compile(r"(?:^|/)deploy/charts/(operator(?:-crds)?)(?=[/?]|$)")
"""Where the repository of the operator holds its charts."""


def _is_repository(url: str, profile: Profile) -> bool:
    return url.rstrip("/").removesuffix(".git").endswith(f"/{profile.product}")


def _remote_version(url: str, profile: Profile) -> str:
    """Return the tag that the address of a remote resource states; empty where it states none."""
    product = re.escape(profile.product)
    found = re.search(rf"/{product}(?:\.git)?/(?:refs/tags/)?(v?\d+\.\d+\.\d+)/", url)
    if found is None and (folder := re.search(rf"/{product}(?:\.git)?/", url)) is not None:
        found = re.compile(r"[?&](?:ref|version)=(v?\d+\.\d+\.\d+)(?=&|$)").search(url, folder.end())
    return found[1] if found is not None else ""


def _listed(data: Mapping[str, Any], field: str, key: str) -> Iterator[tuple[str, Path]]:
    for number in range(_length(data, (field,))):
        yield _text(data, (field, number, key)), (field, number, "version")


def _images(
    data: Mapping[str, Any], above: Path, name_key: str, tag_key: str, profile: Profile
) -> Iterator[tuple[str, Path]]:
    """Yield the images of the operator in a list, with the path of their tag: the image itself, or what replaces it."""
    wanted = f"{profile.product}/operator"
    for number in range(_length(data, above)):
        image = f"/{_text(data, (*above, number, name_key))}".partition("@")[0]
        if (image.rpartition(":")[0] or image if name_key == tag_key else image).endswith(f"/{wanted}"):
            has_tag = name_key == tag_key or value_at(data, (*above, number, tag_key))
            yield wanted, (*above, number, tag_key if has_tag else "digest")


def _release(version: str) -> str | None:
    """Return the release that a version, a tag, an image or a range of versions means; ``None`` if it means none.

    Of a range it is the newest modelled one, or else one next to a bound of the range.
    """
    text = _bare(version)
    exact = _EXACT.fullmatch(text)
    if exact is not None:
        return whole_release(exact[1])
    parts, releases = text.split("||"), (*reversed(RELEASES), *_releases_near(text))
    return next((one for one in releases if any(_fits(one, part) for part in parts)), None)


def _releases_near(text: str) -> list[str]:
    """Return the releases at the bounds of a range of versions, and those next to them, the oldest first."""
    near: set[tuple[int, int, int]] = set()
    for term in _TERM.finditer(text):
        major, minor, patch = (int(part) if (part or "").isdigit() else 0 for part in term.groups()[1:])
        near |= {(major, max(minor - 1, 0), 0), (major, minor, patch), (major, minor, patch + 1), (major, minor + 1, 0)}
    return [".".join(map(str, release)) for release in sorted(near)]


def _bare(version: str) -> str:
    """Return what is left of an image without its name and digest."""
    return version.partition("@")[0].rpartition(":")[2].strip()


def _fits(release: str, terms: str) -> bool:
    """Return whether a release is in a range: terms that all have to hold, as Helm and Flux read them."""
    rest = re.sub(_HYPHEN, r">=\1 <=\2", f" {terms.strip()}").strip()
    found = list(_TERM.finditer(rest))
    if not found or _TERM.sub("", rest).strip(" ,"):
        return False
    return all(_holds(release_key(release), one[1], one.groups()[1:]) for one in found)


def _holds(key: tuple[int, ...], sign: str, parts: Sequence[str | None]) -> bool:
    """Return whether a release is what one term of a range asks for."""
    stated: list[int] = []
    for part in parts:
        if part is None or part in "xX*":
            break
        stated.append(int(part))
    bound = tuple(stated)
    own = key[: len(bound)]
    if sign in {">=", "<=", "<", ">", "!="}:
        return {">=": own >= bound, "<=": own <= bound, ">": own > bound, "<": own < bound, "!=": own != bound}[sign]
    if sign in {"^", "~", "~>"}:
        # Of a version below 1.0 both keep the second number.
        return own >= bound and key[:2] == bound[:2] if len(bound) > 1 else own == bound
    return own == bound


def _length(data: Any, path: Path) -> int:
    return len(listed(value_at(data, path)))


def _text(data: Any, path: Path) -> str:
    found = value_at(data, path)
    return found if isinstance(found, str) else ""
