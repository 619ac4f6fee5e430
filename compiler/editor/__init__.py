"""What an editor asks of a text and of the project around it; the server puts it into the protocol's words."""
