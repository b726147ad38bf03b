"""Mail settings: an SMTP server named by a URL, else files in a folder."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.mail.backends.filebased import EmailBackend

PORTS = {"smtp": 587, "smtps": 465}


class KeptMail(EmailBackend):
    """Mail that nobody sends: it lies in a folder of the server's owner, and its links are handed
    over by people.
    """


def mailers_from_url(url: str, *, folder: Path) -> dict[str, dict[str, object]]:
    """The MAILERS setting for `smtp://user:password@host:port` (STARTTLS) or `smtps://…` (TLS at
    once); "" means files in `folder`.

    Raises ValueError for another scheme or no host.
    """
    if not url:
        return {
            "default": {
                "BACKEND": "tournament.server.environment.mail.KeptMail",
                "OPTIONS": {"file_path": str(folder)},
            }
        }
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError("EMAIL_URL begins with smtp:// or smtps:// and names a host")
    options = {
        "host": parts.hostname,
        "port": parts.port or PORTS[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_tls": parts.scheme == "smtp",
        "use_ssl": parts.scheme == "smtps",
        "timeout": 10,
    }
    return {
        "default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}
    }
