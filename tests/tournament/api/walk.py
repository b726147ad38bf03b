"""An evening through every operation of the API, in the order in which a salon would; what is sent
and answered becomes its examples.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.test import override_settings
from django.urls import resolve

from ledger import notes
from ledger.signing import origin_of
from tests.ledger.signing import Pocket
from tests.tournament.api.calling import A_HAND, SEATED, Answered, Caller, owner_calls, version_of
from tests.tournament.helpers.evenings import of_teams
from tournament.accounts.invitations import invitation_by, join
from tournament.models import Invitation, Membership, Player, Salon, Table
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS

LONGEST_LINES = 400
PAIRS = (
    ("Asha Renn", "Cato Liss"),
    ("Ilse Marrow", "Juno Dray"),
    ("Orla Venn", "Pim Aster"),
    ("Rhea Sol", "Tomas Quill"),
)
# A PNG of one dot.
A_DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGPoAAAAigCJ/xNBzgAAAABJRU5ErkJggg=="
)
STAGE = {"kind": "swiss", "rounds": 2, "tie_breaks": ["buchholz", "score_difference"]}


@dataclass(slots=True, kw_only=True)
class Walk:
    """Calls one operation after the other and keeps the first exchange of each by the operation's
    name.
    """

    caller: Caller
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    def get(self, path: str, **query: Any) -> Any:
        """Read; the answer's JSON."""
        return self._keep("get", path, None, query, self.caller.get(path, **query))

    def post(self, path: str, body: object = None, **about: Any) -> Any:
        """Write; the answer's JSON."""
        return self._keep("post", path, body, {}, self.caller.post(path, body, **about))

    def delete(self, path: str) -> None:
        """Take away."""
        self._keep("delete", path, None, {}, self.caller.delete(path))

    def _keep(
        self, method: str, path: str, body: object, query: dict[str, object], answer: Answered
    ) -> Any:
        assert 200 <= answer.status < 300, (method, path, answer.value)
        found = resolve(
            f"/api/v1{path}"
            if path.startswith("/")
            else f"/api/v1/salons/{self.caller.salon}/{path}"
        )
        name = found.func.actions[method]  # type: ignore[attr-defined]  # every view of the API has them
        shown = answer.value[:LONGEST_LINES] if isinstance(answer.value, str) else answer.value
        exchange = {"request": body, "response": shown, "status": answer.status}
        self.kept.setdefault(name, exchange | {"parameters": {**found.kwargs, **query}})
        return answer.value


def walked(salon: Salon) -> dict[str, dict[str, Any]]:
    """The exchanges of an evening by operation."""
    walk = Walk(caller=owner_calls(salon))
    _look_around(walk)
    game = _play(walk)
    _say_and_correct(walk, game)
    _call_the_director(walk)
    _hang_a_screen(walk)
    _read_the_books(walk, game)
    _direct(walk, salon)
    _begin_a_round(walk)
    _read_a_plan(walk)
    _knock_out(walk)
    _same_deals(walk)
    _deal_from_a_stock(walk)
    _prove(walk, game, salon)
    _by_link_and_token(walk, salon)
    _with_people(walk)
    _tell_others(walk)
    _keep_house(walk, salon)
    _forget(walk)
    return walk.kept


def _look_around(walk: Walk) -> None:
    for path in ("/salons/", "", "tables/", "rules/", "house/", "tokens/", "tables/8/link/"):
        walk.get(path)
    walk.post(
        "house/correction-periods/",
        {"hours": 48, "reason": "the salon meets every other day"},
        version=0,
    )
    walk.post("house/confirmings/", {"way": "tap", "reason": "they know each other"}, version=1)
    walk.get("house/events/")
    walk.get("house/history/")


