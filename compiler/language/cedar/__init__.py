"""Cedar, the policy language of the authorization middleware.

``policy`` checks whether the proxy loads a policy, which it parses with cedar-go, and ``entities`` checks its entities.
``engine`` decides requests with cedarpy, the official implementation of the language.
"""
