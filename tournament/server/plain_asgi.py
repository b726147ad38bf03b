"""The application of the plain door, as `serve --https` runs it."""

from tournament.server.plain_door import build_application

application = build_application()