def _play(walk: Walk) -> str:
    new = {
        "game": "precedence",
        "players": SEATED,
        "table": "4",
        "played_on": "2026-11-21",
        "options": {"hands_limit": 8},
    }
    game = str(walk.post("games/", new)["stream"])
    act = _acts(walk, f"games/{game}")
    walk.post(f"games/{game}/hand-previews/", {"dealer": "S"} | A_HAND)
    act("bids", {"seat": "W", "tricks": 2}, before=("hands", {"dealer": "S"}))
    walk.get(f"games/{game}/acts/")
    for seat, tricks in (("N", 4), ("E", 3), ("S", 3)):
        act("bids", {"seat": seat, "tricks": tricks})
    act("totals", {"NS": 7, "EW": 6})
    walk.post(f"games/{game}/hands/", A_HAND, version=version_of(game))
    walk.get("games/", limit=2)
    walk.get(f"games/{game}/")
    walk.get(f"games/{game}/hands/")
    return game


def _acts(walk: Walk, stream: str) -> Callable[..., None]:
    """Sends acts of a stream, each on top of what there is."""

    def act(
        collection: str, body: dict[str, Any], *, before: tuple[str, dict[str, Any]] | None = None
    ) -> None:
        if before is not None:  # the second one makes the better example
            assert (
                walk.caller.post(
                    f"{stream}/acts/{before[0]}/",
                    before[1],
                    version=walk.caller.get(f"{stream}/").etag,
                ).status
                == 201
            )
        walk.post(f"{stream}/acts/{collection}/", body, version=walk.caller.get(f"{stream}/").etag)

    return act


def _say_and_correct(walk: Walk, game: str) -> None:
    pins = {slip["seat"]: slip["link"]["pin"] for slip in walk.get(f"games/{game}/seats/")}
    said = {"number": 1, "seat": "N", "pin": pins["N"]}
    walk.post(f"games/{game}/attestations/confirmations/", said, version=version_of(game))
    walk.get(f"games/{game}/confirmation/")
    walk.post(f"games/{game}/seats/E/link/")
    second = owner_calls(Salon.objects.get(slug=walk.caller.salon))
    phone = Walk(caller=_phone(walk), kept=walk.kept)
    phone.post(
        f"games/{game}/hands/2/second-entries/", {"dealer": "W"} | A_HAND, version=version_of(game)
    )
    assert second.salon == walk.caller.salon
    (first, _later) = walk.get(f"games/{game}/corrections/")
    new = {"what": "hand", "hand": 1, "sheet": first["sheet"] | {"tricks": {"NS": 6, "EW": 7}}}
    walk.post(f"games/{game}/correction-previews/", new)
    walk.post(
        f"games/{game}/corrections/",
        new | {"reason": "a trick was counted on the wrong side"},
        version=version_of(game),
    )


def _call_the_director(walk: Walk) -> None:
    phone = Walk(caller=_phone(walk), kept=walk.kept)
    call = str(phone.post("tables/4/calls/", {"reason": "rules"})["stream"])
    phone.get("tables/4/calls/")
    walk.post(f"calls/{call}/acts/arrivals/")
    walk.post(f"calls/{call}/acts/answers/")
    mistaken = str(phone.post("tables/4/calls/", {"reason": "player"})["stream"])
    phone.post(f"tables/4/calls/{mistaken}/cancellations/")
    walk.get("calls/", limit=2)
    walk.get(f"calls/{call}/")
    walk.get(f"calls/{call}/events/")
    walk.get(f"calls/{call}/history/")


def _hang_a_screen(walk: Walk) -> None:
    screen = str(walk.post("screens/", {"name": "Bar"})["stream"])
    parts = [
        {"kind": "standings", "seconds": 20},
        {"kind": "text", "seconds": 10, "note": "Soup from nine"},
    ]
    acts = f"screens/{screen}/acts"
    walk.post(f"{acts}/arrangements/", {"name": "By the bar", "parts": parts}, version=1)
    walk.post(f"{acts}/holds/", {"parts": [{"kind": "clock"}]}, version=2)
    walk.get(f"screens/{screen}/")
    walk.post(f"{acts}/releases/", {}, version=3)
    walk.get("screens/", limit=2)
    walk.get(f"screens/{screen}/events/")
    walk.get(f"screens/{screen}/history/")


