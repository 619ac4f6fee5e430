"""Text templates for jinja2."""
