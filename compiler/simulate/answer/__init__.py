"""Answers of ``simulate`` about the files of a project, for the command line and the MCP server."""
