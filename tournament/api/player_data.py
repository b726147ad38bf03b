"""A player as a person: all that is held of them, what they are called in public, their records,
and their erasure.
"""

from typing import Any

from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from scoring.errors import RuleViolation
from scoring.games import GAMES
from scoring.shape import a_text
from tournament.accounts.permissions import Permission
from tournament.api.games import Person
from tournament.api.http.responses import REPLAYED, Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.careers.career import (
    Companion,
    PlayedGame,
    career_of,
    opponents_of,
    partners_of,
)
from tournament.domain.names import plain_name
from tournament.models import Erasure, Player
from tournament.privacy.erasure import CannotErase, erase, is_erased, texts_naming, why_not
from tournament.privacy.personal_data import account_of, collect_personal_data, games_of
from tournament.projections.background import as_of
from tournament.projections.careers import CAREERS, career_games
from tournament.projections.ratings import THOUSANDTHS, RatedAfter, rating_history
from tournament.queries.typed_results import typed_results
from tournament.recording.people import merge_persons, rename_person, separate_persons
from tournament.salons.persons import person_of
from tournament.salons.players import names_of
from tournament.salons.preferences import choose_public_name
from tournament.salons.public_names import Audience, called
from tournament.tasks import ask_for_audit


class PlayerRecords(Struct, frozen=True, kw_only=True):
    """What a player's finished games of one kind come to; `best` are ids of games. `chips` is null
    for who may not read the books.
    """

    game: str
    games: int
    won: int
    drawn: int
    lost: int
    hands: int
    tricks: int
    audits: int
    contracts: int
    met: int
    streak: int
    chips: int | None
    best: dict[str, str]


class Company(Struct, frozen=True, kw_only=True):
    """Somebody the player sat with or against: in how many finished games, and how many of them the
    player won.
    """

    player: Person
    games: int
    won: int


class RatingLine(Struct, frozen=True, kw_only=True):
    """The rating after a tournament: mean and deviation, and after how many tables in all."""

    tournament: str
    mean: float
    deviation: float
    tables: int


class TypedLine(Struct, frozen=True, kw_only=True):
    """A result that was typed at a desk: `outcome` is won, drawn, lost, or played where nobody was
    against; `score` has the own score first.
    """

    tournament: str
    round: int
    table: int
    score: str
    outcome: str


class PlayerHistory(Struct, frozen=True, kw_only=True):
    """All finished games of a player added up, as far as line `counted_up_to` of the log; ratings,
    the earliest first. `typed` are the results of the latest tournaments that were typed at a desk,
    which no record counts.
    """

    player: Person
    counted_up_to: int
    records: list[PlayerRecords]
    partners: list[Company]
    opponents: list[Company]
    ratings: list[RatingLine]
    typed: list[TypedLine]


class ErasureAhead(Struct, frozen=True, kw_only=True):
    """What would go and what stays if a player were erased: texts that name them go, games stay.
    `refused`: why it can't be done now.
    """

    player: str
    name: str
    erased: bool
    texts: int
    games: int
    account: bool
    refused: str


class NewErasure(Struct, frozen=True, kw_only=True):
    """Who is to be erased: the name as it stands, to say that it is meant."""

    name: str


class ErasureDone(Struct, frozen=True, kw_only=True):
    """Who was erased, what they are called from now on, and how many texts went with the name."""

    player: str
    name: str
    texts: int


class PublicName(Struct, frozen=True, kw_only=True):
    """What a player is called in public: `whole`, `first`, `pseudonym`, or "" for what the salon
    has for all.
    """

    names_shown: str


class NewName(Struct, frozen=True, kw_only=True):
    """Another name for a person. A note in brackets tells namesakes apart: `Anna Berg (North)`."""

    name: str
    reason: str = ""


class OtherPlayer(Struct, frozen=True, kw_only=True):
    """The other record (a player's id) of a person."""

    other: str
    reason: str = ""


class PersonCorrected(Struct, frozen=True, kw_only=True):
    """The player that was put right."""

    player: str


