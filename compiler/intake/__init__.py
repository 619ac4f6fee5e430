"""From files to facts: read by one process or several, kept between calls, sent between machines."""
