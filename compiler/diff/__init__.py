"""Differences of the compiled output between two trees."""
