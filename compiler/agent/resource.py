"""The MCP resources of the server: a page for each rule, and a page and a JSON Schema for each kind and file format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from ...validators.registry import all_rules
from ..diagnostics.span import InputError
from ..generate.explain.page import WIDTH, explanation
from ..generate.explain.schema_place import names_of
from ..generate.explain.schema_text import schema_text
from ..project.discovery import settings_of_pages

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_PAGE: Final = 200
"""Number of resources on one page of ``resources/list``, which has several hundred resources in total."""
_TEMPLATES: Final = {
    "mcpcfg://rule/{id}": ("Rule", "Page of a rule: what it checks, why, an example, the fix.", "text/plain"),
    "mcpcfg://kind/{name}": ("Kind", "Page of a kind or file format, with its fields.", "text/plain"),
    "mcpcfg://schema/{name}": ("Schema", "JSON Schema of a kind or file format.", "application/schema+json"),
}


async def list_resources(
    _: ServerRequestContext, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    """Return one page of the list of resources. An unknown cursor gives the first page."""
    names = names_of(settings_of_pages(None).profile.judging_release)
    resources = [_resource(f"mcpcfg://rule/{rule.id}", rule.name, rule.title) for rule in all_rules().values()]
    for name in names:
        resources.append(_resource(f"mcpcfg://kind/{name}", name, f"Page of {name}."))
        resources.append(_resource(f"mcpcfg://schema/{name}", f"{name} schema", f"JSON Schema of {name}."))
    cursor = params.cursor if params is not None else None
    # A client should return a cursor unchanged, but it may send any text.
    start = int(cursor) if cursor is not None and cursor.isdecimal() and len(cursor) < 10 else 0
    following = str(start + _PAGE) if start + _PAGE < len(resources) else None
    return types.ListResourcesResult(resources=resources[start : start + _PAGE], next_cursor=following)


async def list_templates(_: ServerRequestContext, __: Any) -> types.ListResourceTemplatesResult:
    """Return the templates of the URIs of resources."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(uri_template=template, name=name, description=description, mime_type=mime)
            for template, (name, description, mime) in _TEMPLATES.items()
        ]
    )


async def read_resource(__: ServerRequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """Return the page or schema at a URI.

    Raises:
        MCPError: There is no such resource.
    """
    uri = str(params.uri)
    sort, _, name = uri.removeprefix("mcpcfg://").partition("/")
    profile = settings_of_pages(None).profile
    text: str | None = None
    if sort == "schema":
        text = schema_text(name, profile)
    elif sort in {"rule", "kind"}:
        try:
            text = explanation(name, profile).wrapped(WIDTH)
        except InputError:
            text = None
    if text is None:
        # A client may send a URI of any length, so the message quotes only its start.
        raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri[:200]!r}; resources/list names all")
    mime = _mime(sort)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, mime_type=mime, text=text)])


def _resource(uri: str, name: str, description: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, description=description, mime_type=_mime(uri.split("/")[2]))


def _mime(sort: str) -> str:
    return next(mime for template, (_, _, mime) in _TEMPLATES.items() if template.startswith(f"mcpcfg://{sort}/"))
