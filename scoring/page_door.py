"""The rules as a page has them that hears of nobody: JSON text in, JSON text out, by the same code
that scores on the server.

A page is given once what was recorded of its game (`begun`): its name, its stored facts, who sits
under which id (`ids` by name), by what a refusal calls the seats (`called`), and what sentences are
called in its language (`words`). Of a game in which its people sit at other seats than they did
there, `came_from` says by seat at which. What the phone kept since is a list of entries, each with
its `collection`, the `body` of its form and the number of its `hand`.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from scoring.common_state import GameState, read_undo
from scoring.ending import read_end
from scoring.errors import NotationError, Refusal, RuleViolation, in_words
from scoring.forms import WrittenField, field_of, value_of_fields
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.openings import read_acts
from scoring.records import decide_record, identity_of, read_record
from scoring.shape import JsonObject
from scoring.stored_facts import StoredFact, fold_stored

SHEET, RETRACTIONS, ENDINGS, TRICKS = "sheet", "retractions", "endings", "tricks"


class Begun(NamedTuple):
    """A game as its page was given it."""

    game: AnyGame
    state: GameState
    ids: Mapping[str, str]
    called: Mapping[str, str]
    words: Mapping[str, str]


class Step(NamedTuple):
    """An entry that was followed, and the state after it."""

    entry: JsonObject
    state: GameState


class NotForRules(Exception):
    """Something was recorded, or kept in this hand, that only the server knows or can judge."""

    def __init__(self, hand: int | None) -> None:
        super().__init__()
        self.hand = hand


class KeptAgainstTheRules(Exception):
    """An entry that was kept in this hand though a rule refuses it."""

    def __init__(self, hand: int | None, refusal: Refusal) -> None:
        super().__init__()
        self.hand, self.refusal = hand, refusal


def score(text: str) -> str:
    """Score a recorded game: its `result` as `manage.py score --json` prints it, and the
    `digest` of this, of each hand's explanation and of the table at the end; or its
    `error`.
    """
    value = json.loads(text)
    try:
        record = read_record(value)
        _, state = decide_record(record)
    except Refusal as refusal:
        return _as_text({"id": identity_of(value), "error": _problem(refusal, {}, {})})
    game = record.game
    result = game.result(state)
    whole = {"result": result, "hands": game.hand_results(state, 0), "table": game.table(state)}
    return _as_text({"result": result, "digest": digest(whole)})


def digest(value: object) -> str:
    """SHA-256 of a value as canonical JSON."""
    return hashlib.sha256(_as_text(value).encode()).hexdigest()


def sheet(begun: str, asked: str) -> str:
    """Check a sheet that is being `written`: after the entries `recorded` since the page
    was given its game, by which that is at `version`, and those `kept` after them.

    `before`: the table as it is then, with what each hand that was kept came to. Then one of
    `after`: the hand and the table after it; `problem`: what a rule refuses; `missing`: what is
    not all written yet. Where the entries can't be followed, that alone: `astray`, with the
    hand of the first that can't and the problem, if a rule refuses it.
    """
    question = json.loads(asked)
    written = question["written"]
    return _after_kept(
        begun,
        question,
        lambda start, state: {} if written is None else _answer_sheet(start, state, written),
    )


def offers(begun: str, asked: str) -> str:
    """Which acts the table takes next, after the same entries: `before` and `astray` as of a sheet.

    `collections` has those to which something can be added, each with the fields that every such
    act has alike; `place` is where an act is meant for. `tried` says of each act that was to be
    `tried` (its `collection` and `body`) whether it is taken: `taken` with whether it ends the
    hand, `problem`, or `missing`. With cards `drafted` for the open trick `offer` is `Game.offer`.
    """
    question = json.loads(asked)
    return _after_kept(begun, question, partial(_next_acts, question))


def _next_acts(question: JsonObject, start: Begun, state: GameState) -> JsonObject:
    game = start.game
    table = game.table(state)
    legal = game.legal_next(table)
    return {
        "place": game.place(state),
        "collections": {collection: common_fields(forms) for collection, forms in legal.items()},
        "tried": [_judgement(start, state, act) for act in question["tried"]],
        "offer": _offer(game, table, question["drafted"]) if TRICKS in legal else None,
    }


def common_fields(forms: Sequence[JsonObject]) -> dict[str, str]:
    """The fields that have one and the same text in all these forms, whose name says that they have
    no other: `seat` of a bid.
    """
    first, *others = forms
    return {
        name: values[0]
        for name, values in first.items()
        if isinstance(values, Sequence)
        and len(values) == 1
        and isinstance(values[0], str)
        and all(form.get(name) == values for form in others)
    }


def _offer(game: AnyGame, table: JsonObject, drafted: Sequence[str]) -> JsonObject | None:
    """Return what may follow these cards; if they can't lie there, what may follow none."""
    try:
        return game.offer(table, drafted)
    except (RuleViolation, ValueError):
        return game.offer(table, ()) if drafted else None


