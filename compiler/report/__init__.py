"""Findings as text for people and as data for programs: one module for each format."""
