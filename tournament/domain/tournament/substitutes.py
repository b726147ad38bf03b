"""Somebody else who plays for an entry."""

from dataclasses import dataclass

from scoring.errors import NotationError, sentence
from scoring.shape import a_number, a_text, an_object, one_of, required
from tournament.domain.same_fields import build_from
from tournament.domain.tournament.entries import check_players, without_singles
from tournament.domain.tournament.lineups import is_within, lineups, replace_players
from tournament.domain.tournament.lookups import an_entry, refused
from tournament.domain.tournament.reading import a_key, a_reason
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject, schemas


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacePlayer(OfEntry, Command):
    """Let another person play at this place of an entry: `players` is the one (place, player) pair.

    It counts from round `from_round` on; None: from the round that the entry has not begun to play.
    `until_round` is the last one, after which the others play again by themselves; None: to the
    end.
    """

    players: tuple[tuple[str, str], ...]
    reason: str | None = None
    from_round: int | None = None
    until_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplaced(OfEntry, Event):
    """Another person plays at this place of an entry from round `from_round` on: `players` is the
    one (place, player) pair.

    `from_round` None, as it was once stored: from the round that the entry was to play next. After
    round `until_round` (None: never) those play again who would have played without it.
    """

    players: tuple[tuple[str, str], ...]
    reason: str | None = None
    from_round: int | None = None
    until_round: int | None = None


def _replace_player(command: ReplacePlayer, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    for place, _player in command.players:
        if place not in dict(entry.players):
            raise NotationError(
                "entry %(entry)s has no place %(place)s",
                path="players",
                entry=entry.id,
                place=place,
            )
    begins = command.from_round if command.from_round is not None else state.next_to_play(entry.id)
    if not entry.joined_in <= begins <= max(state.next_round, entry.joined_in):
        message = sentence(
            "a substitute of entry %(entry)s plays from one of the rounds %(joined_in)s to "
            "%(next_round)s on",
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
            check_players(
                tuple((dict(lineup.players) | dict(command.players)).items()),
                state,
                entry.id,
                begins,
                until,
            )
    return [build_from(PlayerReplaced, command, from_round=begins)]


def _apply_replacement(state: State, event: PlayerReplaced) -> State:
    counts_from = event.from_round or state.next_to_play(event.entry)
    changed = state.with_entry(
        event.entry,
        lambda entry: replace_players(entry, event.players, counts_from, event.until_round),
    )
    return without_singles(changed, event.players)


def _read_substitute(value: object, _now: int) -> ReplacePlayer:
    given = an_object(
        value, "", keys=("entry", "place", "player", "reason", "from_round", "until_round", "only")
    )
    place = a_text(required(given, "place", ""), "place", shortest=1, longest=2)
    name = a_text(required(given, "player", ""), "player", shortest=1, longest=80)
    begins, until = (
        a_number(given[path], path, least=1) if path in given else None
        for path in ("from_round", "until_round")
    )
    # A form's own word for that one round.
    if given.get("only") and one_of(given["only"], ("yes", "no"), "only") == "yes":
        until = a_number(required(given, "from_round", ""), "from_round", least=1)
    return ReplacePlayer(
        entry=a_key(given, "entry"),
        players=((place, name),),
        reason=a_reason(given, "reason"),
        from_round=begins,
        until_round=until,
    )


SUBJECT = Subject(
    decisions={ReplacePlayer: _replace_player},
    changes={PlayerReplaced: _apply_replacement},
    shapes={**schemas("tournament.player_replaced", 3, PlayerReplaced)},
    readers={"substitutes": _read_substitute},
)
