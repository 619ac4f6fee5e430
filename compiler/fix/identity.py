"""Fixes of ``kind`` and ``apiVersion``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.suggestion import sure_match
from ..toolhive.profile import LATER_VERSION
from .edit import Change, Edit

if TYPE_CHECKING:
    from .edit import FileFix
    from .fix_context import FixContext


def unknown_kind(site: FixContext) -> FileFix | None:
    """Return a fix that corrects a misspelled kind, or ``None`` if no kind is similar enough."""
    value = _stated(site, "kind")
    meant = sure_match(value, site.table.kinds) if isinstance(value, str) else None
    return None if meant is None else _replace(site, "kind", meant)


def wrong_group(site: FixContext) -> FileFix | None:
    """Return a fix that writes the operator's API group into ``apiVersion``.

    The version stays if the operator serves it; otherwise the preferred version replaces it.
    """
    value = _stated(site, "apiVersion")
    version = str(value).rpartition("/")[2]
    versions = (*site.profile.versions, LATER_VERSION)
    return _replace(site, "apiVersion", f"{site.profile.api_group}/{version if version in versions else versions[0]}")


def _stated(site: FixContext, field: str) -> Any:
    path = (*site.prefix, field)
    return site.page.data(path) if site.page.document.has(path) else None


def _replace(site: FixContext, field: str, new: str) -> FileFix | None:
    path = (*site.prefix, field)
    if not site.page.document.has(path):
        return None
    start, end = site.page.value(path)
    written = site.page.text[start:end]
    old = site.page.data(path)
    if written == old:
        text = new
    elif written in (f'"{old}"', f"'{old}'"):
        text = written[0] + new + written[0]
    else:
        return None
    return site.fix(f"write {field}: {new}", (Edit(start, end, text),), Change("put", path, new))
