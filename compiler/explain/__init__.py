"""What ``explain`` and editors say about a field."""
