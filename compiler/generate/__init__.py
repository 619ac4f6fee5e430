"""Generators of schemas, CRDs, tables and reference pages from the models and tables of the project.

``python -m mcpcfg.compiler.generate [--check]`` writes or compares the files. See ``make generate``.
"""
