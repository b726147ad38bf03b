"""What every command about a salon's database begins with."""

from django.core.management.base import BaseCommand

from tournament.management.console import terminal_output
from tournament.management.salon_argument import database_in_words, ready_database


class SalonCommand(BaseCommand):
    """A command that finds its tables ready.

    It says in words where the database can't be used, and stops quietly when nobody reads on.
    """

    requires_system_checks = ()
    ready = staticmethod(ready_database)

    @terminal_output()
    @database_in_words()
    def execute(self, *args: object, **options: object) -> str | None:
        """Make the database ready, then do what the command does."""
        self.ready()
        return super().execute(*args, **options)
