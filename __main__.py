"""``python -m mcpcfg``: the program, where its script is not on the path."""

from .compiler.cli.process import run

run()
