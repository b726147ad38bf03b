"""What a director does by the noun it adds to, read from plain values (a form's, a file's or the
API's).
"""

from collections.abc import Callable, Mapping

from scoring.ending import KINDS
from scoring.errors import NotationError, sentence
from scoring.shape import a_list, a_number, a_text, an_object, inside, one_of, required
from tournament.domain.standings.values import HUNDREDTHS, Result
from tournament.domain.tournament.commands import (
    AcceptDifference,
    AskBye,
    BeginSilence,
    CallLastHand,
    CancelAllCheckIns,
    CancelCheckIn,
    CancelPenalty,
    CheckIn,
    CheckInAll,
    ChooseAddress,
    ClearTable,
    CloseRound,
    Command,
    CountGame,
    DetachGame,
    DrawRound,
    DropBye,
    DropRound,
    DropSingle,
    EndTableGame,
    EnterPhase,
    EnterResult,
    ExcuseTable,
    ExtendTime,
    ForfeitTable,
    FreeTables,
    GivePenalty,
    LinkGame,
    MakeEntry,
    NoteSingle,
    PairRemaining,
    PairSingles,
    PauseClock,
    PublishRound,
    RecallLastHand,
    ReopenRound,
    ReplacePlayer,
    Return,
    SetRated,
    StartClock,
    SwapEntries,
    UnlinkGame,
    UnpublishRound,
    Withdraw,
)
from tournament.domain.tournament.game_decisions import SETTLED_BY
from tournament.domain.tournament.state import PHASES

LONGEST_KEY = 64
MOST_MINUTES = 24 * 60
MOST_SCORE = 100_000
EXACT = 1e-6  # a fraction of two decimals times a hundred is a whole number but for this
COUNTED = ("tricks", "audits", "excess", "chips", "built")

type Read = Callable[[object, int], Command]


def _keyed(build: Callable[..., Command], *, also: tuple[str, ...] = ()) -> Read:
    """Reads an act that names an entry, and what else stands in `also`."""

    def read(value: object, _now: int) -> Command:
        given = an_object(value, "", keys=("entry", *also))
        return build(entry=_key(given, "entry"), **{name: FIELDS[name](given) for name in also})

    return read


def _of_round(
    build: Callable[..., Command], *, also: tuple[str, ...] = (), timed: bool = False
) -> Read:
    """Reads an act about a round, with what else stands in `also`, and the time where it is
    `timed`.
    """

    def read(value: object, now: int) -> Command:
        given = an_object(value, "", keys=("round", *also))
        more = {name: FIELDS[name](given) for name in also}
        return build(round=_round(given), **more, **({"at": now} if timed else {}))

    return read


def _with_reason(build: Callable[..., Command], *, also: tuple[str, ...] = ()) -> Read:
    """Reads an act about a round that needs a reason: that it is missing is for the rules
    to say.
    """

    def read(value: object, _now: int) -> Command:
        given = an_object(value, "", keys=("round", "reason", *also))
        return build(
            round=_round(given),
            reason=_reason(given) or "",
            **{name: FIELDS[name](given) for name in also},
        )

    return read


def _rated(value: object, _now: int) -> SetRated:
    given = an_object(value, "", keys=("rated",))
    return SetRated(rated=one_of(given.get("rated"), ("yes", "no"), "rated") == "yes")


def _address(value: object, _now: int) -> ChooseAddress:
    given = an_object(value, "", keys=("address",))
    return ChooseAddress(
        address=a_text(required(given, "address", ""), "address", shortest=1).strip().lower()
    )


def _phase(value: object, _now: int) -> EnterPhase:
    given = an_object(value, "", keys=("phase", "reason"))
    return EnterPhase(phase=one_of(given.get("phase"), PHASES, "phase"), reason=_reason(given))


def _entry(value: object, _now: int) -> MakeEntry:
    given = an_object(value, "", keys=("players", "rating", "club", "missed"))
    missed = one_of(given.get("missed", "zero"), ("half", "zero"), "missed")
    return MakeEntry(
        players=_players(given), rating=_rating(given), club=_club(given), missed=missed
    )


def _single(value: object, _now: int) -> NoteSingle:
    given = an_object(value, "", keys=("players", "rating", "club"))
    return NoteSingle(players=_players(given), rating=_rating(given), club=_club(given))


def _single_dropped(value: object, _now: int) -> DropSingle:
    given = an_object(value, "", keys=("number", "reason"))
    return DropSingle(
        number=a_number(required(given, "number", ""), "number"), reason=_reason(given)
    )


def _pair(value: object, _now: int) -> PairSingles:
    given = an_object(value, "", keys=("one", "two"))
    one, two = (a_number(required(given, name, ""), name) for name in ("one", "two"))
    return PairSingles(one=one, two=two)


