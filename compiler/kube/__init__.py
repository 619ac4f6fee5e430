"""What Kubernetes itself defines: names, quantities, the typed pod template, strategic merge."""