def _phone(walk: Walk) -> Caller:
    """The phone of table 4."""
    table = Table.objects.get(salon__slug=walk.caller.salon, label="4")
    given = Walk(caller=Caller(salon=walk.caller.salon), kept=walk.kept)
    token = given.post("tables/4/tokens/", {"link": table.token, "pin": table.pin})["token"]
    return Caller(salon=walk.caller.salon, token=token)


def _read_the_books(walk: Walk, game: str) -> None:
    (player, *_others) = walk.get("players/", q="as")["items"]
    walk.get(f"players/{player['id']}/")
    walk.get(f"players/{player['id']}/records/")
    walk.get(f"games/{game}/events/", limit=2)
    walk.get("events/", after=5, limit=2)
    walk.get("history/", show="corrections", limit=2)
    walk.get(f"games/{game}/history/", limit=2)
    walk.get(f"games/{game}/as-of/", version=8)
    walk.get(f"games/{game}/comparison/", one="12")
    walk.get(f"games/{game}/numbers/")
    walk.get(f"games/{game}/numbers/score.NS/")
    walk.get("ledger/")
    walk.get(f"games/{game}/accounts/")
    walk.get(f"games/{game}/accounts/N/", limit=2)
    walk.get(f"ledger/players/{player['id']}/", limit=2)
    record = walk.get(f"games/{game}/record/")
    walk.get("game-records/", limit=1)
    walk.post("game-records/", record | {"id": "from-elsewhere"})


def _direct(walk: Walk, salon: Salon) -> None:
    event = str(
        walk.post(
            "tournaments/", {"name": "Spring Cup", "game": "precedence", "stage": STAGE, "seed": 7}
        )["stream"]
    )
    walk.post(
        f"tournaments/{event}/stage/",
        {"name": "Spring Cup", "stage": STAGE, "options": {"hands_limit": 8}},
        version=1,
    )
    act = _acts(walk, f"tournaments/{event}")
    act(
        "entries",
        {"players": list(PAIRS[0]), "club": "Core"},
        before=("phases", {"phase": "registration"}),
    )
    for pair in PAIRS[1:3]:
        act("entries", {"players": list(pair)})
    _enter_by_list(walk, event)
    for entry in "1234":
        act("check-ins", {"entry": entry})
    for collection, body in (
        ("phases", {"phase": "running"}),
        ("draws", {"round": 1}),
        ("manual-pairings", {"round": 1, "reason": "The guests play each other."}),
        ("manual-pairing-endings", {"round": 1}),
        ("publications", {"round": 1}),
    ):
        act(collection, body)
    walk.get(f"tournaments/{event}/rounds/1/swap-preview/", one="1", two="3")
    version = walk.caller.get(f"tournaments/{event}/").etag
    game = str(
        walk.post(
            f"tournaments/{event}/games/", {"round": 1, "table": 1, "label": "1"}, version=version
        )["stream"]
    )
    walk.caller.post(f"games/{game}/hands/", {"dealer": "S"} | A_HAND, version=version_of(game))
    ending = {"kind": "called", "reason": "the clock ran out"}
    assert (
        walk.caller.post(f"games/{game}/acts/endings/", ending, version=version_of(game)).status
        == 201
    )
    before = walk.caller.get("").value["head"]
    act("results", {"round": 1, "table": 2, "results": [{"score": 255}, {"score": 180}]})
    act("closings", {"round": 1})
    catch_up(salon.log, PROJECTIONS)
    walk.get("tournaments/", limit=1)
    walk.get(f"tournaments/{event}/")
    walk.get(f"tournaments/{event}/rounds/1/snapshot/")
    walk.post(f"tournaments/{event}/link/")
    walk.get(f"tournaments/{event}/link/")
    teams = of_teams(salon).pk
    walk.post(f"tournaments/{teams}/entries/1/captain/")
    walk.get(f"tournaments/{teams}/entries/1/captain/")
    walk.post(f"tournaments/{event}/entries/1/own-page/")
    walk.get(f"tournaments/{event}/entries/1/own-page/")
    walk.delete(f"tournaments/{event}/entries/1/own-page/")
    walk.delete(f"tournaments/{event}/link/")
    walk.get(f"tournaments/{event}/rounds/1/")
    walk.get(f"tournaments/{event}/standings/")
    walk.get(f"tournaments/{event}/sheets/standings/csv/")
    walk.get(f"tournaments/{event}/entries/1/")
    walk.get(f"tournaments/{event}/entries/1/points/")
    walk.get(f"tournaments/{event}/events/", limit=2)
    walk.get(f"tournaments/{event}/history/", limit=2)
    walk.get(f"tournaments/{event}/as-of/", as_of="2100-01-01 10:00", clock="played")
    walk.get(f"tournaments/{event}/comparison/", one=str(before))
    walk.get(f"tournaments/{event}/log/", names="no")
    walk.delete(f"tournaments/{event}/parked-standings/")
    _add_up(walk, salon, event)
    walk.post(
        "tournament-files/", walk.get(f"tournaments/{event}/file/") | {"id": "cup-from-elsewhere"}
    )


