"""Files: walking folders, ignore patterns, bounded reading, Git revisions, atomic writing."""
