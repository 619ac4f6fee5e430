"""Client applications, and their settings."""
