"""Cedar, the policy language of the authorization middleware.

``policy`` says whether a policy text is one that the proxy loads (cedar-go reads it there), ``entities`` the same of
the entities beside it; ``engine`` decides requests with cedarpy, the language's own implementation.
"""
