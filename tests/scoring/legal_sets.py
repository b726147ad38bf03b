"""The sets of acts that `scoring.legal` describes, read independently: what belongs to one, members
of it, and what lies beside it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import Any

type Value = Any
type Form = Mapping[str, Any]

FEW = 24  # so many numbers of a set are all tried
MANY = 200  # so many acts of a form are


def belongs(form: Form, act: Value, pack: Sequence[str], *, within: Value = None) -> bool:
    """Whether an act, with cards of this pack, is one of this form; or a part of one `within` an
    act.
    """
    whole = act if within is None else within
    if not isinstance(act, dict) or any(field not in form or field == "sums" for field in act):
        return False
    said = (
        _may_be_left_out(each) if field not in act else _holds(each, act[field], whole, pack)
        for field, each in _fields(form)
    )
    return all(said) and all(_adds_up(each, act) for each in form.get("sums", ()))


def _fields(form: Form) -> list[tuple[str, Any]]:
    return [(field, each) for field, each in form.items() if field != "sums"]


def _may_be_left_out(allowed: Any) -> bool:
    return None in allowed if isinstance(allowed, list) else bool(allowed.get("optional"))


def _holds(allowed: Any, value: Value, act: Value, pack: Sequence[str]) -> bool:
    if isinstance(allowed, list):
        return any(
            type(each) is type(value) and each == value for each in allowed if each is not None
        )
    if "least" in allowed:
        return _is_number(value) and _is_in(allowed, value)
    if "fields" in allowed:
        return belongs(allowed["fields"], value, pack, within=act)
    if not isinstance(value, list):
        return False
    if "each" in allowed:
        unbroken = all(not later or value[place] for place, later in enumerate(value[1:]))
        return (
            len(value) == len(allowed["each"])
            and unbroken
            and all(
                _holds(each, length, act, pack)
                for each, length in zip(allowed["each"], value, strict=True)
            )
        )
    if {*value} - {*pack}:
        return False
    if "pack" in allowed:
        return bool(
            len(value) == allowed["pack"] and max(Counter(value).values()) <= allowed["copies"]
        )
    return _are_cards(allowed, value, act)


def _are_cards(allowed: Form, cards: Sequence[str], act: Value) -> bool:
    elsewhere = [card for path in allowed.get("apart_from", ()) for card in _at(act, path)]
    if (
        len({*cards}) < len(cards)
        or {*cards} & {*elsewhere, *allowed.get("without", ())}
        or {*allowed.get("with", ())} - {*cards}
    ):
        return False
    if "of" in allowed and {*cards} - {*allowed["of"]}:
        return False
    if "cards" in allowed:
        return bool(len(cards) == allowed["cards"])
    new = {*cards} - {*allowed["shown"]}
    return len(new) <= allowed["new"] and (
        _is_run(allowed, cards) if "run" in allowed else _is_rank(allowed, cards)
    )


def _is_run(allowed: Form, cards: Sequence[str]) -> bool:
    places = sorted("23456789TOCPE".index(card[0]) for card in cards)
    in_sequence = places == list(range(places[0], places[0] + len(places))) if places else False
    return (
        allowed["run"] <= len(cards) <= allowed["most"]
        and in_sequence
        and len({card[1] for card in cards}) == 1
    )


def _is_rank(allowed: Form, cards: Sequence[str]) -> bool:
    return len(cards) == allowed["rank"] and len({card[0] for card in cards}) == 1


def _at(act: Value, path: str) -> list[str]:
    for key in path.split("."):
        act = act.get(key, {}) if isinstance(act, dict) else {}
    return list(act)


def _is_number(value: Value) -> bool:
    return type(value) in (int, float)


def _is_in(allowed: Form, value: float) -> bool:
    return bool(
        allowed["least"] <= value <= allowed["most"]
        and (value - allowed["least"]) % allowed["step"] == 0
    )


def _adds_up(bound: Form, act: Value) -> bool:
    return _is_in(bound, sum(times * act.get(field, 0) for field, times in bound["of"].items()))


def members(form: Form, chance: Random, pack: Sequence[str]) -> Iterator[Value]:
    """All acts of a form where they can be counted out, else some of them, the ends of every number
    among them.
    """
    choices = [_few(allowed) for _, allowed in _fields(form)]
    if all(choices) and "sums" not in form:
        names = [field for field, _ in _fields(form)]
        for picked in islice(product(*choices), MANY):
            yield {
                field: value
                for field, value in zip(names, picked, strict=True)
                if value is not None
            }
        return
    for _ in range(3):
        act = a_member(form, chance, pack)
        if act is not None:
            yield act


def _few(allowed: Any) -> list[Any]:
    """The values of a set that has few, None for leaving the field out; nothing for a large one."""
    left_out = [None] if not isinstance(allowed, list) and allowed.get("optional") else []
    if isinstance(allowed, list):
        return allowed
    if "least" in allowed and (allowed["most"] - allowed["least"]) / allowed["step"] < FEW:
        return [*left_out, *_numbers(allowed)]
    if "fields" in allowed:
        inner = [_few(each) for each in allowed["fields"].values()]
        return (
            [
                *left_out,
                *(
                    {**dict(zip(allowed["fields"], picked, strict=True))}
                    for picked in product(*inner)
                ),
            ]
            if all(inner)
            else []
        )
    return []


def _numbers(allowed: Form) -> list[float]:
    steps = int((allowed["most"] - allowed["least"]) / allowed["step"])
    return [allowed["least"] + allowed["step"] * step for step in range(steps + 1)]


def a_member(form: Form, chance: Random, pack: Sequence[str]) -> Value:
    """One act of a form by chance, None where none was found."""
    for _ in range(60):
        act: dict[str, Value] = {}
        for field, allowed in chance.sample(fields := _fields(form), len(fields)):
            value = _chosen(allowed, chance, pack, (act, field, form))
            if value is not None:
                act[field] = value
        if "sums" in form and "others" not in act:
            act["others"] = 0
        act = _with_others(form, act)
        if belongs(form, act, pack):
            return act
    return None


def _with_others(form: Form, act: dict[str, Value]) -> dict[str, Value]:
    """The act with so many other cards that its first sum is as it has to be."""
    if "sums" not in form:
        return act
    bound = form["sums"][0]
    rest = sum(
        times * act.get(field, 0) for field, times in bound["of"].items() if field != "others"
    )
    fitting = [others for others in range(60) if _is_in(bound, rest + others)]
    return act | {"others": fitting[act["others"] % len(fitting)] if fitting else 0}


def _chosen(
    allowed: Any, chance: Random, pack: Sequence[str], around: tuple[Value, str, Form]
) -> Value:
    if isinstance(allowed, list):
        return chance.choice(allowed)
    if allowed.get("optional") and chance.random() < 0.4:
        return None
    if "least" in allowed:
        steps = int((allowed["most"] - allowed["least"]) / allowed["step"])
        return allowed["least"] + allowed["step"] * chance.choice(
            [0, steps, chance.randint(0, min(steps, FEW))]
        )
    if "fields" in allowed:
        return _inner(allowed["fields"], chance, pack)
    if "each" in allowed:
        lengths = [_chosen(each, chance, pack, around) for each in allowed["each"]]
        empty = next((place for place, length in enumerate(lengths) if not length), len(lengths))
        return [*lengths[:empty], *(each["least"] for each in allowed["each"][empty:])]
    if "pack" in allowed:
        cards = [*pack] * allowed["copies"]
        chance.shuffle(cards)
        return cards
    return _some_cards(allowed, chance, pack, around)


def _inner(fields: Form, chance: Random, pack: Sequence[str]) -> Value:
    found: dict[str, Value] = {}
    for key, each in fields.items():
        value = _chosen(each, chance, pack, (_under(fields, found), key, fields))
        if value is not None:
            found[key] = value
    return found


def _under(fields: Form, found: Value) -> Value:
    """What the fields of an inner object are called by those beside it: both by their own names and
    under that of the object.
    """
    return {**found, "deal": found}


def _some_cards(
    allowed: Form, chance: Random, pack: Sequence[str], around: tuple[Value, str, Form]
) -> list[str]:
    act, own, form = around
    if "run" in allowed or "rank" in allowed:
        return _a_meld(allowed, chance, pack)
    asked = {
        card
        for field, other in _fields(form)
        if field != own and isinstance(other, dict)
        for card in other.get("with", ())
    }
    gone = (
        {card for path in allowed.get("apart_from", ()) for card in _at(act, path)}
        | {*allowed.get("without", ())}
        | asked
    )
    must = [*allowed.get("with", ())]
    free = [card for card in allowed.get("of", pack) if card not in gone and card not in must]
    size = allowed["cards"] - len(must)
    return [*must, *chance.sample(free, size)] if 0 <= size <= len(free) else []


def _a_meld(allowed: Form, chance: Random, pack: Sequence[str]) -> list[str]:
    card = chance.choice(pack)
    if "rank" in allowed:
        same = [other for other in pack if other[0] == card[0]]
        return chance.sample(same, allowed["rank"])
    suit = [other for other in pack if other[1] == card[1]]
    low = chance.randint(0, len(suit) - 3)
    return suit[low : low + chance.randint(3, 6)]


def beside(act: Value, chance: Random, words: Sequence[str]) -> Iterator[Value]:
    """Acts that differ from this one in one place: a field left out, another word or card, a number
    more or less.
    """
    if isinstance(act, dict):
        for field, value in act.items():
            yield {key: each for key, each in act.items() if key != field}
            yield from ({**act, field: other} for other in beside(value, chance, words))
    elif isinstance(act, list):
        yield from _other_lists(act, chance, words)
    elif isinstance(act, bool):
        yield not act
    elif _is_number(act):
        yield from (act - 1, act + 1, act + chance.choice([2, 5, 90]), act - chance.choice([2, 3]))
    elif isinstance(act, str):
        yield chance.choice(words)


def _other_lists(act: list[Value], chance: Random, words: Sequence[str]) -> Iterator[list[Value]]:
    if not act:
        return
    place = chance.randrange(len(act))
    yield act[:place] + act[place + 1 :]
    yield [*act, act[place]]
    yield [*act[:place], chance.choice(act), *act[place + 1 :]]
    for other in islice(beside(act[place], chance, words), 2):
        yield [*act[:place], other, *act[place + 1 :]]
