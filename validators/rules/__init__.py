"""One module for each rule or tight family of rules, named for the fault."""
