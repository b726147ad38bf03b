"""A whole salon as one file: `salon-archive/1`, which `manage.py salon export` writes and
`manage.py salon import` reads.

The file is JSON Lines in UTF-8. Each line is an object with one key, which names the kind of the
line; its value is one of the shapes below, in canonical form (sorted keys, no white space, no
fractions; times are microseconds UTC). The kinds stand in this order, each as often as there is
something of it:

- `salon`, once: what the salon is called and has chosen, the keys of its log, how many events
  follow and the last one's hash;
- `player`, `text`, `erasure`: names, words with the salt of their digest, and who was erased.
  Without names, players have a name that says nothing, there are no texts, and nobody has an
  address;
- `table`, `retired_table`, `logo`, `preset`, `seed`, `webhook`, `night`: labels of tables in use
  and retired, the picture beside the salon's name, house rules under a name, seeds of duplicate
  stocks, webhooks without their secrets, and what was forgotten at night;
- `event`: every event as it is stored, with its command's digest and its transfer: all that its
  hash covers, and its hash. The hash is the leaf of the Merkle tree, so the tree follows; so do
  commands, accounts and every row that pages read;
- `actor`: who stands behind the actors of events, and what the members are in the salon;
- `invitation`: who was invited by an address and has not come yet;
- `checkpoint`, `cosignature`, `witnessed`, `key`: what was signed and by whom, as it is stored;
  public keys only;
- `successor`, at most once: the key of the other server, announced by the last of these;
- `end`, once: for each kind above how many lines it has and their SHA-256, and a signed note over
  the origin and the SHA-256 of all lines above. So no byte can change unseen.

What stays behind: private keys, passwords and second steps, sessions, tokens, links and PINs of
tables, seats and events, secrets of webhooks and what was sent, links of invitations, and audits
that were run. Whoever has the file can read all that the salon keeps to itself (the log's own keys
and seeds that were not revealed yet among it): it is to be kept like a backup.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from scoring.errors import Refusal

FORMAT = "salon-archive/1"
SIGNED = "accord salon archive"
_ENCODER = msgspec.json.Encoder(order="sorted")


class SalonLine(Struct, frozen=True, kw_only=True):
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


class PlayerLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player. A member at its default is left out, so older files stay canonical."""

    id: str
    name: str
    practice: bool
    names_shown: str
    salt: str
    from_list: bool = False
    set_aside: bool = False


class TextLine(Struct, frozen=True, kw_only=True):
    """Words of which the log holds the digest."""

    digest: str
    salt: str
    text: str


class ErasureLine(Struct, frozen=True, kw_only=True):
    """That a player was erased."""

    player: str
    actor: str
    texts: int
    erased_at: int


class TableLine(Struct, frozen=True, kw_only=True):
    """A table, which gets another link and PIN."""

    label: str


class RetiredTableLine(Struct, frozen=True, kw_only=True):
    """A table at which no game begins any more."""

    label: str


class LogoLine(Struct, frozen=True, kw_only=True):
    """The picture beside the salon's name, its file in base64."""

    digest: str
    media_type: str
    width: int
    height: int
    content: str


class PresetLine(Struct, frozen=True, kw_only=True):
    """House rules under a name."""

    game: str
    name: str
    options: str


class SeedLine(Struct, frozen=True, kw_only=True):
    """The seed of a duplicate stock, whose stream is `id`."""

    id: str
    seed: str


class WebhookLine(Struct, frozen=True, kw_only=True):
    """An address that was told of these events, without its secret."""

    id: str
    address: str
    events: tuple[str, ...]
    made_by: str


class NightLine(Struct, frozen=True, kw_only=True):
    """Counts of what was forgotten in a night."""

    ran_at: int
    invitations: int
    players: int


class TransferLine(Struct, frozen=True, kw_only=True):
    """The transfer that an event's hash covers, as `ledger.chain.Posted` has it."""

    chips: int
    reverses: int | None
    source: str
    source_overdraft: int
    source_owner: str
    target: str
    target_overdraft: int
    target_owner: str


