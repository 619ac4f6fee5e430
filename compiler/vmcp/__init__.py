"""The configuration of the vMCP process: reading the file, and everything that the process refuses in it."""