def _players(given: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    names = enumerate(a_list(required(given, "players", ""), "players"))
    return tuple(
        (str(place + 1), a_text(name, f"players[{place}]", shortest=1, longest=80))
        for place, name in names
    )


def _rating(given: Mapping[str, object]) -> int | None:
    return (
        a_number(given["rating"], "rating", least=0, most=10_000)
        if given.get("rating") is not None
        else None
    )


def _club(given: Mapping[str, object]) -> str | None:
    return a_text(given["club"], "club", longest=80) if given.get("club") else None


def _substitute(value: object, _now: int) -> ReplacePlayer:
    given = an_object(
        value, "", keys=("entry", "place", "player", "reason", "from_round", "until_round", "only")
    )
    place = a_text(required(given, "place", ""), "place", shortest=1, longest=2)
    name = a_text(required(given, "player", ""), "player", shortest=1, longest=80)
    begins, until = (
        a_number(given[path], path, least=1) if path in given else None
        for path in ("from_round", "until_round")
    )
    if (
        given.get("only") and one_of(given["only"], ("yes", "no"), "only") == "yes"
    ):  # a form's own word for that one round
        until = a_number(required(given, "from_round", ""), "from_round", least=1)
    return ReplacePlayer(
        entry=_key(given, "entry"),
        players=((place, name),),
        reason=_reason(given),
        from_round=begins,
        until_round=until,
    )


def _draw(value: object, _now: int) -> DrawRound:
    given = an_object(value, "", keys=("round", "away", "here", "other_lots", "reason"))
    away, here = (_keys(given, name) for name in ("away", "here"))
    other = (
        given.get("other_lots") is True
        or one_of(given.get("other_lots") or "no", ("yes", "no"), "other_lots") == "yes"
    )
    return DrawRound(
        round=_round(given), away=away, here=here, other_lots=other, reason=_reason(given)
    )


def _nothing(build: Callable[[], Command]) -> Read:
    """Reads an act that says nothing but itself."""

    def read(value: object, _now: int) -> Command:
        an_object(value, "", keys=())
        return build()

    return read


def _check_ins_cancelled(value: object, _now: int) -> CancelAllCheckIns:
    return CancelAllCheckIns(entries=_keys(an_object(value, "", keys=("entries",)), "entries"))


def _start_clock(value: object, now: int) -> StartClock:
    given = an_object(value, "", keys=("round", "minutes"))
    return StartClock(
        round=_round(given),
        at=now,
        seconds=60 * a_number(given.get("minutes", 60), "minutes", least=1, most=MOST_MINUTES),
    )


def _extension(value: object, _now: int) -> ExtendTime:
    given = an_object(value, "", keys=("round", "table", "minutes"))
    minutes = a_number(
        required(given, "minutes", ""), "minutes", least=-MOST_MINUTES, most=MOST_MINUTES
    )
    return ExtendTime(
        round=_round(given), seconds=60 * minutes, table=_table(given) if "table" in given else None
    )


def _results(value: object, _now: int) -> EnterResult:
    given = an_object(value, "", keys=("round", "table", "results", "hands", "its_game", "reason"))
    results = a_list(required(given, "results", ""), "results")
    hands = a_number(given["hands"], "hands", least=1, most=1_000) if "hands" in given else None
    return EnterResult(
        round=_round(given),
        table=_table(given),
        results=tuple(read_result(each, f"results[{place}]") for place, each in enumerate(results)),
        hands=hands,
        game=_what_becomes(given),
        reason=_reason(given),
    )


def read_result(value: object, path: str) -> Result:
    """What one entry reached, scores and points in whole points or with a fraction. Raises
    NotationError.
    """
    given = an_object(value, path, keys=("points", "score", *COUNTED))
    counted = {
        name: a_number(given[name], inside(path, name), most=MOST_SCORE)
        for name in COUNTED
        if given.get(name) is not None
    }
    return Result(
        points=_hundredths(given, "points", path),
        score=_hundredths(given, "score", path),
        **counted,
    )


def _hundredths(given: Mapping[str, object], name: str, path: str) -> int | None:
    value: object = given.get(name)
    if value is None:
        return None
    expected = NotationError(
        sentence(
            "a number up to %(most_score)s with two decimals at most is expected here",
            most_score=MOST_SCORE,
        ),
        path=inside(path, name),
    )
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) <= MOST_SCORE
    ):
        raise expected
    if abs(round(value * HUNDREDTHS) - value * HUNDREDTHS) > EXACT:
        raise expected
    return round(value * HUNDREDTHS)


def _linked(value: object, _now: int) -> LinkGame:
    given = an_object(
        value, "", keys=("round", "table", "stream")
    )  # `game` is a form's own word for where it stands
    return LinkGame(round=_round(given), table=_table(given), game=_key(given, "stream"))


def _forfeit(value: object, _now: int) -> ForfeitTable:
    given = an_object(value, "", keys=("round", "table", "absent", "reason", "its_game"))
    absent = _keys(given, "absent")
    return ForfeitTable(
        round=_round(given),
        table=_table(given),
        absent=absent,
        reason=_reason(given),
        game=_what_becomes(given),
    )


