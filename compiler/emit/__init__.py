"""Compile steps: pure functions from resolved resources to the objects that the operator writes."""
