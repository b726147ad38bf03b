"""The HTTP API: everything the pages can do, as JSON and through the same functions."""
