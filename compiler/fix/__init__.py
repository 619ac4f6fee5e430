"""Mending what can be mended mechanically: findings to the smallest edits of the text."""
