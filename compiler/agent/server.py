"""The MCP server, which offers the tools and pages of mcpcfg on standard input and output."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from jsonschema import Draft202012Validator
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from ..diagnostics import budget, file_path, timing
from ..diagnostics.shown import in_json, lines, sanitized
from ..diagnostics.span import InputError
from ..diagnostics.version import VERSION
from ..disk.confinement import confine
from ..fix.fixed_file import visible_text
from . import resource
from .stream import BoundedLines
from .tool import TOOLS, Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext

    from .project import Arguments

INSTRUCTIONS: Final = (
    "mcpcfg tells whether configuration of MCP servers for ToolHive on Kubernetes would run, without a cluster. Call"
    " check on what you have written, explain on a rule that you do not know, apply the edits of fix, and check again"
    " until there are no errors. Then build shows what would be created, and diff what a change does."
)
_MOST_WAITING_BYTES: Final = 64 * 1024 * 1024
"""Maximum total size of the texts in calls that wait for the single worker, so a client cannot fill the memory."""
_MOST_ANSWER: Final = 4 * 1024 * 1024
"""Maximum characters of an answer, because no agent can use a larger answer."""
_PAUSE: Final = 0.1
"""Minimum seconds between two notifications of progress, because a notification may take longer than a stage."""
_LONGEST_FAULT: Final = 500
"""Maximum characters of a message about a wrong argument, because the schema library quotes the whole argument."""


class ToolServer:
    """Answers the requests of a client.

    Tool calls run one after another in a thread. A canceled call ends at its next stage.

    Args:
        may_write: True to let the tool ``fix`` write files.
    """

    def __init__(self, *, may_write: bool) -> None:
        self._tools = {tool.name: tool for tool in TOOLS}
        self._may_write = may_write
        self._limiter = anyio.CapacityLimiter(1)
        self._waiting_bytes = 0

    def protocol(self) -> Server[Any]:
        """Return a server of the SDK whose handlers are methods of this object."""
        return Server(
            "mcpcfg",
            version=VERSION,
            title="mcpcfg",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=resource.list_resources,
            on_list_resource_templates=resource.list_templates,
            on_read_resource=resource.read_resource,
        )

    async def _list_tools(self, _: ServerRequestContext, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[self._described(tool) for tool in TOOLS])

    def _described(self, tool: Tool) -> types.Tool:
        writes = tool.name == "fix" and self._may_write
        return types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.input_schema(),
            output_schema=tool.output_schema(),
            annotations=types.ToolAnnotations(
                title=tool.title,
                read_only_hint=not writes,
                destructive_hint=writes,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )

    async def _call_tool(
        self, context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            return _fault(f"there is no tool {params.name!r}, only {', '.join(self._tools)}")
        arguments = params.arguments or {}
        size = sum(len(text) for text in (arguments.get("files") or {}).values()) if _has_texts(arguments) else 0
        if self._waiting_bytes + size > _MOST_WAITING_BYTES:
            return _fault("too many texts wait to be checked: wait for the answers, or name paths instead of files")
        self._waiting_bytes += size
        try:
            return await self._answer(context, tool, arguments)
        finally:
            self._waiting_bytes -= size

    async def _answer(self, context: ServerRequestContext, tool: Tool, arguments: Arguments) -> types.CallToolResult:
        notify = _Progress(context)

        def work() -> types.CallToolResult:
            fault = _argument_fault(tool, arguments)
            if fault is not None:
                return _fault(fault)
            timing.observe(notify)
            try:
                return _result(lambda: tool.run(may_write=self._may_write)(arguments))
            finally:
                timing.observe(None)
                budget.end_call()

        return await anyio.to_thread.run_sync(work, limiter=self._limiter)


class _Progress:
    """Reports the stages of a tool call to the client, and ends the call if the client has canceled it."""

    def __init__(self, context: ServerRequestContext) -> None:
        self._context = context
        self._count = 0
        self._told_at = time.monotonic()

    def __call__(self, text: str) -> None:
        """Report the start of a stage, unless another was reported less than `_PAUSE` seconds ago."""
        anyio.from_thread.check_cancelled()
        now = time.monotonic()
        if now - self._told_at >= _PAUSE:
            self._told_at = now
            self._count += 1
            anyio.from_thread.run(self._context.session.report_progress, float(self._count), None, text)


def _result(answer: Callable[[], dict[str, Any]]) -> types.CallToolResult:
    """Call ``answer``, and return its data as an MCP result; an error if it raises, or its answer is too large."""
    try:
        data: dict[str, Any] = _escaped(answer())
    except (InputError, ValueError) as error:
        return _fault(str(error))
    except Exception as error:  # noqa: BLE001 - a bug must not stop the server
        sys.stderr.write(lines(traceback.format_exc()) + "\n")
        return _fault(f"internal error of mcpcfg, please report it: {type(error).__name__}")
    text = in_json(json.dumps(data, ensure_ascii=False))
    if len(text) > _MOST_ANSWER:
        return _fault(f"the answer is larger than {_MOST_ANSWER >> 20} MiB: name fewer paths")
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=data)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return visible_text(value)
    if isinstance(value, dict):
        return {visible_text(key): _escaped(item) for key, item in value.items()}
    return [_escaped(item) for item in value] if isinstance(value, list | tuple) else value


def _fault(message: str) -> types.CallToolResult:
    text = "\n".join(sanitized(line) for line in message.splitlines())
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _has_texts(arguments: Arguments) -> bool:
    files = arguments.get("files")
    return isinstance(files, dict) and all(isinstance(text, str) for text in files.values())


def _argument_fault(tool: Tool, arguments: Arguments) -> str | None:
    fault = next(iter(_validator(tool).iter_errors(arguments)), None)
    if fault is None:
        return None
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.absolute_path)
    return f"arguments{place}: {fault.message[:_LONGEST_FAULT]}; see the input schema of {tool.name}"


@cache
def _validator(tool: Tool) -> Draft202012Validator:
    return Draft202012Validator(tool.input_schema())


def serve(root: str, *, may_write: bool) -> int:
    """Answer requests on standard input until it ends. Return the exit status.

    Args:
        root: Folder that becomes the current folder. Files outside of it are not read.
        may_write: True to let the tool ``fix`` write files.
    """
    os.chdir(root)
    confine(file_path.getcwd())
    # The messages get a descriptor of their own, so nothing else that reads standard input takes one away.
    messages = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), sys.stdin.fileno())

    async def run() -> None:
        server = ToolServer(may_write=may_write).protocol()
        lines_of_input: Any = BoundedLines(messages)
        async with stdio_server(stdin=lines_of_input) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client has gone
    return 0
