"""Descriptions of fields, for ``explain`` and for editors."""
