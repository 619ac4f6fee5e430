"""Parsers of the small languages within documents. They share tokens, faults and recursion without the Python stack."""
