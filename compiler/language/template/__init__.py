"""Go's text/template: parser, executor, and analysis of references."""
