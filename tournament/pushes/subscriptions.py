"""The phones that are told: begun by a button on an entry's own page, and ended by another, with
the link, by whoever lays the salon's rules down, or when the tournament is over.
"""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.models import PersonalLink, Player, PushSubscription, Salon, Tournament
from tournament.models.pushes import LONGEST_ENDPOINT
from tournament.pushes.encryption import BadKeys, base64url, read_keys, unwritten
from tournament.pushes.vapid import public_key_of
from tournament.streams.tournament_rows import state_of
from tournament.webhooks.safe_http import BadAddress, place_of

MOST = 8  # phones of an entry
OPEN = ("registration", "running")  # phases of a tournament in which phones are told
KEPT_FOR = timedelta(days=60)  # since its page was open last
# Players name these addresses, not the owner: no setting of the server lets them into its network.
WITHIN = False
PORT = 443  # at which push services answer


def phones_are_told(salon: Salon, row: Tournament) -> bool:
    """Whether phones are told of this tournament."""
    return salon.tells_phones and row.phase in OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesTold:
    """The number of a salon's phones with notifications, the number of them in trouble,
    and the trouble of one of these.
    """

    phones: int
    in_trouble: int
    trouble: str


def phones_told(salon: Salon) -> PhonesTold:
    """Return the state of the salon's phones."""
    phones = PushSubscription.objects.filter(link__salon=salon)
    troubled = phones.exclude(trouble="").order_by("-seen_at", "pk")
    return PhonesTold(
        phones=phones.count(),
        in_trouble=troubled.count(),
        trouble=troubled.values_list("trouble", flat=True).first() or "",
    )


def begin(
    link: PersonalLink, *, endpoint: str, public_key: str, secret: str, contact: str
) -> PushSubscription:
    """Tell this browser from now on; one that is told already stays so, by the keys that it gives
    now.

    Raises RuleViolation for an endpoint that can't be told, keys that are none, or one phone too
    many.
    """
    _check(endpoint)
    try:
        read_keys(public_key, secret)
    except BadKeys:
        raise _refused("keys", _("The keys of this browser can't be read.")) from None
    keys = {
        "public_key": base64url(unwritten(public_key)),
        "secret": base64url(unwritten(secret)),
        "server_key": public_key_of(link.salon),
        "contact": contact,
    }
    with transaction.atomic():
        PersonalLink.objects.select_for_update().get(pk=link.pk)
        phones = PushSubscription.objects.filter(link=link)
        known = phones.filter(endpoint=endpoint)
        if not known.exists() and phones.count() >= MOST:
            words = _("%d phones are told of this entry, and that is the most. Stop one of them.")
            raise _refused("endpoint", words % MOST)
        known.update(**keys, seen_at=timezone.now())
        link.salon.log.refresh_from_db(fields=["position"])
        phone, _made = phones.get_or_create(
            link=link, endpoint=endpoint, defaults={**keys, "told_until": link.salon.log.position}
        )
    return phone


def stop(link: PersonalLink, endpoint: str) -> None:
    """Tell this browser no more."""
    PushSubscription.objects.filter(link=link, endpoint=endpoint).delete()


def phones_of(player: Player) -> QuerySet[PushSubscription]:
    """The phones that are told of an entry in which this player is or was."""
    entries = Q(pk__in=[])
    for row in Tournament.objects.filter(salon=player.salon_id, tournamentplayer__player=player):
        for entry in state_of(row).entries:
            everybody = (entry.players, entry.entered, *(then for _last, then in entry.earlier))
            if any(person == player.pk for then in everybody for _place, person in then):
                entries |= Q(link__tournament=row.pk, link__entry=entry.id)
    return PushSubscription.objects.filter(entries).select_related("link").order_by("made_at", "pk")


def forget_ended() -> None:
    """Let go of phones whose tournament is over or whose page nobody opened for long."""
    over = Tournament.objects.exclude(phase__in=OPEN).values("pk")
    PushSubscription.objects.filter(
        Q(link__tournament__in=over)
        | Q(link__ended=True)
        | Q(link__salon__tells_phones=False)
        | Q(seen_at__lt=timezone.now() - KEPT_FOR)
    ).delete()


def _check(endpoint: str) -> None:
    if len(endpoint) > LONGEST_ENDPOINT:
        raise _refused("endpoint", _("The address of this browser is too long."))
    try:
        if place_of(endpoint, within=WITHIN).port != PORT and not WITHIN:
            raise BadAddress(_("a push service answers at port 443"))
    except BadAddress as refused:
        host = urlsplit(endpoint).hostname if "[" not in endpoint else ""
        words = _("This salon can't reach the service through which this browser is told: %s")
        raise _refused("endpoint", words % (host or str(refused))) from None


def _refused(path: str, words: str) -> RuleViolation:
    return RuleViolation("bad_phone", words, path=path)
