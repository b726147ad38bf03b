"""Decisions about who takes part: entries, singles who look for a partner, withdrawal, byes,
substitutes.
"""

from scoring.deciding import Decisions
from scoring.errors import NotationError, sentence
from scoring.games import GAMES
from tournament.domain.tournament.commands import (
    AskBye,
    DropBye,
    DropSingle,
    MakeEntry,
    NoteSingle,
    PairRemaining,
    PairSingles,
    ReplacePlayer,
    Return,
    Withdraw,
)
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.evolve import evolve
from tournament.domain.tournament.life_events import (
    ByeAsked,
    ByeDropped,
    EntryMade,
    EntryReturned,
    EntryWithdrawn,
    PlayerReplaced,
    SingleLeft,
    SingleNoted,
)
from tournament.domain.tournament.lineups import is_within, lineups
from tournament.domain.tournament.lookups import an_entry, refused
from tournament.domain.tournament.presence import PRESENCE_DECISIONS
from tournament.domain.tournament.state import EntryState, Single, State

LONGEST_KEY = 64
HALF = "half"

type Players = tuple[tuple[str, str], ...]  # (place, player) pairs


def sizes(state: State) -> tuple[int, ...]:
    """How many people an entry may have: as the director set it, as the first entry has it, or as
    the game allows.
    """
    if state.conditions.players is not None:
        return (state.conditions.players,)
    return tuple(sorted({len(entry.players) for entry in state.entries} or allowed_by(state.game)))


def allowed_by(game: str) -> tuple[int, ...]:
    """How many people an entry can have in this game: one, or a team."""
    return tuple(sorted({1, *map(len, GAMES[game].teams)}))


def _make_entry(command: MakeEntry, state: State) -> list[Event]:
    _check_open(state)
    key = command.entry or str(len(state.entries) + 1)
    if state.entry(key) is not None or not 0 < len(key) <= LONGEST_KEY:
        raise refused(
            "bad_entry",
            sentence(
                "there is an entry %(entry)s already, or its id is too long",
                entry=key[:LONGEST_KEY],
            ),
            "entry",
        )
    joined_in = max(command.joined_in or 1, state.next_round if state.phase == "running" else 1)
    _check_players(command.players, state, key, joined_in)
    made = EntryMade(
        entry=key,
        players=command.players,
        rating=command.rating,
        club=command.club or None,
        joined_in=joined_in,
    )
    missed = range(1, joined_in) if command.missed == HALF else ()
    return [made, *(ByeAsked(entry=key, round=number, kind=HALF) for number in missed)]


def _check_open(state: State) -> None:
    if state.phase not in ("registration", "running"):
        raise refused(
            "wrong_phase",
            sentence(
                "entries are taken in registration or while it runs; it is in %(phase)s",
                phase=state.phase,
            ),
            "phase",
        )
    if state.stage.kind == "round_robin" and state.rounds:
        raise refused(
            "wrong_phase",
            sentence("a round robin is drawn for its entries as they were; nobody can join it now"),
            "phase",
        )


def _check_players(
    players: Players, state: State, key: str, from_round: int, until_round: int | None = None
) -> None:
    allowed = sizes(state)
    if len(players) not in allowed:
        message = sentence(
            "an entry of this event has %(allowed)s players, not %(players)s",
            allowed=" or ".join(map(str, allowed)),
            players=len(players),
        )
        raise refused("bad_entry", message, "players")
    _check_free(players, state, key, from_round, until_round)


def _check_free(
    players: Players, state: State, key: str, from_round: int, until_round: int | None = None
) -> None:
    """Nobody stands twice in an entry, or plays for another one in one of these rounds."""
    for place, player in players:
        if any(player == other and place != elsewhere for elsewhere, other in players):
            raise refused(
                "player_twice",
                sentence(
                    "this player has another place of the entry already; everybody plays once"
                ),
                f"players.{place}",
            )
        taken = next(
            (
                entry
                for entry in state.entries
                if entry.id != key and _plays_for(player, entry, from_round, until_round)
            ),
            None,
        )
        if taken is not None:
            raise refused(
                "player_twice",
                sentence(
                    "this player is in entry %(entry)s already; nobody plays for two entries",
                    entry=taken.id,
                ),
                f"players.{place}",
            )


def _plays_for(player: str, entry: EntryState, first: int, last: int | None) -> bool:
    """Whether this player is one of the entry's in one of the rounds `first` to `last` (None: to
    the end).
    """
    playing = (
        dict(lineup.players).values() for lineup in lineups(entry) if is_within(lineup, first, last)
    )
    return not entry.is_withdrawn and any(player in players for players in playing)


def _note_single(command: NoteSingle, state: State) -> list[Event]:
    _check_open(state)
    if 2 not in sizes(state) or len(command.players) != 1:
        raise refused(
            "bad_entry", sentence("one person waits for a partner, in an event of pairs"), "players"
        )
    _check_free(command.players, state, "", state.next_round)
    player = command.players[0][1]
    if any(player == single.player for single in state.singles):
        raise refused(
            "player_twice", sentence("this player waits for a partner already"), "players"
        )
    return [
        SingleNoted(
            number=state.singles_noted + 1,
            players=command.players,
            rating=command.rating,
            club=command.club or None,
        )
    ]


def _drop_single(command: DropSingle, state: State) -> list[Event]:
    return [
        SingleLeft(number=_single(state, command.number, "number").number, reason=command.reason)
    ]


