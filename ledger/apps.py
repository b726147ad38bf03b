"""The ledger as a Django app: the event log and the chip accounts."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have triggers made after every migration and demanded by every check of the database, and
        statements planned once.
        """
        from ledger import cursors, triggers

        connection_created.connect(cursors.plan_once)
        pre_migrate.connect(triggers.remove_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        register(triggers.check_triggers, Tags.database)
