"""The application as web servers know it."""

from tournament.server.application import started

application = started()
