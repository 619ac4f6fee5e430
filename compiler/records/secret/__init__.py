"""References to secrets, and where secrets stand in plain text."""
