"""The rules of record files: their identities and pages. What looks for the faults is in ``compiler/records``."""
