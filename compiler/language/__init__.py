"""What the readers of the small languages inside of documents share: tokens, faults, recursion without a stack."""
