"""Other salons' checkpoints that this one has countersigned, and countersigning one more."""

from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from ledger import notes, times, witness
from ledger.last_signed import Inconsistent
from ledger.models import Witnessed
from ledger.notes import BadNote
from ledger.signing import KeyIsAway
from ledger.witness import NotWitnessed
from scoring.errors import NotationError, RuleViolation
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of
from tournament.integrity.signing_keys import NoFreshKey, load_keyring
from tournament.models import Salon


class Countersigned(Struct, frozen=True, kw_only=True):
    """A checkpoint of another log that was countersigned here: its origin and key, its size and
    root, and when (microseconds UTC).

    It was shown to begin with the `old` lines countersigned before. `line` is the signature,
    `note` the checkpoint with it.
    """

    origin: str
    key: str
    old: int
    size: int
    root: str
    seen_at: int
    line: str
    note: str


class NewCountersignature(Struct, frozen=True, kw_only=True):
    """Another salon's checkpoint with the proof from the one countersigned last, as C2SP's
    tlog-witness asks.

    `key` is that salon's, needed the first time.
    """

    request: str
    key: str = ""


class CountersignatureViewSet(ApiViewSet):
    """Other salons' checkpoints, countersigned here."""

    act = Permission.SIGN

    @document_action(query=PageQuery)
    def list_countersigned(self, request: Request) -> Page[Countersigned]:
        """The checkpoints of other salons that were countersigned here, the latest first."""
        rows = Witnessed.objects.filter(log=self.salon.log_id)
        return page_of(request, rows, "-pk").with_shape(_line)

    @document_action(body=NewCountersignature)
    def countersign_checkpoint(self, request: Request) -> Answer[Countersigned]:
        """Countersign another salon's checkpoint, which is shown to begin with what was
        countersigned before.
        """
        given = self.body(NewCountersignature)
        return answer_idempotently(
            self,
            ["countersignature"],
            lambda: _line(_sign_request(self.salon, given.request, given.key.strip())),
        )


def _sign_request(salon: Salon, request: str, vkey: str) -> Witnessed:
    """Sign a checkpoint of another salon. Raises NotationError if it can't be read,
    RuleViolation if it must not or can't be signed.
    """
    try:
        key = notes.read_vkey(vkey) if vkey else None
    except BadNote as fault:
        raise NotationError(str(fault), path="key") from None
    try:
        return witness.countersign(
            salon.log, witness.read_request(request), key, load_keyring(), now=times.now()
        )
    except BadNote as fault:
        raise NotationError(str(fault), path="request") from None
    except NotWitnessed as refused:
        raise RuleViolation("not_witnessed", str(refused), path="request") from None
    except (KeyIsAway, NoFreshKey, ValueError):
        raise RuleViolation(
            "key_away", _("The private key of the salon is not on this machine.")
        ) from None
    except Inconsistent:
        words = _("Nothing is signed: this database is older than what was signed here.")
        raise RuleViolation("inconsistent", words) from None


def _line(row: Witnessed) -> Countersigned:
    return build_struct(
        Countersigned, row, key=row.vkey, line=row.note.rstrip("\n").rpartition("\n")[2]
    )
