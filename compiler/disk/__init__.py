"""From paths to bytes and back: walking, what is ignored, bounds, Git revisions, writing whole folders."""
