"""Faults of a composite tool that no program refuses: what cannot work in it, or does not do what is written.

Every fault here is certain: it names what will happen, or what will happen in a case that the tool allows.
"""
