"""Places changed by hand and why they meet, through the pages and the API: seen before, explained
after, told to everybody.
"""

import re
from dataclasses import replace

from django.urls import reverse

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, send
from tests.tournament.helpers.playing import flat, told
from tests.tournament.helpers.salons import member, owner_of
from tournament.accounts.silent_rounds import Hidden, withheld
from tournament.domain.pairing.values import Reason
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Player, Salon, Text, Tournament
from tournament.queries.round_reasons import why_of
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of


def in_round_2(salon: Salon, count: int = 4) -> tuple[Tournament, str, str]:
    """Round 2 drawn, and two entries whose change of places lets the pair of table 1 of round 1
    meet again.
    """
    row = does(after_round_1(salon, count), DrawRound(round=2))
    state = state_of(row)
    one, two = state.rounds[0].tables[0].entries
    table = next(table for table in state.rounds[1].tables if one in table.entries)
    (there,) = set(table.entries) - {one}
    return row, there, two


def lines(text: str) -> list[str]:
    """What the lists of reasons on a page say."""
    return [
        re.sub(r"<.*?>", "", line).strip()
        for line in re.findall(r"<span>(.*?)</span></li>", flat(text))
    ]


def test_a_swap_is_seen_before_it_is_made_with_what_it_breaks(salon: Salon) -> None:
    row, one, two = in_round_2(salon)
    owner, log = owner_of(salon), salon.log
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/2/swap/", {"one": one, "two": two})

    assert "Nothing is recorded yet" in told(page)
    assert "They met in round 1" in told(page)
    assert "The draw's aims would be broken" in told(page)
    before = log.position
    log.refresh_from_db()
    assert log.position == before


def test_after_it_the_same_reasons_stand_there_and_back_again_those_of_the_draw(
    salon: Salon,
) -> None:
    row, one, two = in_round_2(salon)
    owner, drawn = owner_of(salon), state_of(row).rounds[1]
    desk = f"/tournaments/{row.pk}/desk/rounds/2/"
    seen = owner.get(f"{desk}swap/", {"one": one, "two": two})
    assert (
        send(
            owner,
            row,
            "swaps",
            "round-2",
            round__number="2",
            one=one,
            two=two,
            reason="They asked for it.",
        ).status_code
        == 302
    )
    after = owner.get(desk)

    assert lines(seen.text)
    assert all(line in lines(after.text) for line in lines(seen.text))
    assert "They asked for it." in told(after)
    assert (
        "Changed by hand, it does not keep every aim: 2 tables where the same entries meet again."
        in told(after)
    )
    assert "Changed by hand, it breaks an aim" in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    assert "2 tables where the same entries meet again" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    send(owner, row, "swaps", "round-2", round__number="2", one=two, two=one)
    row.refresh_from_db()
    assert state_of(row).rounds[1] == drawn
    assert "Changed by hand" not in told(owner.get(desk))


def test_a_swap_that_cannot_be_is_refused_before_it_is_seen(salon: Salon) -> None:
    row, one, _two = in_round_2(salon)
    answer = owner_of(salon).get(
        f"/tournaments/{row.pk}/desk/rounds/2/swap/", {"one": one, "two": one}
    )

    assert answer.status_code == 422
    assert "two different entries change places" in told(answer)
    assert (
        owner_of(salon)
        .get(f"/tournaments/{row.pk}/desk/rounds/9/swap/", {"one": "1", "two": "2"})
        .status_code
        == 404
    )


def test_a_program_sees_a_swap_before_it_is_made(salon: Salon) -> None:
    row, one, two = in_round_2(salon)
    calls = owner_calls(salon)
    seen = calls.get(f"tournaments/{row.pk}/rounds/2/swap-preview/", one=one, two=two).value
    assert (
        calls.post(
            f"tournaments/{row.pk}/acts/swaps/",
            {"round": 2, "one": one, "two": two},
            version=row.version,
        ).status
        == 201
    )
    after = calls.get(f"tournaments/{row.pk}/rounds/2/").value

    assert [(table["table"], table["why"], table["by_hand"]) for table in seen["tables"]] == [
        (table["table"], table["why"], table["by_hand"]) for table in after["tables"]
    ]
    assert (seen["broken"], seen["totals"], seen["as_drawn"]) == (
        after["broken"],
        after["totals"],
        False,
    )
    assert seen["broken"] == [{"tier": "rematch", "cost": 2, "numbers": []}]
    refused = calls.get(f"tournaments/{row.pk}/rounds/2/swap-preview/", one=one, two=one)
    assert (refused.status, refused.value["code"]) == (422, "bad_swap")


