"""The MCP server, with which agents use mcpcfg."""
