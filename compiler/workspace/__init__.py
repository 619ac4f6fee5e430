"""Index the resources of a call, and resolve the references between them."""
