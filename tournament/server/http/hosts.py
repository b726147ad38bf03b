"""Host names that the server answers to.

With ALLOWED_HOSTS set, Django decides. Without it the salon runs on a local network
whose addresses change: this machine's own private numbers, bare machine names, the
endings reserved for local networks and the names of the salon's own certificate are
answered, other numbers and names of the public Internet are not. So a foreign page
can't point its own name at this machine and read the salon through the visitor's
browser, and no one can put another machine's address into a link that the salon
makes.
"""

import ipaddress
import socket

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.translation import gettext as _

from tournament.server.environment.addresses import is_covered, own_names
from tournament.server.http.failures import Failure, answer_of

LOCAL_ENDINGS = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost", ".fritz.box")


def unknown_host_response(request: HttpRequest) -> HttpResponse | None:
    """400 for a host name that isn't this server's, to programs as problem details; else None."""
    host = request.get_host()
    if "*" not in settings.ALLOWED_HOSTS or is_local_name(host) or is_own_name(host):
        return None
    words = _("This name does not belong to the salon. The owner can add it to ALLOWED_HOSTS.")
    return answer_of(request, Failure(400, "unknown_host", _("Another name"), words))


def is_local_name(host: str) -> bool:
    """Whether `host` (with or without a port) is a number of this machine's, a bare machine name or
    a name of a local network.
    """
    name, _port = split_domain_port(host)
    if ":" not in name and ("." not in name or name.endswith(LOCAL_ENDINGS)):
        return bool(name)
    try:
        number = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return number.is_loopback or (number.is_private and is_own_number(str(number)))


def is_own_name(host: str) -> bool:
    """Whether the salon's own certificate is for `host` (with or without a port)."""
    name, _port = split_domain_port(host)
    return is_covered(name, own_names())


def is_own_number(number: str) -> bool:
    """Whether this machine has this network address now: only its own can be bound."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as door:
        try:
            door.bind((number, 0))
        except OSError:
            return False
        return True
