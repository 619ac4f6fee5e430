"""The command line. No other room prints."""
