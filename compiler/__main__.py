"""``python -m mcpcfg.compiler``: the program, where its script is not on the path."""

from .cli.process import run

run()
