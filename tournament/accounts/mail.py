"""Mail about accounts."""

from django.core.mail import send_mail
from django.template.loader import render_to_string


def mailed(subject: str, template: str, to: str, **words: object) -> bool:
    """Send what a template says in these words; whether it is on its way: a server that takes no
    mail only costs the mail.
    """
    try:
        send_mail(" ".join(subject.split()), render_to_string(template, words), None, [to])
    except OSError:
        return False
    return True
