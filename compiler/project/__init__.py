"""Find the files of a project, read its configuration and deliveries, and choose the findings to report."""
