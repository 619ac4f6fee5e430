"""The subcommands of ``mcpcfg simulate``, one module each."""
