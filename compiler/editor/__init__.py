"""The language server, which answers an editor's questions about a text and its project."""
