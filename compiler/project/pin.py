"""Find the release of the operator that a project installs. The operator's chart has the version of its release.

Source: docs of Flux (OCIRepository, GitRepository, HelmRelease, HelmChart), Argo CD (Application), Helm (Chart.yaml,
Chart.lock), helmfile, kustomize (``helmCharts``, ``images``, remote resources), Fleet (``fleet.yaml``), k3s, k0s,
Sveltos, Zarf and Crossplane; the names, the folder and the versions of the operator's charts.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, value_at
from ..reading.document import Place
from ..toolhive.old_chart import era_of
from ..toolhive.release import RELEASES, release_key, whole_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_CHART_FILES: Final = ("Chart.yaml", "Chart.lock")
_LONGEST: Final = 256
"""Maximum length of a version in characters, because several patterns are applied to it. Longer texts are ignored."""
_EXACT: Final = r"=?\s*(v?\d+\.\d+\.\d+)(?:[-+].*)?"
_TERM: Final = (
    r"(>=|<=|>|<|!=|=|\^|~>?|)\s*v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:[-+][^\s,]*)?"
)


_HYPHEN: Final = r"(\S+)\s+-\s+(\S+)"
"""A range such as ``1.0 - 2.0``, which includes both versions."""


class Pin(NamedTuple):
    """A place in a file that states the release of the operator.

    Attributes:
        release: Stated release, modelled or not. For a range, the newest modelled release in it. Empty if the version
            is not a release.
        place: Place of the version, whose line is only computed for the pin that counts.
        is_crds: True if the version is that of the CRDs, which have their own chart.
        is_upper_bound: True if the release is the newest of several that ship the CRD at this place.
        unread: The stated version if it is no release, such as ``latest``, a digest or a placeholder; otherwise empty.
        is_chart: True if the version is that of the operator's chart, which sets the images of its release.
        era: The releases that an old number of a chart belongs to; empty if the version is no such number.
    """

    release: str
    place: Place
    is_crds: bool = False
    is_upper_bound: bool = False
    unread: str = ""
    is_chart: bool = False
    era: str = ""


class Pinned(NamedTuple):
    """A pin, and the path of the file that contains it."""

    file: str
    pin: Pin


def read(documents: Iterable[Document], profile: Profile) -> Iterator[Pin]:
    """Yield the pins in the documents of one file."""
    for document in documents:
        for element in document.elements():
            data = element.data
            if not isinstance(data, dict):
                continue
            shipped = _newest_shipping_release(data, profile)
            if shipped is not None:
                yield Pin(shipped, Place(element, ("metadata", "name")), is_crds=True, is_upper_bound=True)
            charts = dict(_named_charts(element.file, data, profile))
            for path, name in {**charts, **dict(_other_places(data, profile))}.items():
                version = value_at(data, path)
                text = version if isinstance(version, str) and len(version) < _LONGEST else ""
                text = _remote_version(text, profile) or text
                if text:
                    release, is_chart = _stated_release(text) or "", name == f"{profile.product}-operator"
                    unread, is_crds = "" if release else text, name.endswith("-crds")
                    era = (era_of(release, is_crds=is_crds) if release and path in charts else None) or ""
                    yield Pin(release, Place(element, path), is_crds, unread=unread, is_chart=is_chart, era=era)


def _newest_shipping_release(data: Mapping[str, Any], profile: Profile) -> str | None:
    """Return the newest release that ships exactly this CRD; ``None`` if no release does, or if this is no CRD."""
    if data.get("kind") != "CustomResourceDefinition" or _text(data, ("spec", "group")) != profile.api_group:
        return None
    from ..kube.crd_fingerprint import newest_release

    return newest_release(data)


def merge_crd_pins(pins: Sequence[Pinned]) -> list[Pinned]:
    """Return the pins, with only the oldest of the pins that the CRD files of a folder state.

    The pin of a CRD file states the newest release that ships exactly this CRD. So the oldest of these pins is the
    newest release that can ship all CRDs of the folder.
    """
    lowest: dict[str, Pinned] = {}
    for pinned in pins:
        folder = os.path.dirname(pinned.file)
        if pinned.pin.is_upper_bound:
            oldest = lowest.setdefault(folder, pinned)
            if release_key(pinned.pin.release) < release_key(oldest.pin.release):
                lowest[folder] = pinned
    return [
        pinned for pinned in pins if not pinned.pin.is_upper_bound or lowest[os.path.dirname(pinned.file)] is pinned
    ]


class NearestPins:
    """Finds the pin that counts for a folder: the pin whose file shares the most parent folders with this folder.

    Of several such pins, a pin of the operator is preferred to a pin of the CRDs, and then the newest pin. Checks for
    an older release would refuse fields that only the newer release has.
    """

    def __init__(self, pins: Sequence[Pinned]) -> None:
        self._nearest: dict[str, Pinned] = {}
        by_folder: dict[str, Pinned] = {}
        for pinned in sorted(pins, key=_priority, reverse=True):  # stable: of equal pins the first stays
            by_folder.setdefault(os.path.dirname(pinned.file), pinned)
        for folder, pinned in by_folder.items():
            for parent in _folder_and_parents(folder):
                if parent in self._nearest:
                    break
                self._nearest[parent] = pinned

    def pin_for(self, folder: str) -> Pinned:
        """Return the pin that counts for the files of a folder."""
        return next(self._nearest[parent] for parent in _folder_and_parents(folder) if parent in self._nearest)


def _priority(pinned: Pinned) -> tuple[bool, tuple[int, ...]]:
    return not pinned.pin.is_crds, release_key(pinned.pin.release or RELEASES[0])


def _folder_and_parents(folder: str) -> Iterator[str]:
    path = file_path.abspath(folder)
    while True:
        yield path
        above = file_path.folder_of(path)
        if above == path:
            return
        path = above


def _named_charts(file: str, data: Mapping[str, Any], profile: Profile) -> Iterator[tuple[Path, str]]:
    """Yield the path of each version of the operator's charts, with the name of the chart."""
    charts = (f"{profile.product}-operator", f"{profile.product}-operator-crds")
    for address, path in _chart_places(file, data):
        name = address.rstrip("/").removesuffix(".git").rpartition("/")[2].partition(":")[0]
        if name in charts:
            yield path, name


