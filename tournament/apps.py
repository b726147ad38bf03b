"""The tournament as a Django app: the salon's desk, its people, tables and pages."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"
