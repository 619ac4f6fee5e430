"""Rules: what is wrong with a project, who would refuse it, and what to do."""
