"""Rules: the faults that a project can have, who refuses each, and how to fix it."""
