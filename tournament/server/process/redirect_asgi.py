"""The application of the plain door, as `serve --https` runs it."""

from tournament.server.process.https_redirect import build_application

application = build_application()
