"""The tournament as a Django app: the salon's desk, its people, tables and pages."""

from django.apps import AppConfig, apps

WITH_JSON = ("mfa.Authenticator", "usersessions.UserSession")


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say that the database stores JSON, as both do.

        Else the checks before every command ask it, and a database that is away fails there and not
        in words.
        """
        from tournament.accounts.trusted_devices import listen
        from tournament.pages.common import unknown_events  # noqa: F401 - register themselves

        listen()
        for name in WITH_JSON:
            apps.get_model(name)._meta.required_db_features = ["supports_json_field"]
