"""The one source of every kind and file format: fields, defaults, constraints, rules, as typed Python."""
