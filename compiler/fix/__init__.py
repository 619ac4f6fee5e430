"""Fixing what can be fixed mechanically: findings to the smallest edits of the text."""