def _other_places(data: Mapping[str, Any], profile: Profile) -> Iterator[tuple[Path, str]]:
    """Yield the path of each version of the operator's repository or image, with a name."""
    places = list(_source_places(data, profile))
    if data.get("kind") == "Deployment":
        places += _image_places(data, ("spec", "template", "spec", "containers"), "image", "image", profile)
    elif data.get("kind", "Kustomization") == "Kustomization":
        for above in (("images",), ("spec", "images")):
            places += _image_places(data, above, "name", "newTag", profile)
    yield from ((path, name) for name, path in places)


def _chart_places(file: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    kind = str(data.get("kind", ""))
    if kind in {"Application", "ApplicationSet"}:
        above: Path = ("spec",) if kind == "Application" else ("spec", "template", "spec")
        for path in _argo_cd_sources(data, above):
            yield from ((name, (*path, "targetRevision")) for name in _argo_cd_chart_names(data, path))
    if kind == "OCIRepository":
        yield _text(data, ("spec", "url")), _flux_version_path(data)
    elif os.path.basename(file) in _CHART_FILES:
        yield from _entry_places(data, "dependencies", "name")
        yield _text(data, ("name",)), ("version",)
    elif "helmCharts" in data:
        yield from _entry_places(data, "helmCharts", "name")
    else:
        yield from _adjacent_places(data)


_NAMES: Final = ("chart", "chartName", "chartname")
_VERSIONS: Final = ("version", "chartVersion", "targetRevision")
_REPOSITORIES: Final = ("repository", "repo", "url", "repoURL")
"""Keys that state a repository. A mapping with one of them, a ``name`` and a version refers to a chart."""


def _adjacent_places(data: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    waiting: list[tuple[Any, Path]] = [(data, ())]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, dict):
            version = next((key for key in _VERSIONS if key in value), None)
            keys = [*_NAMES, *(["name"] if any(key in value for key in _REPOSITORIES) else [])]
            if version is not None:
                yield from ((value[key], (*path, version)) for key in keys if isinstance(value.get(key), str))
            waiting += [(inner, (*path, key)) for key, inner in value.items() if isinstance(inner, (dict, list))]
        elif isinstance(value, list):
            waiting += [(inner, (*path, number)) for number, inner in enumerate(value)]


def _argo_cd_sources(data: Mapping[str, Any], above: Path) -> list[Path]:
    numbers = range(_length(data, (*above, "sources")))
    return [(*above, "source"), *((*above, "sources", number) for number in numbers)]


def _argo_cd_chart_names(data: Mapping[str, Any], source: Path) -> tuple[str, ...]:
    """Return the texts of an Argo CD source that may name a chart: ``chart``, and ``repoURL`` for OCI registries."""
    return tuple(_text(data, (*source, key)) for key in ("chart", "repoURL"))


def _flux_version_path(data: Mapping[str, Any]) -> Path:
    """Return the path of the field that states the version of a Flux source.

    Without a digest or commit, a stated ``semver`` range decides. Otherwise, the tag is preferred to the digest or
    commit that Flux uses, because only the tag names a release.
    """
    ref: Path = ("spec", "ref")
    uses_range = value_at(data, (*ref, "semver")) and not (
        value_at(data, (*ref, "digest")) or value_at(data, (*ref, "commit"))
    )
    stated = (key for key in ("tag", "digest", "commit", "branch") if value_at(data, (*ref, key)))
    return (*ref, "semver" if uses_range else next(stated, "tag"))


def _source_places(data: Mapping[str, Any], profile: Profile) -> Iterator[tuple[str, Path]]:
    kind = str(data.get("kind", ""))
    if kind == "GitRepository":
        if _is_repository(_text(data, ("spec", "url")), profile):
            yield f"{profile.product}-operator", _flux_version_path(data)
    elif kind == "Application":
        for path in _argo_cd_sources(data, ("spec",)):
            folder = re.compile(_CHART_FOLDER).search(_text(data, (*path, "path")))
            if folder is not None and _is_repository(_text(data, (*path, "repoURL")), profile):
                yield f"{profile.product}-{folder[1]}", (*path, "targetRevision")
    elif kind in {"", "Kustomization", "Component"}:
        for field in ("resources", "components", "crds"):
            for number in range(_length(data, (field,))):
                folder = re.compile(_CHART_FOLDER).search(_text(data, (field, number)))
                if folder is not None and _remote_version(_text(data, (field, number)), profile):
                    yield f"{profile.product}-{folder[1]}", (field, number)


_CHART_FOLDER: Final = r"(?:^|/)deploy/charts/(operator(?:-crds)?)(?=[/?]|$)"
"""Folder of a chart in the repository of the operator."""


def _is_repository(url: str, profile: Profile) -> bool:
    return url.rstrip("/").removesuffix(".git").endswith(f"/{profile.product}")


def _remote_version(url: str, profile: Profile) -> str:
    """Return the release tag in the address of a remote resource of kustomize; empty if there is none."""
    product = re.escape(profile.product)
    match = re.search(rf"/{product}(?:\.git)?/(?:refs/tags/)?(v?\d+\.\d+\.\d+)/", url)
    if match is None and (repository := re.search(rf"/{product}(?:\.git)?/", url)) is not None:
        match = re.compile(r"[?&](?:ref|version)=(v?\d+\.\d+\.\d+)(?=&|$)").search(url, repository.end())
    return match[1] if match is not None else ""


def _entry_places(data: Mapping[str, Any], field: str, key: str) -> Iterator[tuple[str, Path]]:
    for number in range(_length(data, (field,))):
        yield _text(data, (field, number, key)), (field, number, "version")


def _image_places(
    data: Mapping[str, Any], above: Path, name_key: str, tag_key: str, profile: Profile
) -> Iterator[tuple[str, Path]]:
    """Yield the image name and the path of the tag or digest for each image of the operator in a list.

    Args:
        tag_key: Key of the tag; equal to ``name_key`` for containers, whose image text contains the tag.
    """
    wanted = f"{profile.product}/operator"
    for number in range(_length(data, above)):
        image = f"/{_text(data, (*above, number, name_key))}".partition("@")[0]
        if (image.rpartition(":")[0] or image if name_key == tag_key else image).endswith(f"/{wanted}"):
            has_tag = name_key == tag_key or value_at(data, (*above, number, tag_key))
            yield wanted, (*above, number, tag_key if has_tag else "digest")


def _stated_release(version: str) -> str | None:
    """Return the release in a version, tag, image or range: the newest in the range, or one at its bounds."""
    text = _version_of_image(version)
    exact = re.compile(_EXACT).fullmatch(text)
    if exact is not None:
        return whole_release(exact[1])
    alternatives, releases = text.split("||"), (*reversed(RELEASES), *_adjacent_releases(text))
    return next(
        (release for release in releases if any(_is_in_range(release, alternative) for alternative in alternatives)),
        None,
    )


def _adjacent_releases(text: str) -> list[str]:
    """Return the releases at the bounds of a range, and the releases next to these, oldest first."""
    releases: set[tuple[int, int, int]] = set()
    for term in re.compile(_TERM).finditer(text):
        major, minor, patch = (int(part) if (part or "").isdigit() else 0 for part in term.groups()[1:])
        releases |= {
            (major, max(minor - 1, 0), 0),
            (major, minor, patch),
            (major, minor, patch + 1),
            (major, minor + 1, 0),
        }
    return [".".join(map(str, release)) for release in sorted(releases)]


def _version_of_image(version: str) -> str:
    """Return the tag of an image reference, without the digest. A version without an image name stays unchanged."""
    return version.partition("@")[0].rpartition(":")[2].strip()


def _is_in_range(release: str, terms: str) -> bool:
    """Return whether a release meets all terms of a version range, with the syntax of Helm and Flux."""
    normalized = re.sub(_HYPHEN, r">=\1 <=\2", f" {terms.strip()}").strip()
    matches = list(re.compile(_TERM).finditer(normalized))
    if not matches or re.compile(_TERM).sub("", normalized).strip(" ,"):
        return False
    return all(_meets_term(release_key(release), match[1], match.groups()[1:]) for match in matches)


def _meets_term(key: tuple[int, ...], sign: str, parts: Sequence[str | None]) -> bool:
    """Return whether a release meets one term of a range.

    Args:
        sign: Operator of the term; empty for equality.
        parts: Major, minor and patch version of the term; ``None`` or a wildcard for any.
    """
    stated: list[int] = []
    for part in parts:
        if part is None or part in "xX*":
            break
        stated.append(int(part))
    bound = tuple(stated)
    prefix = key[: len(bound)]
    if sign in {">=", "<=", "<", ">", "!="}:
        return {
            ">=": prefix >= bound,
            "<=": prefix <= bound,
            ">": prefix > bound,
            "<": prefix < bound,
            "!=": prefix != bound,
        }[sign]
    if sign in {"^", "~", "~>"}:
        # The operator is below 1.0, where `^` keeps the minor version as `~` does.
        return prefix >= bound and key[:2] == bound[:2] if len(bound) > 1 else prefix == bound
    return prefix == bound


def _length(data: Any, path: Path) -> int:
    return len(listed(value_at(data, path)))


def _text(data: Any, path: Path) -> str:
    value = value_at(data, path)
    return value if isinstance(value, str) else ""
