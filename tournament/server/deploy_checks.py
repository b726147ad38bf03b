"""What `check --deploy` asks beside Django's own questions."""

import os

from django.conf import settings
from django.core.checks import Error, Tags, register

WORDS = (
    "The server's own name is not set, and %s: whoever asks could choose the name "
    "that stands in links and mails."
)


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
