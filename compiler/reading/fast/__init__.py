"""The fast path for texts in which each line is complete on its own, like nearly all configuration.

Only `compiler/reading/excerpt.py` uses it. Data and places equal those of the exact reader, as
`tests/unit/reading/test_line.py` checks. Other texts, including those with faults, are left to the exact reader.
Without this folder and its calls, the results are the same but slower.
"""
