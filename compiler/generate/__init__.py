"""What is generated from one source: schemas, tables, reference pages."""
