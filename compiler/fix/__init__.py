"""Mechanical fixes: turn findings into minimal edits of the text."""
