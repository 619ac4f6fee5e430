"""The management API's records over files: read, checked, converted and compiled."""