def _knock_out(walk: Walk) -> None:
    """Four pairs of whom the last has beaten the first."""
    stage = {"kind": "knockout"}
    event = str(
        walk.caller.post(
            "tournaments/", {"name": "The Cup", "game": "precedence", "stage": stage, "seed": 7}
        ).value["stream"]
    )
    act = _acts(walk, f"tournaments/{event}")
    act("phases", {"phase": "registration"})
    for pair in PAIRS:
        act("entries", {"players": list(pair)})
    act("phases", {"phase": "running"})
    act("draws", {"round": 1})
    act("publications", {"round": 1})
    act("results", {"round": 1, "table": 1, "results": [{"score": 180}, {"score": 255}]})
    walk.get(f"tournaments/{event}/bracket/")


def _same_deals(walk: Walk) -> None:
    """The first round of four pairs, whose deals are drawn before and known after it."""
    stage = {"kind": "movement", "movement": "howell", "deals_a_round": 1}
    stage |= {"scale": {"kind": "matchpoints"}}
    event = str(
        walk.caller.post(
            "tournaments/", {"name": "Pairs", "game": "precedence", "stage": stage, "seed": 7}
        ).value["stream"]
    )
    act = _acts(walk, f"tournaments/{event}")
    act("phases", {"phase": "registration"})
    for pair in PAIRS:
        act("entries", {"players": list(pair)})
    act("phases", {"phase": "running"})
    walk.post(f"tournaments/{event}/deals/", version=walk.caller.get(f"tournaments/{event}/").etag)
    act("draws", {"round": 1})
    act("publications", {"round": 1})
    tables = walk.caller.get(f"tournaments/{event}/rounds/1/").value["tables"]
    for table in tables:
        boards = [{"deal": deal, "scores": [60 + table["table"], 25]} for deal in table["deals"]]
        act("results", {"round": 1, "table": table["table"], "boards": boards})
    act("closings", {"round": 1})
    act("phases", {"phase": "finished"})
    walk.get(f"tournaments/{event}/deals/")
    walk.post(f"tournaments/{event}/deals/seeds/")


def _begin_a_round(walk: Walk) -> None:
    event = str(
        walk.caller.post(
            "tournaments/", {"name": "Side Event", "game": "precedence", "stage": STAGE, "seed": 7}
        ).value["stream"]
    )
    act = _acts(walk, f"tournaments/{event}")
    act("phases", {"phase": "registration"})
    for pair in PAIRS[:2]:
        act("entries", {"players": list(pair)})
    for collection, body in (
        ("phases", {"phase": "running"}),
        ("draws", {"round": 1}),
        ("publications", {"round": 1}),
    ):
        act(collection, body)
    walk.post(
        f"tournaments/{event}/round-games/",
        {"round": 1},
        version=walk.caller.get(f"tournaments/{event}/").etag,
    )


