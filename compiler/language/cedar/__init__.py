"""Cedar, the policy language of the authorization middleware.

``policy`` checks whether the proxy loads a policy text (cedar-go reads it there), ``entities`` the same of
the entities beside it; ``engine`` decides requests with cedarpy, the language's own implementation.
"""
