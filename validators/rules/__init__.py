"""The rule modules, each named after the fault that its rules report."""
