"""The check: files to facts, facts to a workspace, rules over it, findings out. `full.py` says it all in order."""
