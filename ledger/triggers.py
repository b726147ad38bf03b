"""The database itself refuses to change what was recorded: its triggers, made after every migration
and demanded at the start.
"""

from collections.abc import Sequence
from typing import Protocol

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error
from django.db import connections, transaction
from django.db.migrations import Migration

from ledger import triggers_postgresql, triggers_sqlite
from ledger.cursors import Cursor


class Dialect(Protocol):
    """Interface of each database's module of triggers."""

    def install(self, cursor: Cursor) -> None: ...

    def remove(self, cursor: Cursor) -> None: ...

    def missing(self, cursor: Cursor) -> list[str]: ...


def install(using: str = "default") -> None:
    """Make the triggers that are missing. A table remade by a migration on SQLite has lost
    its own.
    """
    connection = connections[using]
    if not missing(using):
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        _for(connection.vendor).install(cursor)


def missing(using: str = "default") -> list[str]:
    """The triggers that do not stand as they should; none when the ledger's tables are not there
    yet.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        if not tables().issubset(connection.introspection.table_names(cursor)):
            return []
        return _for(connection.vendor).missing(cursor)


def remove_before_migrate(
    sender: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]], **_: object
) -> None:
    """Receive Django's pre_migrate: a table that triggers speak of can't be remade or have a column
    altered.

    Only a migration of the ledger itself takes them away; they come back when all migrations are
    done.
    """
    if all(migration.app_label != sender.label for migration, _backwards in plan):
        return
    with connections[using].cursor() as cursor:
        _for(connections[using].vendor).remove(cursor)


def install_after_migrate(sender: AppConfig, using: str, **_: object) -> None:
    """Receive Django's post_migrate."""
    install(using)


def check_triggers(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: object
) -> list[CheckMessage]:
    """A system check: an error for each database whose ledger could be changed unnoticed."""
    return [
        Error(
            f"The ledger in database {using!r} is not guarded: {', '.join(absent)}.",
            hint=(
                "`manage.py migrate --skip-checks` makes the triggers again; then `manage.py "
                "verify` tells whether anything was changed."
            ),
            id="ledger.E001",
        )
        for using in databases or ()
        if (absent := missing(using))
    ]


def tables() -> set[str]:
    """The tables of the ledger."""
    return {model._meta.db_table for model in apps.get_app_config("ledger").get_models()}


def _for(vendor: str) -> Dialect:
    return triggers_postgresql if vendor == "postgresql" else triggers_sqlite