def test_drawn_anew_says_same_standings_same_draw_and_other_lots_take_a_reason(
    salon: Salon,
) -> None:
    row = does(after_round_1(salon, 6), DrawRound(round=2))
    owner, desk = owner_of(salon), f"/tournaments/{row.pk}/desk/rounds/2/"
    first = state_of(row).rounds[1]
    assert "Same standings, same draw" in told(owner.get(desk))
    assert (
        send(owner, row, "draws", "round-2", round__number="2", other_lots="yes").status_code == 422
    )
    assert (
        send(
            owner,
            row,
            "draws",
            "round-2",
            round__number="2",
            other_lots="yes",
            reason="Two brothers.",
        ).status_code
        == 302
    )
    row.refresh_from_db()
    second = state_of(row).rounds[1]

    assert second.seed is not None
    assert second.digest != first.digest
    assert "Two brothers." in told(owner.get(desk))
    assert str(second.seed) in told(owner.get(desk))
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "Round 2 is drawn with other lots" in history
    assert "Two brothers." in history
    assert Text.objects.filter(text="Two brothers.").exists()


def test_a_player_finds_why_in_a_published_round_and_no_sooner(salon: Salon) -> None:
    row, _one, _two = in_round_2(salon)
    owner = owner_of(salon)
    assert owner.get(f"/tournaments/{row.pk}/rounds/2/why/").status_code == 404
    does(row, PublishRound(round=2))
    page = owner.get(f"/tournaments/{row.pk}/rounds/2/why/")

    assert "They have not met yet" in told(page)
    assert "the same score, 1" in told(page).lower()
    for address in (
        f"/tournaments/{row.pk}/",
        f"/tournaments/{row.pk}/rounds/2/",
        f"/tournaments/{row.pk}/entries/1/",
    ):
        assert f"/tournaments/{row.pk}/rounds/2/why/#table-" in owner.get(address).text, address


def test_numbers_stand_with_the_names_they_belong_to(salon: Salon) -> None:
    """Three wins and three losses: somebody meets another score, and each score stands beside its
    own name.
    """
    row = does(after_round_1(salon, 6), DrawRound(round=2))
    state = state_of(row)
    uneven = next(
        (table, why.numbers)
        for table in state.rounds[1].tables
        for why in table.why
        if why.tier == "score_difference" and len(set(why.numbers)) == 2
    )
    table, numbers = uneven
    page = told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/rounds/2/"))
    names = [" & ".join(PEOPLE[int(entry)]) for entry in table.entries]

    played = [
        pair
        for each in state.rounds[0].tables
        for pair in zip(each.entries, each.results, strict=True)
    ]
    won = {entry for entry, result in played if (result.score or 0) > 20000}
    assert [number == 100 for number in numbers] == [entry in won for entry in table.entries]
    assert (
        f"Scores before the round: {names[0]} {numbers[0] // 100}, {names[1]} {numbers[1] // 100}"
        in page
    )


PEOPLE = {
    1: ("Asha Renn", "Cato Liss"),
    2: ("Ilse Marrow", "Juno Dray"),
    3: ("Orla Venn", "Pim Aster"),
    4: ("Rhea Sol", "Tomas Quill"),
    5: ("Una Frey", "Vito Lark"),
    6: ("Wren Hale", "Yara Moss"),
}


def test_the_reasons_of_a_round_drawn_by_silent_results_tell_nothing_to_the_room(
    salon: Salon,
) -> None:
    row, one, two = in_round_2(salon)
    does(row, BeginSilence(from_round=1), PublishRound(round=2))
    send(
        owner_of(salon),
        row,
        "swaps",
        "round-2",
        round__number="2",
        one=one,
        two=two,
        reason="A quarrel.",
    )
    player = member(salon, "player")
    page = told(player.get(f"/tournaments/{row.pk}/rounds/2/why/"))

    assert "Scores are silent" in page
    for word in (
        "score,",
        "Next best",
        "differences of scores",
        "met in round",
        "quarrel",
        "seats until now",
        "either side",
    ):
        assert word not in page, word
    assert (
        "met in round 1"
        in told(owner_of(salon).get(f"/tournaments/{row.pk}/rounds/2/why/")).lower()
    )


def test_what_a_swap_says_of_a_silent_round_is_withheld_with_its_event(salon: Salon) -> None:
    body = {
        "round": 2,
        "one": "1",
        "two": "2",
        "why": [1],
        "byes_why": [2],
        "totals": [3],
        "broken": [],
    }
    kept, names = withheld(
        "tournament.entries_swapped", body, Hidden(silent_from=1, published=frozenset({1, 2}))
    )

    assert names == ["why", "byes_why", "totals"]
    assert kept == {"round": 2, "one": "1", "two": "2", "broken": []}
    assert withheld(
        "tournament.entries_swapped", body, Hidden(silent_from=2, published=frozenset({1, 2}))
    ) == (body, [])


