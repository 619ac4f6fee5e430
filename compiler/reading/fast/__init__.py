"""The fast path: texts in which each line is complete on its own, as nearly all configuration is written.

`compiler/reading/excerpt.py` alone takes it. Data and places are those of the exact reader, which
`tests/unit/reading/test_line.py` compares; whatever is written in another way, a fault of the text included, is left to
it. Without this folder and the calls there everything is read exactly and found alike, only slower.
"""
