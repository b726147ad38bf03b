"""System checks beside Django's own: for `--deploy`, and at every start whether a
rebuild was left out after an update.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from tournament.models import Salon
from tournament.projections.earlier_rows import in_words, made_otherwise
from tournament.server.environment.addresses import is_covered
from tournament.server.tls.certificates import (
    CertificateFiles,
    UnusableCertificate,
    misgivings,
    usable,
)

WORDS = (
    "The server's own name is not set, and %s: whoever asks could choose the name "
    "that stands in links and mails."
)
READABLE_BY_OTHERS = 0o077
HINT = "Every page goes on meanwhile, and may show what that version had made."


@register(Tags.security, deploy=True)
def the_own_name_is_set(**_options: object) -> list[Error]:
    """An error where HTTPS or mail is on while any Host header is believed to be the server's."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    wanted = [("HTTPS=1 is", settings.HTTPS), ("EMAIL_URL is", bool(os.environ.get("EMAIL_URL")))]
    return [
        Error(WORDS % f"{name} set", hint="Set ALLOWED_HOSTS to its name.", id="accord.E001")
        for name, on in wanted
        if on
    ]


@register(Tags.security, deploy=True)
def the_certificate_can_be_used(**_options: object) -> list[CheckMessage]:
    """Return the faults of CERTIFICATE and CERTIFICATE_KEY, also those expected soon;
    nothing if neither is set.
    """
    if not (settings.CERTIFICATE or settings.CERTIFICATE_KEY):
        return []
    if not (settings.CERTIFICATE and settings.CERTIFICATE_KEY):
        return [Error("CERTIFICATE and CERTIFICATE_KEY belong together.", id="accord.E002")]
    if settings.HTTPS:
        return [Error("With CERTIFICATE no proxy speaks HTTPS: unset HTTPS.", id="accord.E003")]
    files = CertificateFiles(
        certificate=Path(settings.CERTIFICATE), key=Path(settings.CERTIFICATE_KEY)
    )
    now = datetime.now(UTC)
    try:
        certificate = usable(files, now)
    except UnusableCertificate as refusal:
        return [Error(str(refusal), id="accord.E004")]
    uncovered = [
        host
        for host in settings.ALLOWED_HOSTS
        if host != "*" and not is_covered(host, certificate.names)
    ]
    found = [
        *(f"The certificate is not for {host}, which ALLOWED_HOSTS names." for host in uncovered),
        *misgivings(certificate, now),
    ]
    if files.key.stat().st_mode & READABLE_BY_OTHERS:
        found.append(f"Others on this machine may read the key in {files.key}.")
    return [Warning(words, id="accord.W001") for words in found]


@register(Tags.security, deploy=True)
def phones_can_be_told(**_options: object) -> list[CheckMessage]:
    """A warning where no phone can be told (Web Push), since browsers do that over HTTPS only."""
    if not (settings.HTTPS or settings.CERTIFICATE):
        words = "No phone can be told what concerns it (Web Push): browsers ask for HTTPS."
        return [Warning(words, id="accord.W002")]
    return []


@register(Tags.database)
def every_row_is_of_this_version(
    *, databases: Sequence[str] | None = None, **_options: object
) -> list[Warning]:
    """A warning for each salon whose rows another version made; none before the tables are made."""
    if not databases or not _is_kept(databases[0]):
        return []
    return [
        Warning(in_words(*each), hint=HINT, id="accord.W002") for each in made_otherwise().items()
    ]


def _is_kept(alias: str) -> bool:
    """Whether the database has a place for it: before `migrate` of an update it has none."""
    table, introspection = Salon._meta.db_table, connections[alias].introspection
    with connections[alias].cursor() as cursor:
        if table not in introspection.table_names(cursor):
            return False
        return "rows_made_by" in {
            column.name for column in introspection.get_table_description(cursor, table)
        }
