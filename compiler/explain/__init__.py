"""What ``explain`` and editors show about a field."""
