"""The keys of a log: which public key signs now, which ones signed before, and how a new one is
announced.

Private keys never come near the database: whoever signs brings them along as a Keyring.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from ledger import last_signed, notes
from ledger.last_signed import Memory
from ledger.models import Checkpoint, Log, SigningKey
from ledger.notes import Note, Verifier

ANNOUNCED = "accord signing key"
_ANNOUNCEMENT = re.compile(
    rf"{ANNOUNCED} [0-9]+\n[^\n]+\n(?P<vkey>[^\n]+)\nafter [0-9]+\ntime (?P<time>[0-9]{{1,18}})\n",
    re.ASCII,
)
SECOND = 1_000_000  # microseconds


class Keyring(Protocol):
    """Store of private keys, outside the database."""

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        """The private key of this public one, if it is here."""

    @property
    def memory(self) -> Memory:
        """The memory of what was signed last with them."""

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        """A private key for this origin whose public one is not among the `known`, kept from now
        on.
        """


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
    """Every public key of a log, the one that signs now last. Raises BadNote for a row that holds
    no key.
    """
    rows = SigningKey.objects.filter(log=log).order_by("number")
    return [
        Key(
            number=row.number,
            after=row.after,
            verifier=notes.read_vkey(row.vkey),
            announcement=row.announcement,
        )
        for row in rows
    ]


def signer(log: Log, keyring: Keyring, *, now: int) -> tuple[Key, Ed25519PrivateKey]:
    """The key that signs now with its private part; the first one is made here. `now` in
    microseconds UTC.

    Raises KeyIsAway, and Inconsistent for a log that doesn't extend what was signed here: nothing
    is signed of a second history.
    """
    last_signed.require_last_signed(log, origin_of(log), keyring.memory)
    keys = keys_of(log.pk)
    if not keys:
        return _begin(log, keyring, keys, None, now=now)
    private = keyring.find(keys[-1].verifier.public, origin_of(log))
    if private is None:
        raise KeyIsAway(keys[-1].verifier.vkey)
    return keys[-1], private


def renew(log: Log, keyring: Keyring, *, now: int, lost: bool = False) -> Key:
    """Begin a new key; it signs above the last checkpoint, and the key before it announces it too.

    With `lost` it is announced by itself alone, which every audit then says. Raises KeyIsAway where
    the old one is needed and not here.
    """
    before = None if lost else signer(log, keyring, now=now)[1]
    return _begin(log, keyring, keys_of(log.pk), before, now=now)[0]


class NotHandedOver(Exception):
    """A key that can't follow the one that signs now; the message says why."""


def hand_over(log: Log, keyring: Keyring, successor: Verifier, *, now: int) -> str:
    """The note by which the key that signs now announces one whose private part is on another
    server; there `take_over` ends it.

    Raises KeyIsAway, and NotHandedOver for a key of another name or one that signed before.
    """
    current, private = signer(log, keyring, now=now)
    origin = origin_of(log)
    if successor.name != origin or successor.kind != notes.SIGNED:
        raise NotHandedOver(f"a key named {origin} is expected, this one is named {successor.name}")
    if successor.public in {key.verifier.public for key in keys_of(log.pk)}:
        raise NotHandedOver("this key has signed for the salon before")
    text = announcement(origin, current.number + 1, successor, after=_last_size(log), made_at=now)
    return str(Note(text=text, signatures=(notes.sign(text, private, origin),)))


def take_over(log: Log, keyring: Keyring, handed: str) -> Key:
    """Begin the key that was announced on another server by the one before it; its private part is
    here.

    Raises KeyIsAway, BadNote, and NotHandedOver for a note that the last key did not sign, or that
    is about something else.
    """
    note, origin, last = notes.read_note(handed), origin_of(log), keys_of(log.pk)[-1]
    said = _ANNOUNCEMENT.fullmatch(note.text)
    if said is None or not notes.is_signed(note, last.verifier):
        raise NotHandedOver("the key that follows was not announced by the last one")
    verifier, made_at = notes.read_vkey(said["vkey"]), int(said["time"])
    text = announcement(origin, last.number + 1, verifier, after=_last_size(log), made_at=made_at)
    if note.text != text or verifier.name != origin:
        raise NotHandedOver("the key that follows was announced for another place in the log")
    private = keyring.find(verifier.public, origin)
    if private is None:
        raise KeyIsAway(verifier.vkey)
    both = str(Note(text=text, signatures=(*note.signatures, notes.sign(text, private, origin))))
    made = SigningKey.objects.create(
        log=log,
        number=last.number + 1,
        vkey=verifier.vkey,
        after=_last_size(log),
        announcement=both,
        made_at=made_at,
    )
    return Key(number=made.number, after=made.after, verifier=verifier, announcement=both)


def _last_size(log: Log) -> int:
    return (
        Checkpoint.objects.filter(log=log).order_by("-size").values_list("size", flat=True).first()
        or 0
    )


def announcement(origin: str, number: int, key: Verifier, *, after: int, made_at: int) -> str:
    """The text by which a key is announced: its log, number, key, the entries up to which others
    signed, and when (microseconds).
    """
    return f"{ANNOUNCED} {number}\n{origin}\n{key.vkey}\nafter {after}\ntime {made_at}\n"


def _begin(
    log: Log, keyring: Keyring, known: Sequence[Key], before: Ed25519PrivateKey | None, *, now: int
) -> tuple[Key, Ed25519PrivateKey]:
    """The key after the `known` ones, announced by `before` where that is given; what somebody else
    began meanwhile, if so.
    """
    origin, number = origin_of(log), len(known) + 1
    private = keyring.new(origin, frozenset(key.verifier.public for key in known))
    verifier = notes.verifier(private, origin)
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=log.pk)  # No checkpoint is made meanwhile.
        if SigningKey.objects.filter(log=log).count() != len(known):
            return signer(log, keyring, now=now)
        last = _last_size(log)
        text = announcement(origin, number, verifier, after=last, made_at=now)
        signed = [notes.sign(text, each, origin) for each in (before, private) if each is not None]
        note = str(Note(text=text, signatures=tuple(signed)))
        SigningKey.objects.create(
            log=log, number=number, vkey=verifier.vkey, after=last, announcement=note, made_at=now
        )
    return Key(number=number, after=last, verifier=verifier, announcement=note), private
