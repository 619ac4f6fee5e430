"""The command line: arguments in, exit status out. The only room that prints."""
