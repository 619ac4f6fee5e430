"""Spans, findings and rules, and what every message needs: values shown without secrets, suggestions."""
