"""Keys in memory, and rows of everything that is signed, for the tests of checkpoints."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import checkpoints, notes
from ledger.models import Checkpoint, Cosignature, Log, SigningKey, Tile, Witnessed

SIGNED = {
    model._meta.db_table: model for model in (Tile, SigningKey, Checkpoint, Cosignature, Witnessed)
}


class Head:
    """A memory of what was signed last that ends with its test."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def recall(self, origin: str) -> str:
        return self.kept.get(origin, "")

    def store(self, origin: str, text: str) -> None:
        self.kept[origin] = text

    def publics(self, origin: str) -> list[bytes]:
        return []


class Pocket:
    """A keyring that lives as long as its test; keys follow from its name."""

    def __init__(self, name: str = "a") -> None:
        self.keys: list[Ed25519PrivateKey] = []
        self._name = name
        self.memory = Head()

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        return next(
            (key for key in self.keys if key.public_key().public_bytes_raw() == public), None
        )

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        self.keys.append(
            Ed25519PrivateKey.from_private_bytes(
                f"{self._name} {len(self.keys)}".encode().ljust(32)
            )
        )
        return self.keys[-1]


def sign(log: int) -> None:
    """A row in each table of what is signed."""
    place, pocket = Log.objects.get(pk=log), Pocket()
    signed = checkpoints.make(place, pocket, now=1)
    assert signed is not None
    text, private = notes.read_note(signed.note).text, Pocket("w").new("w", frozenset())
    line = notes.cosign(text, private, "w", seconds=1).line
    checkpoints.cosigned(signed, line, notes.verifier(private, "w").cosigner)
    Tile.objects.create(log=place, level=1, number=0, hash="ab" * 32)
    Witnessed.objects.create(
        log=place,
        origin="other",
        vkey="other",
        old=0,
        size=3,
        root="ab" * 32,
        note="note",
        seen_at=1,
    )
