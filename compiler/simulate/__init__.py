"""Simulate decisions of proxies and virtual servers, without a cluster, backends or users."""
