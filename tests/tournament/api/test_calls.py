"""Calls for the director by the API: who may, what is refused and how, and what a list narrows."""

import uuid

from tests.tournament.api.calling import Answered, Caller, a_game, caller, owner_calls
from tournament.accounts.api_tokens import give_table_token
from tournament.models import Call, Salon, Table
from tournament.recording.calls import MOST_AN_HOUR

AT_4 = "tables/4/calls/"


def phone(salon: Salon, label: str = "4") -> Caller:
    """A program at a table, by the link and PIN of the table."""
    table = Table.objects.get(salon=salon, label=label)
    return Caller(salon=salon.slug, token=give_table_token(table)[1])


def calls(client: Caller, reason: str = "card", *, key: str = "") -> Answered:
    return client.post(AT_4, {"reason": reason}, key=key)


def acts(client: Caller, call: str, collection: str, *, key: str = "") -> Answered:
    return client.post(f"calls/{call}/acts/{collection}/", key=key)


def test_a_call_goes_from_the_table_to_the_desk_and_back(salon: Salon) -> None:
    game, table, director = a_game(owner_calls(salon)), phone(salon), caller(salon, "director")
    assert table.get(AT_4).value == {"call": None}

    call = str(calls(table).value["stream"])
    made = table.get(AT_4).value["call"]
    assert acts(director, call, "arrivals").value == {"stream": call, "version": 2}
    assert table.get(AT_4).value["call"]["taken_up_at"] >= made["made_at"]
    assert acts(director, call, "answers").status == 201

    assert (made["id"], made["game"], made["reason"], made["ending"]) == (call, game, "card", "")
    assert table.get(AT_4).value == {"call": None}
    over = director.get(f"calls/{call}/").value
    assert (over["ending"], over["waited"]) == ("answered", 0)
    types = [each["type"] for each in director.get(f"calls/{call}/events/").value["items"]]
    assert types == ["call.made", "call.taken_up", "call.answered"]


def test_the_same_write_again_is_the_same_call(salon: Salon) -> None:
    table, director, key = phone(salon), caller(salon, "director"), str(uuid.uuid4())
    first, again = calls(table, key=key), calls(table, key=key)

    assert first.value == again.value
    assert again.headers["Idempotency-Replayed"] == "true"
    for collection in ("answers", "answers"):
        answer = acts(director, first.value["stream"], collection, key=str(uuid.UUID(int=7)))
        assert answer.status == 201
    assert Call.objects.get().version == 2


def test_what_can_not_be_is_a_problem_with_a_code(salon: Salon) -> None:
    table, director = phone(salon), caller(salon, "director")
    call = str(calls(table).value["stream"])

    def problem(answer: Answered) -> tuple[int, str]:
        return answer.status, answer.value["code"]

    assert problem(calls(table, "rules")) == (422, "called_already")
    assert problem(acts(director, call, "reopenings")) == (422, "call_open")
    assert acts(director, call, "arrivals").status == 201
    assert problem(acts(director, call, "arrivals")) == (422, "call_taken_up")
    assert table.post(f"{AT_4}{call}/cancellations/").status == 201
    assert problem(table.post(f"{AT_4}{call}/cancellations/")) == (422, "call_over")
    assert problem(acts(director, call, "answers")) == (422, "call_over")
    assert calls(table, "thirst").status == 400
    assert acts(director, call, "songs").status == 404
    assert table.post("tables/none/calls/", {"reason": "card"}).status in {403, 404}
    for _call in range(MOST_AN_HOUR - 1):
        again = calls(table).value["stream"]
        assert table.post(f"{AT_4}{again}/cancellations/").status == 201
    assert problem(calls(table)) == (422, "too_many_calls")


def test_a_table_calls_for_itself_and_answers_nobody(salon: Salon) -> None:
    table, other = phone(salon), phone(salon, "5")
    call = str(calls(table).value["stream"])

    assert calls(other).status == 403
    assert other.get(AT_4).status == 403
    assert other.post(f"{AT_4}{call}/cancellations/").status == 403
    assert other.post(f"tables/5/calls/{call}/cancellations/").status == 404
    assert acts(table, call, "answers").status == 403
    assert table.get("calls/").status == 403
    for role, status in (("scorer", 403), ("auditor", 403), ("player", 403), ("anyone", 401)):
        assert acts(caller(salon, role), call, "answers").status == status
    assert Call.objects.get().version == 1


def test_a_list_is_narrowed_to_what_waits_and_to_a_tournament(salon: Salon) -> None:
    owner = owner_calls(salon)
    first = str(calls(owner).value["stream"])
    acts(owner, first, "answers")
    second = str(owner.post("tables/5/calls/", {"reason": "table"}).value["stream"])

    def ids(**query: str) -> list[str]:
        return [each["id"] for each in owner.get("calls/", **query).value["items"]]

    assert ids() == [second, first]
    assert ids(waiting="true") == [second]
    assert ids(tournament="0" * 32) == []
