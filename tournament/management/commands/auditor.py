"""`manage.py auditor`: let somebody read everything in a salon and change nothing."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from tournament.accounts.invitations import DAYS_VALID, Invitee, invite
from tournament.management.console import print_line
from tournament.management.salon_argument import SalonCommand, add_salon, check_address, the_salon
from tournament.models import Membership, Salon
from tournament.salons.prefix import address_in


class Command(SalonCommand):
    """An address alone gives nothing: whoever it is accepts by a link, signed in with an account
    there is or with a new one.
    """

    help = (
        "Invite somebody as auditor: they read history, ledger and audits, and change "
        "nothing. --end takes the role away."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the person and the salon."""
        parser.add_argument("email", help="the e-mail address the auditor signs in with")
        parser.add_argument("--end", action="store_true", help="take the role away")
        add_salon(parser)

    def handle(self, *, email: str, end: bool, salon: str | None, **_options: object) -> None:
        """Invite, or take the role away."""
        place, address = the_salon(salon), email.strip().lower()
        if end:
            if not Membership.objects.filter(
                salon=place, user__username=address, role=Membership.Role.AUDITOR
            ).delete()[0]:
                raise CommandError(f"{address} is no auditor of this salon.")
            print_line(f"{address} is an auditor no more.")
            return
        print_line(
            f"{address} joins as auditor at {_link(place, address)} within {DAYS_VALID} "
            f"days, reads everything and changes nothing."
        )


def _link(salon: Salon, address: str) -> str:
    """The link of an invitation. Raises CommandError."""
    check_address(address)
    if Membership.objects.filter(salon=salon, user__username=address).exists():
        raise CommandError(f"{address} has a role already.")
    _made, token = invite(salon, Invitee(role=Membership.Role.AUDITOR, email=address), by=None)
    return address_in(salon, "invitation", token)