def _read_a_plan(walk: Walk) -> None:
    """Five single players who change partners, and the plan that they play by."""
    stage = {"kind": "rotating", "tie_breaks": ["wins"]}
    new = {"name": "Singles", "game": "precedence", "stage": stage, "seed": 7, "players": 1}
    event = str(walk.caller.post("tournaments/", new).value["stream"])
    act = _acts(walk, f"tournaments/{event}")
    act("phases", {"phase": "registration"})
    for player in [*PAIRS[0], *PAIRS[1], PAIRS[2][0]]:
        act("entries", {"players": [player]})
    walk.get(f"tournaments/{event}/schedule/")


def _enter_by_list(walk: Walk, event: str) -> None:
    listed = {"text": f"{' & '.join(PAIRS[3])}; Umberhall; 1510\nJuno Dray", "singles": False}
    walk.post(f"tournaments/{event}/entry-list-previews/", listed)
    told = walk.post(f"tournaments/{event}/entry-lists/", listed)
    assert [bool(line["problem"]) for line in told["lines"]] == [False, True]


def _add_up(walk: Walk, salon: Salon, event: str) -> None:
    rule = {"points": "places", "places": [10, 6, 3, 1], "best": 4}
    season = str(walk.post("seasons/", {"name": "Autumn", "rule": rule})["stream"])
    _acts(walk, f"seasons/{season}")("events", {"tournament": event})
    _acts(walk, f"tournaments/{event}")("phases", {"phase": "finished"})
    catch_up(salon.log, PROJECTIONS)
    walk.get("seasons/")
    walk.get(f"seasons/{season}/")
    walk.get(f"seasons/{season}/events/")
    walk.get(f"seasons/{season}/history/")


def _deal_from_a_stock(walk: Walk) -> None:
    stock = str(walk.post("stocks/", {"name": "Tonight"})["stream"])
    new = {"game": "order_of_precedence", "players": {"A": "Asha Renn"}, "table": "5"}
    game = str(walk.caller.post("games/", new).value["stream"])
    walk.post(f"games/{game}/stock-deals/", {"stock": stock}, version=version_of(game))
    walk.post(f"stocks/{stock}/seed/", {"anyway": True})
    walk.get("stocks/")
    walk.get(f"stocks/{stock}/")
    walk.get(f"stocks/{stock}/events/")
    walk.get(f"stocks/{stock}/history/")


def _prove(walk: Walk, game: str, salon: Salon) -> None:
    signed = walk.post("checkpoints/")
    walk.get("checkpoints/")
    walk.get(f"checkpoints/{signed['size']}/")
    name = "elsewhere.example/salon"
    key = Pocket().new(name, frozenset())
    text = notes.read_note(signed["note"]).text
    line = notes.cosign(text, key, name, seconds=1_795_000_000).line
    body = {"note": line, "key": notes.verifier(key, name).cosigner.vkey}
    walk.post(f"checkpoints/{signed['size']}/cosignatures/", body)
    assert origin_of(salon.log) in signed["note"]
    walk.get("proofs/entries/1/")
    walk.get("proofs/consistency/", old=1)
    walk.post("audits/", {})
    (audit,) = walk.get("audits/")
    walk.get(f"audits/{audit['id']}/")
    _countersign(walk)
    walk.get(f"games/{game}/log/", names="no")
    walk.get("log/", names="no")
    walk.get("archive/", names="no")
    walk.get("log/verifier/")


def _countersign(walk: Walk) -> None:
    """Another salon hands in a checkpoint of its log."""
    name = "elsewhere.example/another"
    key = Pocket().new(name, frozenset())
    text = notes.Checkpoint(origin=name, size=1, root=bytes(32)).text
    signed = notes.Note(text=text, signatures=(notes.sign(text, key, name),))
    walk.post("countersignatures/", {"request": str(signed), "key": notes.verifier(key, name).vkey})
    walk.get("countersignatures/")


