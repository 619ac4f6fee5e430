"""Answers of ``simulate`` as text and as JSON."""
