"""The check: files to facts, facts to a workspace, rules over it, findings out. `full.py` has it all in order."""
