"""What is generated from one source: schemas, CRDs, tables, reference pages.

``python -m mcpcfg.compiler.generate [--check]`` writes or compares it; see ``make generate``.
"""
