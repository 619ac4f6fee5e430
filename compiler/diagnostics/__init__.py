"""Types and functions that every checker uses: findings, faults, positions in texts, budgets and secrets."""
