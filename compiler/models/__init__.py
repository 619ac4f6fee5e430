"""The kinds and file formats as typed Python: fields, defaults, constraints and CEL rules. The source of schemas."""
