"""What the operator and its processes fix: one source for the names, paths and ports that several rooms need."""
