"""The language server: answers an editor's questions about a text and its project."""