def _by_link_and_token(walk: Walk, salon: Salon) -> None:
    walk.post("tables/8/link/")
    given = walk.post(
        "tokens/", {"name": "Overlay", "scopes": ["see the salon", "read the history"], "days": 30}
    )
    walk.delete(f"tokens/{given['id']}/")
    assert Membership.objects.filter(salon=salon).exists()


def _with_people(walk: Walk) -> None:
    (player, *_others) = walk.get("players/", q="as")["items"]
    made = walk.post(
        "invitations/", {"role": "player", "player": player["id"], "email": "asha.renn@example.org"}
    )
    walk.get("invitations/")
    walk.delete(f"invitations/{made['id']}/")
    join(_invited(walk, "scorer"), name="Rhea", email="rhea@example.org", password="unused ladder")
    (_owner, scorer) = walk.get("people/")
    walk.post(f"people/{scorer['id']}/role/", {"role": "director"})
    walk.delete(f"people/{scorer['id']}/")
    listed = {"text": "first name;last name\nNell;Harrow\nAsha;Renn\n;"}
    walk.post("player-list-previews/", listed)
    walk.post("player-lists/", listed)
    walk.post("player-list-removals/", listed)
    walk.post(f"players/{player['id']}/public-name/", {"names_shown": "first"})
    other = Player.objects.create(salon=Salon.objects.get(), name="Asha Ren").pk
    walk.post(f"players/{other}/names/", {"name": "Asha Rene", "reason": "misheard"})
    walk.post(f"players/{player['id']}/merges/", {"other": other, "reason": "one person"})
    walk.post(f"players/{player['id']}/separations/", {"other": other})


def _invited(walk: Walk, role: str) -> Invitation:
    made = walk.caller.post("invitations/", {"role": role})
    found = invitation_by(made.value["address"].rstrip("/").rpartition("/")[2], None)
    assert found is not None
    return found


@override_settings(WEBHOOKS_WITHIN=True)
def _tell_others(walk: Walk) -> None:
    hook = walk.post(
        "webhooks/",
        {"address": "https://192.0.2.10/accord", "events": ["hand.closed", "round.published"]},
    )["id"]
    walk.get("webhooks/")
    walk.get(f"webhooks/{hook}/")
    walk.post(f"webhooks/{hook}/secrets/")
    sent = walk.post(f"webhooks/{hook}/pings/")["id"]
    walk.get(f"webhooks/{hook}/deliveries/")
    walk.post(f"webhooks/{hook}/deliveries/{sent}/repeats/")
    walk.post(f"webhooks/{hook}/pause/")
    walk.delete(f"webhooks/{hook}/pause/")
    other = walk.caller.post(
        "webhooks/", {"address": "https://192.0.2.11/", "events": ["game.closed"]}
    ).value["id"]
    walk.delete(f"webhooks/{other}/")


def _keep_house(walk: Walk, salon: Salon) -> None:
    walk.get("settings/")
    walk.post(
        "settings/",
        {
            "name": salon.name,
            "names_shown": "whole",
            "forget_players_days": 730,
            "time_zone": "Europe/Lisbon",
            "language": "en-gb",
            "paper": "letter",
            "tells_phones": False,
        },
    )
    walk.post("logo/", {"logo": A_DOT})
    walk.delete("logo/")
    rules = walk.post(
        "presets/", {"game": "precedence", "name": "Saturday", "options": {"hands_limit": 8}}
    )["id"]
    walk.get("presets/")
    walk.delete(f"presets/{rules}/")
    walk.get("work/")
    walk.delete("parked-work/standings/")
    walk.post("practices/")
    walk.post("tables/", {"labels": ["9", "10"]})
    walk.post("tables/9/label/", {"label": "Window"})
    walk.post("retired-tables/", {"label": "10"})
    walk.get("retired-tables/")


def _forget(walk: Walk) -> None:
    (player, *_others) = walk.get("players/", q="quill")["items"]
    walk.get(f"players/{player['id']}/held/")
    walk.get(f"players/{player['id']}/erasure/")
    walk.post(f"players/{player['id']}/erasure/", {"name": player["name"]})