def _judgement(start: Begun, state: GameState, act: JsonObject) -> JsonObject:
    try:
        after = _after_act(start, state, act["collection"], act["body"])
    except NotForRules:
        return {"taken": None}
    except NotationError as unread:
        return {"missing": _problem(unread, start.called, start.words)}
    except RuleViolation as violation:
        return {"problem": _problem(violation, start.called, start.words)}
    here, there = start.game.place(state), start.game.place(after)
    return {"taken": {"ends": there["hand"] > here["hand"]}}


def _after_kept(
    begun: str, question: JsonObject, answer: Callable[[Begun, GameState], JsonObject]
) -> str:
    """Answer a question after the entries that it names, with the table before it."""
    start, recorded, kept = _read_game_start(begun), question["recorded"], question["kept"]
    try:
        known = _after_entries(begun, recorded)
        if known.version != question["version"]:
            raise NotForRules(None)
        state = _after_entries(begun, [*recorded, *kept])
    except NotForRules as unknown:
        return _as_text({"astray": {"hand": unknown.hand, "problem": None}})
    except KeptAgainstTheRules as against:
        problem = _problem(against.refusal, start.called, start.words)
        return _as_text({"astray": {"hand": against.hand, "problem": problem}})
    before = _table_and_hands(start.game, state, known.played)
    return _as_text({"before": before, **answer(start, state)})


def fields_of(body: str) -> Iterator[WrittenField]:
    """The fields of a form as it is sent, those that a choice says under `fields` after them."""
    fields = parse_qs(body, keep_blank_values=True)
    yield from fields.items()
    yield from parse_qs("&".join(fields.get("fields", ())), keep_blank_values=True).items()


def _answer_sheet(start: Begun, state: GameState, body: str) -> JsonObject:
    try:
        after = _after_sheet(start, state, body)
    except NotationError as unread:
        return {"missing": _problem(unread, start.called, start.words)}
    except RuleViolation as violation:
        return {"problem": _problem(violation, start.called, start.words)}
    return {"after": _table_and_hands(start.game, after, state.played)}


def _table_and_hands(game: AnyGame, state: GameState, played: int) -> JsonObject:
    """The table, and the hands that were closed since so many were."""
    hands = game.hand_results(state, played)
    return {
        "table": game.table(state),
        "hands": hands,
        "lines": [lines_of(hand["why"]) for hand in hands],
    }


def lines_of(why: JsonObject) -> list[JsonObject]:
    """Why a hand scored what it scored, one line after the other, each with its `side`, "" for one
    of nobody's: its own lines, then what became of chips that it decided on.
    """
    lines = why.get("lines") or []
    by_side = lines.items() if isinstance(lines, dict) else [("", lines)]
    return [
        *({"side": side, **line} for side, part in by_side for line in part),
        *(
            line
            for name, part in why.items()
            if isinstance(part, dict) and "rule" in part
            for line in _lines_of_chips(name, part)
        ),
    ]


def _lines_of_chips(name: str, part: JsonObject) -> Iterator[JsonObject]:
    """A line for the chips (`pot`, `bonus_idiot`; `pot_waits` where nobody gets any of them), one
    for each share (`pot_share`), one for what could not be shared (`wagers_odd`).
    """
    shares = part.get("shares", part.get("won_by"))
    which = f"_{part['kind']}" if part.get("kind") else "_waits" if shares == [] else ""
    plain = {key: value for key, value in part.items() if not isinstance(value, list)}
    yield {**plain, "side": part.get("seat") or part.get("to") or "", "what": name + which}
    for share in shares or ():
        seat, chips = share["account"][0], share["chips"]
        yield {"side": seat, "what": f"{name}_share", "rule": part["rule"], "chips": chips}
    if part.get("odd"):
        yield {"side": "", "what": f"{name}_odd", "rule": part["rule"], "chips": part["odd"]}


