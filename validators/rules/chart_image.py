"""Rules about images in the values of the operator's chart that belong to another release than the chart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.release import release_key
from ...compiler.workspace.chart_release import chart_releases
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Finding, Path, ProjectRule, Workspace

OTHER_IMAGE = rule(
    "CHT006 image-of-another-release",
    "lint",
    "An image in the values of the operator's chart is of another release than the chart",
    unmodelled="all",
)
_IMAGES: Final[dict[Path, str]] = {
    ("operator", "image"): "operator",
    ("operator", "toolhiveRunnerImage"): "proxyrunner",
    ("operator", "vmcpImage"): "vmcp",
}
_TAGGED: Final = r"(?:[^\s:@]+(?::[0-9]+)?/)?{product}/{name}:v?([0-9]+\.[0-9]+\.[0-9]+)(?:@[^\s@]+)?"


def find_other_images(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each image in chart values whose release differs from that of the chart."""
    seen: set[tuple[object, ...]] = set()
    for release in chart_releases(workspace):
        product = re.escape(release.source.profile.product)
        for path, name in () if release.is_of_crds else _IMAGES.items():
            for values in release.values:
                image = value_at(values.data, path)
                tagged = re.fullmatch(_TAGGED.format(product=product, name=name), str(image))
                place = (*values.source.declared_at, values.path, values.outer_keys, path)
                if tagged is None or place in seen or _minor(tagged[1]) == _minor(release.release):
                    continue
                seen.add(place)
                message = f"{'.'.join(map(str, path))} is of release {tagged[1]}, but the chart of {release.release}"
                yield values.finding(
                    OTHER_IMAGE, path, message, hint=f"write {shown(_retagged(image, release.release))}"
                )


def _minor(release: str) -> tuple[int, ...]:
    return release_key(release)[:2]


def _retagged(image: str, release: str) -> str:
    return f"{image.partition('@')[0].rpartition(':')[0]}:v{release}"


PROJECT_RULES: tuple[ProjectRule, ...] = (find_other_images,)
