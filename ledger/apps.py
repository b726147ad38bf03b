"""The ledger as a Django app: the event log and the chip accounts."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"