def test_everybody_is_told_on_which_side_to_sit(salon: Salon) -> None:
    row = in_round_1(salon)
    table = state_of(row).rounds[0].tables[0]
    owner = owner_of(salon)
    seats = told(owner.get(f"/tournaments/{row.pk}/"))
    first = " & ".join(PEOPLE[int(table.entries[0])])
    second = " & ".join(PEOPLE[int(table.entries[1])])

    assert f"{first} N\u2013S" in seats
    assert f"{second} E\u2013W" in seats
    path = told(owner.get(f"/tournaments/{row.pk}/entries/{table.entries[1]}/"))
    one, two = PEOPLE[int(table.entries[1])]
    assert f"Table 1, E\u2013W ({one} East, {two} West)" in path
    assert "Round 1: table 1, N\u2013S" in told(owner.get(f"/tournaments/{row.pk}/desk/slips/"))
    sheet = owner.get(reverse("tournament_sheet", args=[row.pk, "seats", "csv"])).text
    assert f"{first},1,N\u2013S,{second}" in sheet
    found = told(owner.get(f"/tournaments/{row.pk}/", {"q": "Asha"}))
    assert re.search(r"Table \d, [NE]\u2013[SW]", found)


def test_the_game_that_a_table_starts_seats_them_on_these_sides(salon: Salon) -> None:
    row = in_round_1(salon)
    owner, table = owner_of(salon), state_of(row).rounds[0].tables[0]
    calls = owner_calls(salon)
    shown = calls.get(f"tournaments/{row.pk}/rounds/1/").value["tables"][0]["seated"]
    row.refresh_from_db()
    game = calls.post(
        f"tournaments/{row.pk}/games/", {"round": 1, "table": 1, "label": "1"}, version=row.version
    ).value["stream"]
    names = dict(Player.objects.values_list("pk", "name"))
    seats = {seat: names[player] for seat, player in Game.objects.get(pk=game).seats.items()}

    assert [seated["side"] for seated in shown] == ["N\u2013S", "E\u2013W"]
    for seated, side in zip(shown, ("NS", "EW"), strict=True):
        assert {seats[seat] for seat in side} == set(PEOPLE[int(seated["entry"])])
    assert owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").status_code == 200
    assert table.entries == tuple(seated["entry"] for seated in shown)


def test_reasons_that_the_first_engine_stored_name_nobody(salon: Salon) -> None:
    """Its numbers were not in the order of the names."""
    row, _one, _two = in_round_2(salon)
    at = load_tournament(row, Audience.SALON)
    each = at.state.rounds[1]
    reason = Reason(tier="score_difference", cost=1, numbers=(150, 100))
    old = replace(each, engine="accord pairing 1", tables=(replace(each.tables[0], why=(reason,)),))

    assert (
        why_of(at, old).tables[1].lines[0].words == "0.5 apart in score: one has 1.5, the other 1"
    )


def test_a_round_paired_by_hand_shows_what_differs_from_the_draw_and_what_it_costs(
    salon: Salon,
) -> None:
    row, one, two = in_round_2(salon)
    owner, desk = owner_of(salon), f"/tournaments/{row.pk}/desk/rounds/2/"
    assert "Begin pairing by hand" in told(owner.get(desk))
    begun = send(owner, row, "manual-pairings", "round-2", round__number="2", reason="Two guests.")
    assert begun.status_code == 302
    page = owner.get(desk)

    assert "it can be published when that has ended" in told(page)
    assert "“Two guests.”" in told(page)
    assert "Everybody sits as the draw had it." in told(page)
    assert "Publish it" not in told(page)
    refused = send(owner, row, "publications", "round-2", round__number="2")
    assert refused.status_code == 422
    assert "end that before it is published" in told(refused)

    send(owner, row, "swaps", "round-2", round__number="2", one=one, two=two)
    changed = told(owner.get(desk))
    assert "It differs from the draw: Table 1:" in changed
    assert "2 tables where the same entries meet again; none in the draw" in changed
    assert "Go on pairing" in told(owner.get(f"/tournaments/{row.pk}/desk/"))

    assert (
        send(owner, row, "manual-pairing-endings", "round-2", round__number="2").status_code == 302
    )
    ended = told(owner.get(desk))
    assert "It differs from the draw:" in ended
    assert "Publish it" in ended
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "Round 2 is being paired by hand" in history
    assert "Round 2 stands as it was paired by hand" in history
