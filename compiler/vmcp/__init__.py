"""Read the configuration of the vMCP process, and find the values that the process refuses."""
