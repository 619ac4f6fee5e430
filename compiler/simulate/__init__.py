"""What would happen: answers without a cluster, backends or users."""
