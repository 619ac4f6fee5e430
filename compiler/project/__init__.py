"""What makes files one project: which belong to a call, its configuration, its kustomizations, its baseline."""
