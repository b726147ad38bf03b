"""The twelve contracts of Preference in rising order, and who may keep out of which (R4,
R5, R9).
"""

from scoring.preference.rules import Rules

CONTRACTS = (
    "one",
    "two",
    "three",
    "four",
    "misere",
    "one_hand",
    "two_hand",
    "three_hand",
    "four_hand",
    "misere_hand",
    "no_trump",
    "misere_ouvert",
)
VALUES = {contract: value for value, contract in enumerate(CONTRACTS, start=1)}
CONTRACT_NAMES = {
    contract: contract.replace("_", " ").replace("misere", "misère") for contract in CONTRACTS
}
TRUMPS = {"one": "C", "two": "S", "three": "D", "four": "H"}
# The trump of each contract, "" where nothing is trump.
TRUMP = {contract: TRUMPS.get(contract.removesuffix("_hand"), "") for contract in CONTRACTS}
MISERES = frozenset({"misere", "misere_hand", "misere_ouvert"})
WITH_WIDOW = frozenset(CONTRACTS[:5])
NEEDED = 6
LEAST_VALUE_KEPT_OUT_OF = 6
CHOICES = ("along", "out", "insisted")


def may_keep_out(contract: str, rules: Rules) -> bool:
    """Whether a defender may keep out of this contract (R9)."""
    if rules.concede == "value_6":
        return VALUES[contract] >= LEAST_VALUE_KEPT_OUT_OF
    return contract not in MISERES
