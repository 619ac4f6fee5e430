"""Go's text/template: parser, executor, and what a template refers to."""
