"""SPIFFE trust domains, and clients of them, as the process of the embedded authorization server reads them."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Always


class SPIFFEClientAuthRunConfig(TypedDict, total=False):
    """Workloads that authenticate as a client with their SPIFFE identity."""

    trust_domain_ref: Required[Annotated[str, "Name of an entry of spiffe_trust_domains.", Always()]]
    principal_pattern: Required[
        Annotated[str, "One SPIFFE ID, or the beginning of SPIFFE IDs followed by /*.", Always()]
    ]
    client_id: Required[Annotated[str, "Id of the client.", Always()]]
    methods: Annotated[list[str], "Proofs of identity that the client may use."]
    resources: Annotated[list[str], "Resources that the client may request (RFC 8707)."]
    audiences: Annotated[list[str], "Audiences that the client may request."]
    scopes: Annotated[list[str], "Scopes that the client may request."]
    grant_types: Annotated[list[str], "Grants that the client may use. The operator sets none."]


class SPIFFEBundleEndpointRunConfig(TypedDict, total=False):
    """An endpoint that serves the bundle of a trust domain."""

    url: Required[Annotated[str, "URL of the endpoint.", Always()]]
    profile: Required[Annotated[str, "https_web or https_spiffe.", Always()]]


class SPIFFEWorkloadAPIRunConfig(TypedDict, total=False):
    """The SPIFFE Workload API of the node."""


class SPIFFEBundleSourceRunConfig(TypedDict, total=False):
    """The source of the keys of a trust domain."""

    type: Required[Annotated[str, "bundle_endpoint or workload_api.", Always()]]
    endpoint: Annotated[SPIFFEBundleEndpointRunConfig, "For type bundle_endpoint."]
    workload_api: Annotated[SPIFFEWorkloadAPIRunConfig, "For type workload_api."]


class SPIFFETrustDomainRunConfig(TypedDict, total=False):
    """A SPIFFE trust domain whose workloads may authenticate."""

    name: Required[Annotated[str, "Name by which clients refer to the trust domain.", Always()]]
    trust_domain: Required[Annotated[str, "The trust domain, such as example.org.", Always()]]
    methods: Annotated[list[str], "Proofs of identity that are accepted."]
    bundle_source: Required[Annotated[SPIFFEBundleSourceRunConfig, "Source of the trust domain's keys.", Always()]]
