"""`manage.py auditor`: let somebody read everything in a salon and change nothing."""

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.db import transaction

from tournament.models import Membership, Salon
from tournament.reporting import heard, say
from tournament.salons import database_in_words, ready_database, the_salon


class Command(BaseCommand):
    """The password is asked for at the terminal, or read from the first line of standard input."""

    help = "Give an account the role of auditor: it reads history, ledger and audits, and changes nothing. --end takes the role away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and in which salon."""
        parser.add_argument("email", help="the e-mail address the auditor signs in with")
        parser.add_argument("--name", default="", help="what the auditor is called")
        parser.add_argument("--end", action="store_true", help="take the role away")
        parser.add_argument("--salon", metavar="SLUG", help="the salon; without it the only one there is")

    @heard()
    @database_in_words()
    def handle(self, *, email: str, name: str, end: bool, salon: str | None, **_options: Any) -> None:
        """Give the role, or take it away."""
        ready_database()
        place, address = the_salon(salon), email.strip().lower()
        if end:
            if not Membership.objects.filter(salon=place, user__username=address, role=Membership.Role.AUDITOR).delete()[0]:
                raise CommandError(f"{address} is no auditor of this salon.")
            say(f"{address} is an auditor no more.")
            return
        _make(place, address, name)
        say(f"{address} can sign in now, reads everything and changes nothing.")


def _make(salon: Salon, address: str, name: str) -> None:
    try:
        validate_email(address)
    except ValidationError as error:
        raise CommandError(f"{address!r} is no e-mail address.") from error
    user = User.objects.filter(username=address).first()
    if user is not None and Membership.objects.filter(user=user).exists():
        raise CommandError(f"{address} has a role already.")
    with transaction.atomic():
        user = user or User.objects.create_user(username=address, email=address, password=_password(address), first_name=name)
        Membership.objects.create(salon=salon, user=user, role=Membership.Role.AUDITOR)


def _password(address: str) -> str:
    """A good password. Raises CommandError."""
    given = getpass(f"Password for {address}: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    try:
        validate_password(given, User(username=address, email=address))
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    return given