def _excuse(value: object, _now: int) -> ExcuseTable:
    given = an_object(value, "", keys=("round", "table", "reason", "its_game"))
    return ExcuseTable(
        round=_round(given),
        table=_table(given),
        reason=_reason(given) or "",
        game=_what_becomes(given),
    )


def _ended(value: object, _now: int) -> EndTableGame:
    given = an_object(value, "", keys=("round", "table", "kind", "reason"))
    kind = one_of(given["kind"], KINDS, "kind") if given.get("kind") else ""
    return EndTableGame(
        round=_round(given), table=_table(given), kind=kind, reason=_reason(given) or ""
    )


def _reopening(value: object, _now: int) -> ReopenRound:
    given = an_object(value, "", keys=("round", "reason"))
    return ReopenRound(round=_round(given), reason=_reason(given) or "")


def _penalty(value: object, _now: int) -> GivePenalty:
    given = an_object(value, "", keys=("entry", "points", "after_round", "reason", "by"))
    points = _hundredths(given, "points", "")
    return GivePenalty(
        entry=_key(given, "entry"),
        points=points or 0,
        after_round=a_number(given.get("after_round", 0), "after_round", least=0),
        reason=_reason(given) or "",
        by=a_text(given.get("by", ""), "by", longest=80),
    )


def _penalty_cancelled(value: object, _now: int) -> CancelPenalty:
    given = an_object(value, "", keys=("number", "reason"))
    return CancelPenalty(
        number=a_number(required(given, "number", ""), "number"), reason=_reason(given)
    )


def _silence(value: object, _now: int) -> BeginSilence:
    given = an_object(value, "", keys=("from_round",))
    return BeginSilence(
        from_round=a_number(given["from_round"], "from_round", least=1)
        if "from_round" in given
        else None
    )


def _key(given: Mapping[str, object], name: str) -> str:
    return a_text(required(given, name, ""), name, shortest=1, longest=LONGEST_KEY)


def _keys(given: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(
        a_text(key, name, longest=LONGEST_KEY) for key in a_list(given.get(name, []), name)
    )


def _round(given: Mapping[str, object]) -> int:
    return a_number(required(given, "round", ""), "round", least=1)


def _table(given: Mapping[str, object]) -> int:
    return a_number(required(given, "table", ""), "table", least=1)


def _what_becomes(given: Mapping[str, object]) -> str:
    """What becomes of the game that goes on at a table, "" where nothing was said."""
    return one_of(given["its_game"], SETTLED_BY, "its_game") if given.get("its_game") else ""


def _reason(given: Mapping[str, object]) -> str | None:
    return a_text(given["reason"], "reason") if given.get("reason") else None


FIELDS: dict[str, Callable[[Mapping[str, object]], object]] = {
    "round": _round,
    "table": _table,
    "reason": _reason,
    "kind": lambda given: one_of(given.get("kind", "zero"), ("half", "zero"), "kind"),
    "one": lambda given: _key(given, "one"),
    "two": lambda given: _key(given, "two"),
}

# The collection an act is sent to, and how it is read; each raises NotationError.
ACTS: dict[str, Read] = {
    "phases": _phase,
    "ratings": _rated,
    "addresses": _address,
    "entries": _entry,
    "singles": _single,
    "single-cancellations": _single_dropped,
    "pairs": _pair,
    "remaining-pairs": _nothing(PairRemaining),
    "check-ins": _keyed(CheckIn),
    "check-in-cancellations": _keyed(CancelCheckIn),
    "all-check-ins": _nothing(CheckInAll),
    "all-check-in-cancellations": _check_ins_cancelled,
    "withdrawals": _keyed(Withdraw, also=("reason",)),
    "returns": _keyed(Return),
    "byes": _keyed(AskBye, also=("round", "kind")),
    "bye-cancellations": _keyed(DropBye, also=("round",)),
    "substitutes": _substitute,
    "draws": _draw,
    "draw-cancellations": _of_round(DropRound),
    "swaps": _of_round(SwapEntries, also=("one", "two", "reason")),
    "publications": _of_round(PublishRound),
    "publication-cancellations": _of_round(UnpublishRound),
    "clock-starts": _start_clock,
    "clock-pauses": _of_round(PauseClock, timed=True),
    "extensions": _extension,
    "last-hands": _of_round(CallLastHand, timed=True),
    "last-hand-cancellations": _of_round(RecallLastHand),
    "results": _results,
    "forfeits": _forfeit,
    "excuses": _excuse,
    "clearings": _of_round(ClearTable, also=("table", "reason")),
    "linked-games": _linked,
    "unlinked-games": _of_round(UnlinkGame, also=("table", "reason")),
    "detached-games": _with_reason(DetachGame, also=("table",)),
    "counted-games": _of_round(CountGame, also=("table", "reason")),
    "ended-games": _ended,
    "freed-tables": _with_reason(FreeTables),
    "accepted-differences": _with_reason(AcceptDifference, also=("table",)),
    "closings": _of_round(CloseRound),
    "reopenings": _reopening,
    "penalties": _penalty,
    "penalty-cancellations": _penalty_cancelled,
    "silences": _silence,
}
