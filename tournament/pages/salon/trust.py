"""Pages that lead a phone through trusting the salon's own authority: reached without
HTTPS, by the plain door, for phones that can't connect otherwise yet.
"""

import plistlib
import uuid
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.utils.csp import CSP, build_policy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.pages.common.paper import attachment
from tournament.pages.common.qr import PhoneLink
from tournament.server.environment.addresses import is_this_machine, network_address
from tournament.server.environment.listeners import Doors, doors
from tournament.server.process.https_setup import trust_address
from tournament.server.tls.certificates import fingerprint
from tournament.server.tls.local_ca import is_private, root_in

LONGEST_ADDRESS = 2_000  # characters of where somebody wanted to go
PIECES = 8  # pairs of a fingerprint that stand together
# In what a browser says of itself the first of these decides: a phone's says "Linux" or "Mac" too.
SYSTEMS = (
    ("iPhone", "ios"),
    ("iPad", "ios"),
    ("Android", "android"),
    ("Windows", "windows"),
    ("Mac OS", "macos"),
    ("Linux", "linux"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trusting:
    """The page's values: the fingerprint in pieces, the day on which the root ends, the
    address to continue to over HTTPS, and the address of this page for other phones.
    """

    fingerprint: list[str]
    ends: str
    onward: str
    probe: str
    link: PhoneLink
    system: str


@never_cache
@require_safe
def trust(request: HttpRequest) -> HttpResponse:
    """The steps for each system, and whether this phone has taken them. 404 where the salon has no
    authority of its own.
    """
    known, root = _ours()
    host = _host(request)
    onward = known.secure_address(host, _onward_path(request))
    shown = Trusting(
        fingerprint=_pieces(fingerprint(root)),
        ends=f"{root.not_valid_after_utc:%d %B %Y}",
        onward=onward,
        probe=known.secure_address(host, "/trust/seen.svg"),
        link=_link(known, host),
        system=_system(request),
    )
    answer = render(
        request, "trust/page.html", {"trusting": shown, "leads_on": "next" in request.GET}
    )
    pictures = [str(CSP.SELF), known.secure_address(host, "")]
    answer[str(CSP.HEADER_ENFORCE)] = build_policy({**settings.SECURE_CSP, "img-src": pictures})
    return answer


@never_cache
@require_safe
def trust_file(request: HttpRequest, name: str) -> HttpResponse:
    """The root as a file that a system takes in, or the picture that tells a page that this phone
    trusts the salon.
    """
    _known, root = _ours()
    der = root.public_bytes(Encoding.DER)
    match name:
        case "accord.crt":
            return attachment(der, "application/x-x509-ca-cert", name)
        case "accord.mobileconfig":
            return attachment(_profile(root, der), "application/x-apple-aspen-config", name)
        case "seen.svg":
            return HttpResponse(
                '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
                content_type="image/svg+xml",
            )
        case _:
            raise Http404


def _ours() -> tuple[Doors, x509.Certificate]:
    known, root = doors(), root_in(Path(settings.DATA_DIR))
    if known is None or not known.own_authority or root is None:
        raise Http404
    return known, root


def _host(request: HttpRequest) -> str:
    """The name or number under which this visitor finds the salon over HTTPS: the one it came by,
    where the authority may vouch for it.
    """
    name, _port = split_domain_port(request.get_host())
    bare = name.strip("[]")
    return name if is_private(bare) else network_address() or "localhost"


def _onward_path(request: HttpRequest) -> str:
    path = request.GET.get("next", "/")
    return path if path.startswith("/") and len(path) <= LONGEST_ADDRESS else "/"


def _link(known: Doors, host: str) -> PhoneLink:
    here = trust_address(host, known.plain)
    number = network_address()
    away = trust_address(number, known.plain) if number else ""
    return PhoneLink(url=away if is_this_machine(host) else here, here=here)


def _system(request: HttpRequest) -> str:
    said = request.headers.get("User-Agent", "")
    return next((system for word, system in SYSTEMS if word in said), "")


def _pieces(pairs: str) -> list[str]:
    each = pairs.split(":")
    return [" ".join(each[begin : begin + PIECES]) for begin in range(0, len(each), PIECES)]


def _profile(root: x509.Certificate, der: bytes) -> bytes:
    """The root as a configuration profile of Apple's systems; the same root gives the same one."""
    name = root.subject.rfc4514_string().removeprefix("CN=")
    known = fingerprint(root)

    def payload(kind: str, **more: object) -> dict[str, object]:
        identity = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{kind} {known}"))
        return {
            "PayloadType": kind,
            "PayloadVersion": 1,
            "PayloadIdentifier": f"accord.{identity}",
            "PayloadUUID": identity,
            "PayloadDisplayName": name,
            **more,
        }

    content = payload(
        "com.apple.security.root", PayloadCertificateFileName="accord.crt", PayloadContent=der
    )
    return plistlib.dumps(payload("Configuration", PayloadContent=[content]))
