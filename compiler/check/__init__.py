"""Check the files of a project: read facts, build a workspace, run rules, report. `full.py` runs all steps."""