class EventLine(Struct, frozen=True, kw_only=True):
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


class ActorLine(Struct, frozen=True, kw_only=True):
    """Account or player behind an actor of events: an account, or a player by the link of
    a seat, here or on a server before.

    `role` is "" and `since` 0 for one who is no member (any more), `player` "" for one who is no
    player.
    """

    actor: str
    name: str
    email: str
    role: str
    since: int
    player: str


class InvitationLine(Struct, frozen=True, kw_only=True):
    """Somebody with an address who was invited and has not come yet; `player` is "" for one who is
    none.
    """

    role: str
    email: str
    player: str


class CheckpointLine(Struct, frozen=True, kw_only=True):
    """A checkpoint, as `ledger.models.Checkpoint` has it."""

    previous: int
    size: int
    root: str
    key: int
    note: str
    made_at: int


class CosignatureLine(Struct, frozen=True, kw_only=True):
    """Another salon's signature under a checkpoint, as `ledger.models.Cosignature` has it."""

    size: int
    vkey: str
    line: str
    signed_at: int


class WitnessedLine(Struct, frozen=True, kw_only=True):
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


class KeyLine(Struct, frozen=True, kw_only=True):
    """A public key of the log, as `ledger.models.SigningKey` has it."""

    number: int
    vkey: str
    after: int
    announcement: str
    made_at: int


class SuccessorLine(Struct, frozen=True, kw_only=True):
    """The note by which the last key announces the one that signs on the other server."""

    announcement: str


class Part(Struct, frozen=True, kw_only=True):
    """All lines of one kind: how many, and the SHA-256 of them, each with its line feed."""

    kind: str
    lines: int
    digest: str


class EndLine(Struct, frozen=True, kw_only=True):
    """Summary of the lines above by kind, and the signature over them."""

    parts: tuple[Part, ...]
    note: str


class ArchiveRefused(Refusal):
    """An archive that can't be taken in. Codes: `not_an_archive`, `newer_format`, `newer_events`,
    `bad_line`, `altered`, `cut_short`, `unsound` (it was wrong when it was written),
    `other_history`, `behind`, `slug_taken`, `not_handed_over`, `ids_taken`, `no_owner`.
    """


SHAPES: Mapping[str, type] = {
    "salon": SalonLine,
    "player": PlayerLine,
    "text": TextLine,
    "erasure": ErasureLine,
    "table": TableLine,
    "retired_table": RetiredTableLine,
    "logo": LogoLine,
    "preset": PresetLine,
    "seed": SeedLine,
    "webhook": WebhookLine,
    "night": NightLine,
    "event": EventLine,
    "actor": ActorLine,
    "invitation": InvitationLine,
    "checkpoint": CheckpointLine,
    "cosignature": CosignatureLine,
    "witnessed": WitnessedLine,
    "key": KeyLine,
    "successor": SuccessorLine,
    "end": EndLine,
}
KIND_OF = {shape: kind for kind, shape in SHAPES.items()}


def line_of(value: object) -> bytes:
    """The line as it stands in a file, with its line feed."""
    return b'{"%s":%s}\n' % (KIND_OF[type(value)].encode(), _ENCODER.encode(value))


def value_of(line: bytes) -> object:
    """Read the value of a line. Raises ValueError for one that is not as it would be
    written again.
    """
    kind, colon, rest = line.removeprefix(b'{"').partition(b'":')
    name = kind.decode("ascii", "replace")
    if not colon or name not in SHAPES:
        raise ValueError("it is of no kind that an archive has")
    value = _decoder(name).decode(rest.removesuffix(b"}\n"))
    if line_of(value) != line:
        raise ValueError("it is not in canonical form")
    return value


def build_signed_text(origin: str, digest: str) -> str:
    """The text that is signed at the end of an archive: over all lines above, by the log of this
    origin.
    """
    return f"{SIGNED}\n{origin}\n{digest}\n"


@cache
def _decoder(kind: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(SHAPES[kind])
