"""Permission profiles, and the mounts in them."""
