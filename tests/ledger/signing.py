"""Keys in memory, for the tests of checkpoints."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Pocket:
    """A keyring that lives as long as its test; keys follow from its name."""

    def __init__(self, name: str = "a") -> None:
        self.keys: list[Ed25519PrivateKey] = []
        self._name = name

    def find(self, public: bytes, origin: str) -> Ed25519PrivateKey | None:
        return next((key for key in self.keys if key.public_key().public_bytes_raw() == public), None)

    def new(self, origin: str, known: frozenset[bytes]) -> Ed25519PrivateKey:
        self.keys.append(Ed25519PrivateKey.from_private_bytes(f"{self._name} {len(self.keys)}".encode().ljust(32)))
        return self.keys[-1]
