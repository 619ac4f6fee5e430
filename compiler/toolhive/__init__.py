"""Facts of the operator and its processes: names, paths, ports and checks that several packages need."""
