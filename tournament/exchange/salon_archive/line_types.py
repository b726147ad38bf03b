"""The shapes of the lines of an archive, whose form `tournament.exchange.salon_archive.file_format`
tells.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonLine:
    """The salon. `events` and `hash` are those of its head, `moves` how often it came from another
    server.
    """

    format: str
    slug: str
    name: str
    names: bool
    names_shown: str
    forget_players_days: int
    created_at: int
    moves: int
    log: str
    command_key: str
    events: int
    hash: str
    made_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player."""

    id: str
    name: str
    practice: bool
    names_shown: str
    salt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """Words of which the log holds the digest."""

    digest: str
    salt: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureLine:
    """That a player was erased."""

    player: str
    actor: str
    texts: int
    erased_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table, which gets another link and PIN."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredTableLine:
    """A table at which no game begins any more."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoLine:
    """The picture beside the salon's name, its file in base64."""

    digest: str
    media_type: str
    width: int
    height: int
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetLine:
    """House rules under a name."""

    game: str
    name: str
    options: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedLine:
    """The seed of a duplicate stock, whose stream is `id`."""

    id: str
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookLine:
    """An address that was told of these events, without its secret."""

    id: str
    address: str
    events: tuple[str, ...]
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLine:
    """What was forgotten in a night."""

    ran_at: int
    invitations: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferLine:
    """The transfer that an event's hash covers, as `ledger.chain.Posted` has it."""

    chips: int
    reverses: int | None
    source: str
    source_overdraft: int
    source_owner: str
    target: str
    target_overdraft: int
    target_owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """An event as it is stored, `prev` being the hash of the one before it."""

    position: int
    stream: str
    version: int
    type: str
    schema: int
    occurred_at: int
    recorded_at: int
    actor: str
    command: str
    command_digest: str
    body: str
    prev: str
    hash: str
    transfer: TransferLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorLine:
    """Who stands behind an actor of events: an account, or a player by the link of a seat, here or
    on a server before.

    `role` is "" and `since` 0 for one who is no member (any more), `player` "" for one who is no
    player.
    """

    actor: str
    name: str
    email: str
    role: str
    since: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationLine:
    """Somebody with an address who was invited and has not come yet; `player` is "" for one who is
    none.
    """

    role: str
    email: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointLine:
    """A checkpoint, as `ledger.models.Checkpoint` has it."""

    previous: int
    size: int
    root: str
    key: int
    note: str
    made_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CosignatureLine:
    """Another salon's signature under a checkpoint, as `ledger.models.Cosignature` has it."""

    size: int
    vkey: str
    line: str
    signed_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessedLine:
    """A checkpoint of another salon that this one countersigned, as `ledger.models.Witnessed` has
    it.
    """

    origin: str
    vkey: str
    old: int
    size: int
    root: str
    note: str
    seen_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyLine:
    """A public key of the log, as `ledger.models.SigningKey` has it."""

    number: int
    vkey: str
    after: int
    announcement: str
    made_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessorLine:
    """The note by which the last key announces the one that signs on the other server."""

    announcement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """All lines of one kind: how many, and the SHA-256 of them, each with its line feed."""

    kind: str
    lines: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndLine:
    """What stands above, and the signature over it."""

    parts: tuple[Part, ...]
    note: str
