"""Parsers of the languages inside documents: Cedar, CEL and Go templates. They share tokens, faults and recursion."""
