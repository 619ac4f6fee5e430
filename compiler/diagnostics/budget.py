"""How much a check makes of short texts before it stops. Every budget is declared here, with its reason.

A few lines can stand for gigabytes: a template with a loop, a value that is used a thousand times, two kustomizations
that each list the next two. Whoever makes something of such lines spends from a budget first, and makes it after that.
Bounds of what is read as it is written, such as the size of a file, stand in ``reading/bound.py``.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Amount(NamedTuple):
    """How much a budget allows.

    Attributes:
        characters: Length of the texts that are made.
        objects: Kubernetes objects and Applications that are made.
        steps: Units of other work, of a few microseconds at most: a value that is copied, an action of a template, a
            file that a kustomization leads to.
    """

    characters: int = 0
    objects: int = 0
    steps: int = 0


OF_FILE: Final = Amount(characters=8_000_000, objects=10_000, steps=1_000_000)
"""What one file expands on its own: aliases, ResourceSets, ApplicationSets.

The Flux operator stores what it makes of a ResourceSet in an inventory, in an object of at most 1.5 MB; that ends at
about 10,000 objects. Files of real projects make fewer than 100.
"""

OF_PROJECT: Final = Amount(characters=16_000_000, objects=50_000, steps=1_000_000)
"""What the files of one call make of one another: placements, overlays, patches, substitutions and copies.

It is spent once the facts of all files are there, in the order of the files. So a run that reads the files, a run with
a cache, and ``mcpcfg merge``, which joins the facts of shards, spend it alike.

kubeflow/manifests (1,117 YAML files, 233 kustomizations) takes 9,000 steps, onedr0p/home-ops 91 objects and 700
characters, a made-up project of 700 kustomizations 7,300 steps, 290 objects and 2,000 characters.
"""

OF_TEMPLATE: Final = Amount(steps=1_000_000)
"""The execution of one template that stands alone. The text that it prints has a bound of its own."""

OF_WORKFLOW: Final = Amount(characters=64 * 1024 * 1024, steps=500_000)
"""All templates of one simulated run of a composite tool, which loops over what its tools answer."""


class SpentError(Exception):
    """More is asked for than a budget has left."""


class Budget:
    """What is left of an amount.

    Attributes:
        refused: What was asked for beyond the amount, such as ``50,000 objects``; empty while all was granted.
        refused_at: The file that asked for it, if it was named. Later ones are not recorded.
    """

    def __init__(self, limit: Amount) -> None:
        self._limit = limit
        self._characters, self._objects, self._steps = limit
        self.refused = ""
        self.refused_at = ""

    def grants(self, file: str = "", *, characters: int = 0, objects: int = 0, steps: int = 0) -> bool:
        """Return whether there is as much left, and take it; what is refused takes nothing."""
        if characters <= self._characters and objects <= self._objects and steps <= self._steps:
            self._characters -= characters
            self._objects -= objects
            self._steps -= steps
            return True
        if not self.refused:
            asked = (characters > self._characters, objects > self._objects, steps > self._steps)
            number = asked.index(True)
            self.refused, self.refused_at = f"{self._limit[number]:,} {Amount._fields[number]}", file
        return False

    def take_refusal(self) -> str:
        """Return what was refused since the last call, for a finding about it; empty if nothing was."""
        refused, self.refused = self.refused, ""
        return refused

    def spend(self, *, steps: int = 0, characters: int = 0, objects: int = 0) -> None:
        """Take as much.

        Raises:
            SpentError: There is less left.
        """
        if not self.grants(characters=characters, objects=objects, steps=steps):
            raise SpentError(self.refused)
