"""Reads resources, resolves their references and compiles them to what the operator would write."""
