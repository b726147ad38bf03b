"""Mail about accounts."""

from django.core.mail import send_mail
from django.template.loader import render_to_string


def send_template_mail(subject: str, template: str, to: str, **words: object) -> bool:
    """Send a mail made from a template and these values. Return whether it was sent: a
    server that takes no mail raises no error.
    """
    try:
        send_mail(" ".join(subject.split()), render_to_string(template, words), None, [to])
    except OSError:
        return False
    return True
