"""Text worth reading as text: what jinja2 fills with names."""
