"""Cedar, the policy language of the authorization middleware.

The proxy parses policies and entities with cedar-go. ``policy`` checks whether the proxy loads a policy, and
``entities`` checks entities. ``engine`` decides requests with cedarpy, the official implementation of the language.
"""
