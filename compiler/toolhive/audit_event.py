"""The events that an audit configuration can select, for proxies and virtual servers.

Source: toolhive 0.21.0, package audit.
"""

from __future__ import annotations

from typing import Final

EVENT_TYPES: Final = tuple(
    """
    mcp_initialize mcp_tool_call mcp_tools_list mcp_resource_read mcp_resources_list mcp_prompt_get mcp_prompts_list
    mcp_notification mcp_ping mcp_logging mcp_completion mcp_roots_list_changed vmcp_workflow_started
    vmcp_workflow_completed vmcp_workflow_failed vmcp_workflow_timed_out vmcp_workflow_step_started
    vmcp_workflow_step_completed vmcp_workflow_step_failed vmcp_workflow_step_skipped mcp_request http_request
    """.split()
)
"""The selectable events. ``sse_connection`` is also logged but cannot be selected."""
