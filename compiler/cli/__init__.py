"""The command line: arguments, printed output and exit statuses."""
