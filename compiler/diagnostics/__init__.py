"""What is wrong, where, and what was meant: shared by all that check."""
