"""The resources of a call, indexed, with every reference resolved."""