def _pair_singles(command: PairSingles, state: State) -> list[Event]:
    if command.one == command.two:
        raise refused("bad_entry", sentence("a pair is two people"), "two")
    return _make_entry(
        _pair(_single(state, command.one, "one"), _single(state, command.two, "two")), state
    )


def _pair_remaining(_command: PairRemaining, state: State) -> list[Event]:
    waiting = state.singles
    if len(waiting) < 2:
        raise refused(
            "too_few",
            sentence(
                "a pair needs two singles; %(waiting)s waits for a partner", waiting=len(waiting)
            ),
            "singles",
        )
    events: list[Event] = []
    for one, two in zip(waiting[::2], waiting[1::2], strict=False):
        made = _make_entry(_pair(one, two), state)
        events, state = events + made, evolve(state, made[0])
    return events


def _pair(one: Single, two: Single) -> MakeEntry:
    """The entry of two singles: rated by the mean, of a club that is both's."""
    rating = None if one.rating is None or two.rating is None else (one.rating + two.rating) // 2
    return MakeEntry(
        players=(("1", one.player), ("2", two.player)),
        rating=rating,
        club=one.club if one.club == two.club else None,
    )


def _single(state: State, number: int, path: str) -> Single:
    found = next((single for single in state.singles if single.number == number), None)
    if found is None:
        raise refused(
            "entry_missing",
            sentence(
                "no single %(number)s waits for a partner; %(singles)s do",
                number=number,
                singles=len(state.singles),
            ),
            path,
        )
    return found


def _withdraw(command: Withdraw, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if entry.is_withdrawn:
        raise refused(
            "withdrawn", sentence("entry %(entry)s has withdrawn already", entry=entry.id), "entry"
        )
    begun = sum(
        each.published for each in state.rounds
    )  # a draw that nobody has seen can still be drawn anew
    return [EntryWithdrawn(entry=entry.id, after_round=begun, reason=command.reason)]


def _return(command: Return, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if not entry.is_withdrawn:
        raise refused(
            "withdrawn", sentence("entry %(entry)s has not withdrawn", entry=entry.id), "entry"
        )
    last = state.last
    still_seated = last is not None and not last.published and entry.id in last.seated
    in_round = state.next_round - still_seated
    for lineup in lineups(entry):
        if is_within(lineup, in_round, None):
            _check_players(
                lineup.players, state, entry.id, max(in_round, lineup.first), lineup.last
            )
    return [EntryReturned(entry=entry.id, in_round=in_round)]


def _ask_bye(command: AskBye, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if command.kind not in ("half", "zero"):
        raise NotationError(sentence("one of half, zero is expected here"), path="kind")
    if command.round < entry.joined_in and command.kind != HALF:
        message = sentence(
            "entry %(entry)s joined after round %(round)s, which counts nothing for it",
            entry=entry.id,
            round=command.round,
        )
        raise refused("bye_asked", message, "kind")
    if entry.joined_in <= command.round < state.next_round:
        raise refused(
            "round_drawn",
            sentence(
                "round %(round)s is drawn already; ask before the draw, or drop it first",
                round=command.round,
            ),
            "round",
        )
    if dict(entry.asked).get(command.round) == command.kind:
        raise refused(
            "bye_asked",
            sentence("entry %(entry)s has asked for that bye already", entry=entry.id),
            "round",
        )
    return [ByeAsked(entry=entry.id, round=command.round, kind=command.kind)]


def _drop_bye(command: DropBye, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if (
        command.round not in dict(entry.asked)
        or entry.joined_in <= command.round < state.next_round
    ):
        raise refused(
            "bye_asked",
            sentence(
                "entry %(entry)s has no bye to drop in round %(round)s",
                entry=entry.id,
                round=command.round,
            ),
            "round",
        )
    return [ByeDropped(entry=entry.id, round=command.round)]


def _replace_player(command: ReplacePlayer, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    for place, _player in command.players:
        if place not in dict(entry.players):
            raise NotationError(
                sentence("entry %(entry)s has no place %(place)s", entry=entry.id, place=place),
                path="players",
            )
    begins = command.from_round if command.from_round is not None else state.next_to_play(entry.id)
    if not entry.joined_in <= begins <= max(state.next_round, entry.joined_in):
        message = sentence(
            (
                "a substitute of entry %(entry)s plays from one of the rounds %(joined_in)s to "
                "%(next_round)s on"
            ),
            entry=entry.id,
            joined_in=entry.joined_in,
            next_round=state.next_round,
        )
        raise refused("round_missing", message, "from_round")
    until = command.until_round
    if until is not None and until < begins:
        message = sentence(
            "a substitute who begins in round %(begins)s can't have played up to round %(until)s",
            begins=begins,
            until=until,
        )
        raise refused("round_missing", message, "until_round")
    for lineup in lineups(entry):
        if is_within(lineup, begins, until):
            _check_players(
                tuple((dict(lineup.players) | dict(command.players)).items()),
                state,
                entry.id,
                begins,
                until,
            )
    return [
        PlayerReplaced(
            entry=entry.id,
            players=command.players,
            reason=command.reason,
            from_round=begins,
            until_round=command.until_round,
        )
    ]


ENTRY_DECISIONS: Decisions[State, Event] = {
    MakeEntry: _make_entry,
    NoteSingle: _note_single,
    DropSingle: _drop_single,
    PairSingles: _pair_singles,
    PairRemaining: _pair_remaining,
    Withdraw: _withdraw,
    Return: _return,
    AskBye: _ask_bye,
    DropBye: _drop_bye,
    ReplacePlayer: _replace_player,
    **PRESENCE_DECISIONS,
}
