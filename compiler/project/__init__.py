"""Which files form a project and how they are delivered, with the configuration, suppression and baselines."""
