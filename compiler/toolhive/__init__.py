"""Facts of the product: its editions, what it demands of endpoints and lifetimes."""
