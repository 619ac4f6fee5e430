"""Files that a run refers to: authorization, audit, webhooks, tool overrides, variables."""
