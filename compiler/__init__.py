"""Read and check resources of the operator, and compile them to the objects that the operator would create."""
