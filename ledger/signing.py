"""The keys of a log: which public key signs now, which ones signed before, and how a new one is announced.

Private keys never come near the database: whoever signs brings them along as a Keyring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from ledger import notes
from ledger.models import Checkpoint, Log, SigningKey
from ledger.notes import Note, Verifier

ANNOUNCED = "accord signing key"
SECOND = 1_000_000  # microseconds


class Keyring(Protocol):
    """Where private keys are kept: outside the database."""

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if it is here."""

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """A private key for this origin whose public one is not among the `known`, kept from now on."""


class KeyIsAway(Exception):
    """The private key of the log's current public key is not here."""

    def __init__(self, vkey: str) -> None:
        super().__init__(f"the private key of {vkey} is not here")
        self.vkey = vkey


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A public key of a log: its number from 1 on, and that it signs above `after` entries."""

    number: int
    after: int
    verifier: Verifier
    announcement: str


def origin_of(log: Log) -> str:
    """The name under which a log is known outside: never changes, and no other log has it."""
    return f"accord/{log.key}"


def keys_of(log: int) -> list[Key]:
    """Every public key of a log, the one that signs now last. Raises BadNote for a row that holds no key."""
    rows = SigningKey.objects.filter(log=log).order_by("number")
    return [Key(number=row.number, after=row.after, verifier=notes.read_vkey(row.vkey), announcement=row.announcement) for row in rows]


def signer(log: Log, keyring: Keyring, *, now: int) -> tuple[Key, Ed25519PrivateKey]:
    """The key that signs now with its private part; the first one is made here. `now` in microseconds UTC.

    Raises KeyIsAway.
    """
    keys = keys_of(log.pk)
    if not keys:
        return _begin(log, keyring, keys, None, now=now)
    private = keyring.find(keys[-1].verifier.public, origin_of(log))
    if private is None:
        raise KeyIsAway(keys[-1].verifier.vkey)
    return keys[-1], private


def renew(log: Log, keyring: Keyring, *, now: int, lost: bool = False) -> Key:
    """Begin a new key; it signs above the last checkpoint, and the key before it announces it too.

    With `lost` it is announced by itself alone, which every audit then says. Raises KeyIsAway where the old one is
    needed and not here.
    """
    before = None if lost else signer(log, keyring, now=now)[1]
    return _begin(log, keyring, keys_of(log.pk), before, now=now)[0]


def announcement(origin: str, number: int, key: Verifier, *, after: int, made_at: int) -> str:
    """The text by which a key is announced: its log, number, key, the entries up to which others signed, and when (microseconds)."""
    return f"{ANNOUNCED} {number}\n{origin}\n{key.vkey}\nafter {after}\ntime {made_at}\n"


def _begin(
    log: Log, keyring: Keyring, known: Sequence[Key], before: Ed25519PrivateKey | None, *, now: int
) -> tuple[Key, Ed25519PrivateKey]:
    """The key after the `known` ones, announced by `before` where that is given; what somebody else began meanwhile, if so."""
    origin, number = origin_of(log), len(known) + 1
    private = keyring.new(origin, frozenset(key.verifier.public for key in known))
    verifier = notes.verifier(private, origin)
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=log.pk)  # No checkpoint is made meanwhile.
        if SigningKey.objects.filter(log=log).count() != len(known):
            return signer(log, keyring, now=now)
        last = Checkpoint.objects.filter(log=log).order_by("-size").values_list("size", flat=True).first() or 0
        text = announcement(origin, number, verifier, after=last, made_at=now)
        signed = [notes.sign(text, each, origin) for each in (before, private) if each is not None]
        note = str(Note(text=text, signatures=tuple(signed)))
        SigningKey.objects.create(log=log, number=number, vkey=verifier.vkey, after=last, announcement=note, made_at=now)
    return Key(number=number, after=last, verifier=verifier, announcement=note), private
