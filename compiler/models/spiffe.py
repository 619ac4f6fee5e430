"""SPIFFE trust domains, and clients of them, as the process of the embedded authorization server reads them."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import Since
from .declare import Always


class SPIFFEClientAuthRunConfig(TypedDict, total=False):
    """Workloads that authenticate as a client with their SPIFFE identity."""

    trust_domain_ref: Required[Annotated[str, "Name of an entry of spiffe_trust_domains.", Always()]]
    principal_pattern: Required[
        Annotated[str, "One SPIFFE ID, or the beginning of SPIFFE IDs followed by /*.", Always()]
    ]
    client_id: Required[Annotated[str, "Id of the client.", Always()]]
    methods: Annotated[list[str] | None, "Proofs of identity that the client may use.", Always()]
    resources: Annotated[list[str], "Resources that the client may request (RFC 8707)."]
    audiences: Annotated[list[str] | None, "Audiences that the client may request.", Always()]
    scopes: Annotated[list[str] | None, "Scopes that the client may request.", Always()]
    grant_types: Annotated[list[str] | None, "Grants that the client may use: token exchange.", Always()]


class SPIFFEBundleEndpointRunConfig(TypedDict, total=False):
    """An endpoint that serves the bundle of a trust domain."""

    url: Required[Annotated[str, "URL of the endpoint.", Always()]]
    profile: Required[Annotated[str, "https_web or https_spiffe.", Always()]]


class SPIFFEWorkloadAPIRunConfig(TypedDict, total=False):
    """The SPIFFE Workload API of the node."""


class SPIFFEFileBundleRunConfig(TypedDict, total=False):
    """A file with the bundle of a trust domain."""

    path: Required[Annotated[str, "Path of the file.", Always()]]


class SPIFFEBundleSourceRunConfig(TypedDict, total=False):
    """The source of the keys of a trust domain."""

    type: Required[Annotated[str, "bundle_endpoint, workload_api or file.", Always()]]
    endpoint: Annotated[SPIFFEBundleEndpointRunConfig, "For type bundle_endpoint."]
    file: Annotated[SPIFFEFileBundleRunConfig, "For type file.", Since("0.54.0")]
    workload_api: Annotated[SPIFFEWorkloadAPIRunConfig, "For type workload_api."]


class SPIFFETrustDomainRunConfig(TypedDict, total=False):
    """A SPIFFE trust domain whose workloads may authenticate."""

    name: Required[Annotated[str, "Name by which clients refer to the trust domain.", Always()]]
    trust_domain: Required[Annotated[str, "The trust domain, such as example.org.", Always()]]
    methods: Annotated[list[str] | None, "Proofs of identity that are accepted.", Always()]
    bundle_source: Required[Annotated[SPIFFEBundleSourceRunConfig, "Source of the trust domain's keys.", Always()]]
