"""The subjects of ``mcpcfg simulate``, one module each."""
