"""Handle images that the service builds from packages: ``uvx://``, ``npx://`` and ``go://``.

Source: toolhive 0.21.0, runner: protocol schemes; container templates: default runtimes.
"""

from __future__ import annotations

import time

from ...toolhive.constants import BUILT_NAME, BUILT_REPOSITORY
from ...toolhive.profile import TOOLHIVE, Profile

SCHEMES = {"uvx://": "uvx", "npx://": "npx", "go://": "go"}


def is_package(image: str) -> bool:
    """Return whether ``image`` names a package that the service builds an image from."""
    return image.startswith(tuple(SCHEMES))


def built_image(package: str, seconds: int, profile: Profile = TOOLHIVE) -> str:
    """Return the name of the image that the service builds from a package. Its tag is the time of the build.

    Args:
        package: The package with its scheme, such as ``npx://name``.
        seconds: The time of the build in seconds since 1970 (UTC).
    """
    scheme, _, name = package.partition("://")
    name = name.removeprefix("./").removeprefix("../")
    for character in "/@.":
        name = name.replace(character, "-")
    name = name.removeprefix("-")
    if name in {"", "-"}:
        name = profile.spell(BUILT_NAME)
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds))
    return f"{profile.spell(BUILT_REPOSITORY)}/{scheme}-{name}:{stamp}".lower()
