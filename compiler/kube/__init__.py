"""Definitions of Kubernetes itself: names, quantities, the typed pod template, strategic merge patches."""
