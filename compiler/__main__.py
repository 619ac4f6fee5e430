"""``python -m mcpcfg.compiler``: the program, where its script is not on the path."""

from mcpcfg.compiler.cli.main import main

main()