class PersonViewSet(ApiViewSet):
    """A player as a person: records, public name, what is held, erasure."""

    act = Permission.ERASE_PERSON

    @document_action(Permission.SEE_SALON)
    def read_player_records(self, request: Request, player: str) -> PlayerHistory:
        """A player's records by game, company and ratings."""
        person = person_of(self.row(Player, player))
        games = career_games(person.salon, person.pk)
        may_see_chips = self.visitor.may(Permission.READ_LEDGER, player=person.pk)
        return PlayerHistory(
            player=Person(id=person.pk, name=called(person, self.visitor.audience)),
            counted_up_to=as_of(person.salon.log_id, CAREERS.name, ""),
            records=[
                _records(kind, games, chips=may_see_chips)
                for kind in GAMES
                if any(each.kind == kind for each in games)
            ],
            partners=_company(person, partners_of(games), self.visitor.audience),
            opponents=_company(person, opponents_of(games), self.visitor.audience),
            ratings=[_rating(each) for each in rating_history(person.salon, person.pk)],
            typed=[build_struct(TypedLine, each) for each in typed_results(self.visitor, person)],
        )

    @document_action(Permission.READ_PERSON)
    def read_held(self, request: Request, player: str) -> dict[str, Any]:
        """All that the salon holds of a person, in the form accord-person/1."""
        return collect_personal_data(person_of(self.row(Player, player)))

    @document_action(Permission.CHOOSE_NAME, body=PublicName)
    def set_public_name(self, request: Request, player: str) -> Answer[PublicName]:
        """Choose what a player is called in public."""
        found, chosen = self.row(Player, player), self.body(PublicName).names_shown

        def choose_name() -> PublicName:
            choose_public_name(found, chosen)
            return PublicName(names_shown=chosen)

        return answer_idempotently(self, ["public-name", found.pk], choose_name)

    @document_action(Permission.DIRECT, body=NewName)
    def rename_person(self, request: Request, player: str) -> Answer[PersonCorrected]:
        """Give a person another name, everywhere; a reason is needed once something was played
        under it.
        """
        new = self.body(NewName)
        found = self.row(Player, player)
        person = rename_person(found, new.name, reason=_reason(new.reason), **self.by)
        return Answer(PersonCorrected(player=person.pk), status=201)

    @document_action(Permission.DIRECT, body=OtherPlayer)
    def merge_persons(self, request: Request, player: str) -> Answer[PersonCorrected]:
        """Let this player stand for another one: two records of one person become one."""
        new, person = self.body(OtherPlayer), self.row(Player, player)
        other = self.row(Player, new.other)
        merge_persons(person, other, reason=_reason(new.reason), **self.by)
        return Answer(PersonCorrected(player=person.pk), status=201)

    @document_action(Permission.DIRECT, body=OtherPlayer)
    def separate_persons(self, request: Request, player: str) -> Answer[PersonCorrected]:
        """Let a merged player (`other`) be a person of their own again."""
        new, person = self.body(OtherPlayer), self.row(Player, player)
        other = self.row(Player, new.other)
        if other.merged_into != person.pk:
            words = _("This player is not merged into the other one.")
            raise RuleViolation("not_merged", words, path="other")
        separate_persons(other, reason=_reason(new.reason), **self.by)
        return Answer(PersonCorrected(player=other.pk), status=201)

    def look_at_erasure(self, request: Request, player: str) -> ErasureAhead:
        """What an erasure of this player would take away."""
        found = person_of(self.row(Player, player))
        return ErasureAhead(
            player=found.pk,
            name=found.name,
            erased=is_erased(found),
            texts=len(texts_naming(found)),
            games=len(games_of(found)),
            account=account_of(found) is not None,
            refused=why_not(found),
        )

    @document_action(body=NewErasure)
    def erase_person(self, request: Request, player: str) -> Answer[ErasureDone]:
        """Erase a person: name, account and the texts that name them go, results stay. Nothing
        brings them back, and nobody is erased twice.
        """
        found = person_of(self.row(Player, player))
        before = Erasure.objects.filter(player=found.pk).first()
        if before is not None:
            return Answer(
                ErasureDone(player=found.pk, name=found.name, texts=before.texts),
                status=201,
                headers=REPLAYED,
            )
        if plain_name(self.body(NewErasure).name) != found.name:
            words = _("Type the name as it stands here, to say that you mean it.")
            raise RuleViolation("other_name", words, path="name")
        try:
            erased = erase(found, actor=self.visitor.actor)
        except CannotErase as refused:
            raise RuleViolation("owns_the_salon", str(refused)) from None
        ask_for_audit(found.salon, asked_by=self.visitor.actor)
        return Answer(
            ErasureDone(player=erased.player, name=erased.pseudonym, texts=erased.texts), status=201
        )


def _reason(written: str) -> str:
    return a_text(" ".join(written.split()), "reason")


def _records(kind: str, games: list[PlayedGame], *, chips: bool) -> PlayerRecords:
    career = career_of(each for each in games if each.kind == kind)
    best = {"hand": career.best, "score": career.highest, "lead": career.widest} | (
        {"chips": career.most_chips} if chips else {}
    )
    return build_struct(
        PlayerRecords,
        career,
        game=kind,
        chips=career.chips if chips else None,
        best={what: game.game for what, game in best.items() if game is not None},
    )


def _company(person: Player, met: list[Companion], audience: Audience) -> list[Company]:
    names = names_of(person.salon, {each.player for each in met}, audience)
    return [
        build_struct(Company, each, player=Person(id=each.player, name=names[each.player]))
        for each in met
    ]


def _rating(after: RatedAfter) -> RatingLine:
    mean, deviation = after.mean / THOUSANDTHS, after.deviation / THOUSANDTHS
    return build_struct(RatingLine, after, mean=mean, deviation=deviation)
