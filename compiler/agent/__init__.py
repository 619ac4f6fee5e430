"""The MCP server: what mcpcfg tells agents."""
