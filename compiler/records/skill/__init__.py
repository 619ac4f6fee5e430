"""Skills: their folders, what is installed."""
