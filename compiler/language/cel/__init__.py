"""CEL, the Common Expression Language: parse expressions, check their types, and translate them to Python.

Start with ``rule``: it handles rules of CRDs at build time, users' rules and matchers of role mappings. Generated code
needs only ``runtime``, which imports nothing slow. Syntax and types follow cel-go, because cel-go decides in the
cluster. ``reference`` evaluates with cel-python for comparison.
"""