@lru_cache(maxsize=1)
def _read_game_start(text: str) -> Begun:
    given = json.loads(text)
    game, facts, called = GAMES[given["game"]], given["facts"], given["called"]
    if came_from := given.get("came_from"):
        facts, called = _reseat_players(game, facts, called, came_from)
    state = fold_stored(game, [StoredFact(*each) for each in facts])
    return Begun(game, state, given["ids"], called, given["words"])


def _reseat_players(
    game: AnyGame,
    facts: Sequence[Sequence[Any]],
    called: Mapping[str, str],
    came_from: Mapping[str, str],
) -> tuple[list[Sequence[Any]], dict[str, str]]:
    """The facts by which a game begins, and by what its seats are called, with its people at other
    seats.
    """
    (name, schema, body), *others = facts
    who = dict(body["players"])
    players = [[seat, who[came_from[seat]]] for seat in who]
    names = {
        key: called[origin]
        for seat, origin in came_from.items()
        for key in (seat, str(game.seat_names[seat]))
        if origin in called
    }
    return [(name, schema, body | {"players": players}), *others], names


def _after_entries(begun: str, entries: Sequence[JsonObject]) -> GameState:
    """The state after these entries. Raises NotForRules, KeptAgainstTheRules."""
    start, steps = _read_game_start(begun), _steps(begun)
    alike = takewhile(lambda pair: pair[0].entry == pair[1], zip(steps, entries, strict=False))
    agreed = sum(1 for _ in alike)
    if agreed < min(len(steps), len(entries)):
        del steps[agreed:]
    for entry in entries[len(steps) :]:
        state = steps[-1].state if steps else start.state
        try:
            steps.append(Step(entry, _after_entry(start, state, entry)))
        except Refusal as refusal:
            raise KeptAgainstTheRules(entry["hand"], refusal) from None
    return steps[len(entries) - 1].state if entries else start.state


@lru_cache(maxsize=1)
def _steps(begun: str) -> list[Step]:
    """The entries of this game that were followed last: each is taken once, however often the page
    asks what comes after them.
    """
    return []


def _after_entry(start: Begun, state: GameState, entry: JsonObject) -> GameState:
    if entry["hand"] is not None and start.game.place(state)["hand"] != entry["hand"]:
        raise NotForRules(entry["hand"])
    if entry["collection"] == SHEET:
        return _after_sheet(start, state, entry["body"])
    try:
        return _after_act(start, state, entry["collection"], entry["body"])
    except NotForRules:
        raise NotForRules(entry["hand"]) from None


def _after_act(start: Begun, state: GameState, collection: str, body: str) -> GameState:
    """The state after one act of the table. Raises NotForRules for an act of somebody else's."""
    game, value = start.game, value_of_fields(fields_of(body))
    if collection == RETRACTIONS:
        acts: list[Any] = [read_undo(value)]
    elif collection == ENDINGS and not game.ends_itself:
        acts = [read_end(value, by="")]
    elif collection in game.acts:
        read, read_opening = game.acts[collection], game.acts["hands"]
        said = read_acts(value, state, read=read, read_opening=read_opening)
        acts = [_use_player_ids(act, start.ids) for act in said]
    else:
        raise NotForRules(None)
    after: GameState = state
    for act in acts:
        after = game.folded(game.decide(act, after), after)
    return after


def _after_sheet(start: Begun, state: GameState, body: str) -> GameState:
    written = start.game.read_sheet(value_of_fields(fields_of(body)), state.rules)
    after: GameState
    _, after = start.game.decide_sheet(_use_player_ids(written, start.ids), state)
    return after


def _use_player_ids(act: Any, ids: Mapping[str, str]) -> Any:  # noqa: ANN401 - of the shape that came in
    """An act or a sheet with the ids of those whom the page knows in place of their names."""
    if hasattr(act, "opening"):
        return replace(act, opening=_use_player_ids(act.opening, ids))
    seated: Sequence[tuple[str, str]] = getattr(act, "players", ())
    if not seated:
        return act
    return replace(act, players=tuple((seat, ids.get(name, name)) for seat, name in seated))


def _problem(
    refusal: Refusal, called: Mapping[str, str], words: Mapping[str, str]
) -> dict[str, str]:
    said = in_words(refusal.name_players(called).sentence, lambda text: words.get(text, text))
    return {
        "message": said,
        "rule": refusal.rule,
        "code": refusal.code,
        "path": refusal.path,
        "field": field_of(refusal.path),
    }


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
