"""Composite tools: what refuses them, and what does not work in them though nothing refuses it."""
