"""A file says who played in which rounds: the substitutes that are said for it lead there again."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.standings.values import Entry
from tournament.domain.tournament.lineups import replace_players
from tournament.domain.tournament.standings_view import entry_of
from tournament.domain.tournament.state import EntryState
from tournament.exchange.substitutes import substitutes_of

PLACES = ("1", "2")
# Who stands in at which place, from which round on (0: the next one, -1: the last), for how many
# (None: to the end), and how many rounds are played until that is said.
SAID = st.tuples(
    st.sampled_from(PLACES),
    st.sampled_from("CDE"),
    st.integers(-2, 0),
    st.none() | st.integers(1, 3),
    st.integers(0, 1),
)


@given(joined_in=st.integers(1, 3), said=st.lists(SAID, max_size=7))
def test_whoever_stood_in_when_the_same_play_in_each_round_again(
    joined_in: int, said: list[tuple[str, str, int, int | None, int]]
) -> None:
    one, next_round = EntryState(id="1", players=(("1", "A"), ("2", "B")), joined_in=joined_in), 1
    for place, player, before, rounds, played in said:
        next_round += played
        first = max(joined_in, next_round + before)
        player += place
        one = replace_players(one, ((place, player),), first, rounds and first + rounds - 1)
    written = entry_of(one)

    again = _as_entered(written)
    for each in substitutes_of(written, next_round - 1):
        assert each.from_round is not None
        assert joined_in <= each.from_round <= max(next_round, joined_in)
        again = replace_players(again, each.players, each.from_round, each.until_round)

    assert _who_plays(again) == _who_plays(one)
    ahead = any(last >= max(next_round, joined_in) for last, _players in written.earlier)
    assert entry_of(again) == written or ahead  # the name depends on what was said first


def _as_entered(entry: Entry) -> EntryState:
    players = entry.entered or entry.members_in(entry.joined_in)
    return EntryState(
        id=entry.id, players=tuple(zip(PLACES, players, strict=True)), joined_in=entry.joined_in
    )


def _who_plays(entry: EntryState) -> list[tuple[tuple[str, str], ...]]:
    return [entry.members_in(number) for number in range(entry.joined_in, 15)]
