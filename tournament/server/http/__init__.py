"""Requests and answers between the server and Django: the gateway, limits, caches, static files."""
