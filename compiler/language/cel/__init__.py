"""CEL, the Common Expression Language: reading, checking and turning expressions into Python.

``rule`` is the front door: rules of the CRDs at build time, users' own rules, role mapping matchers. What generated
code needs when it runs is in ``runtime``, which imports nothing slow. Syntax and types are those of cel-go, because
cel-go decides in the cluster; ``reference`` evaluates with cel-python, to compare with.
"""
