"""`manage.py drop_second_step`: let somebody in again who lost the phone and the recovery codes,
and whom no owner can help.
"""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from tournament.accounts.members import drop_second_step_of
from tournament.accounts.two_factor import has_second_step
from tournament.management.console import print_line
from tournament.management.salon_argument import SalonCommand
from tournament.models import Membership


class Command(SalonCommand):
    """For who operates the server: on the pages an owner does it for others, and nobody for the
    only owner.
    """

    help = (
        "Take away the second step of an account, recovery codes included, and end its "
        "sessions. It is logged; the person is told by mail."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the account, and the confirmation."""
        parser.add_argument("email", help="the e-mail address the account signs in with")
        parser.add_argument(
            "--yes",
            action="store_true",
            help="do it; first make sure by other means that it is this person who asks",
        )

    def handle(self, *, email: str, yes: bool, **_options: object) -> None:
        """Take it away."""
        user = User.objects.filter(username=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"There is no account {email!r}.")
        if not has_second_step(user):
            raise CommandError(f"{user.username} has no second step.")
        if not yes:
            roles = Membership.objects.filter(user=user).select_related("salon").order_by("pk")
            said = (
                ", ".join(f"{each.get_role_display()} of {each.salon.name}" for each in roles)
                or "in no salon"
            )
            raise CommandError(
                f"{user.username} ({said}) would sign in with the password alone; say --yes to "
                f"do it."
            )
        drop_second_step_of(user, by="the operator of the server")
        print_line(
            f"{user.username} signs in with the password alone now, and is asked for a new "
            f"second step. All sessions are ended."
        )
