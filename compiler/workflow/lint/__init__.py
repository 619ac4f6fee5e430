"""What nothing refuses, and what cannot work in a composite tool or does not do what it says.

Every fault here is certain: it says what will happen, or what will happen in a case that the tool allows.
"""
