"""Go's regular expressions, in bounded time."""
