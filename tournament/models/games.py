"""Games, duplicate stocks and the house as their events left them; a stock's seed is kept here
until it is told.
"""

from collections.abc import Collection, Iterable
from typing import Any, Self

from django.db import models
from django.db.models import Q

from tournament.models.people import OfAStream, Player, Salon
from tournament.models.visibility import SilentGame, get_visibility, unseen_games
from tournament.models.written_json import WrittenJSONField

# What of a game is not seen while its round is silent.
CONTENT = ("state", "marks", "confirmation", "final", "disputed", "not_played")


class Game(OfAStream):
    """A game as its events left it: what the pad, the board and the lists show. Its id is its
    stream.

    `seats` leads from seat to player id, `state` is the table as the game's `table` gives it.
    `marks` has the numbers of the hands that were `corrected`, and the `surplus` ones after its
    end, `confirmation` what was said of its hands: None while nothing was.

    Read for one who may not see it, because it counts in a silent round, a row comes without its
    content: asking for that raises SilentGame.
    """

    record = models.CharField(max_length=64)
    kind = models.CharField(max_length=32)
    table = models.CharField(max_length=20, blank=True)
    played_on = models.DateField(null=True, blank=True)
    seats = WrittenJSONField(of=dict[str, str])
    finished = models.BooleanField()
    final = models.BooleanField(
        default=False,
        help_text="Confirmed for good: only a director can correct it, with a reason.",
    )
    disputed = models.BooleanField(
        default=False, help_text="One of its hands is disputed, and nobody has ruled yet."
    )
    not_played = models.BooleanField(
        default=False,
        help_text="It ended before a hand was played: it has no result and counts nowhere.",
    )
    position = models.BigIntegerField()
    state = WrittenJSONField()
    marks = WrittenJSONField(null=True, blank=True)
    confirmation = WrittenJSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "record"], name="record_ids_are_unique_in_a_salon"
            )
        ]
        # None has a column that every act changes: an index of `position` would be written with
        # each bid.
        indexes = [
            models.Index(fields=["salon", "finished", "started_position"], name="game_list"),
            models.Index(fields=["salon", "table", "started_position"], name="games_of_a_table"),
            models.Index(fields=["salon", "started_position"], name="games_as_they_began"),
            models.Index(
                fields=["salon", "finished", "started_position"],
                condition=Q(final=False),
                name="games_that_are_not_final",
            ),
        ]

    @classmethod
    def is_open_at(cls, salon: Salon, label: str, *, but: str = "") -> bool:
        """Whether another game than the one with the id `but` is open at a table."""
        playing = cls.objects.filter(salon=salon, table=label, finished=False)
        return bool(label) and playing.exclude(pk=but).exists()

    def __str__(self) -> str:
        return self.record

    @classmethod
    def from_db(
        cls,
        db: str | None,
        field_names: Collection[str],
        values: Collection[object],
        **how: Any,  # noqa: ANN401 - as Django has it
    ) -> Self:
        """A row as it is stored, without the content that whoever is answered now may not see."""
        row = super().from_db(db, field_names, values, **how)
        if row.is_silent:
            for name in CONTENT:
                row.__dict__.pop(name, None)
        return row

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: models.QuerySet[Self] | None = None,
    ) -> None:
        """Read it again. Raises SilentGame for what whoever is answered now may not see."""
        asked = list(fields) if fields is not None else None
        if self.is_silent and not set(CONTENT).isdisjoint(asked or ()):
            raise SilentGame(self)
        super().refresh_from_db(using, asked, from_queryset)

    @property
    def is_silent(self) -> bool:
        """Whether whoever is answered now sees who sits here and nothing else."""
        seen = get_visibility()
        return seen is not None and seen.hides(self)


class GameSeat(models.Model):
    """The player in a seat of a game from its first event on; its id is the game and
    the seat. A substitute has none.
    """

    id = models.CharField(primary_key=True, max_length=48)
    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    seat = models.CharField(max_length=8, help_text="As the game calls it: N, or A.")
    # The log may seat somebody whose row is lost: it is shown all the same, and the audit names it.
    player = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    started_position = models.BigIntegerField(help_text="Where in the log the game began.")

    class Meta:
        indexes = [
            models.Index(fields=["player", "started_position", "game"], name="games_of_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.seat} of {self.game_id}"


class SeenHands[M: models.Model](models.Manager[M]):
    """The rows of hands that whoever is answered now may see."""

    def get_queryset(self) -> models.QuerySet[M]:
        """All but those of games in silent rounds."""
        unseen = unseen_games()
        return super().get_queryset().exclude(game__in=unseen) if unseen else super().get_queryset()


class Hand(models.Model):
    """One closed hand of a game: its result as `manage.py score` prints it, and why it is so."""

    objects = SeenHands["Hand"]()

    # Its constraint finds the hands of a game.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False)
    number = models.IntegerField()
    result = WrittenJSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="hands_are_numbered_once")
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of {self.game_id}"


class HandSide(models.Model):
    """The result of a closed hand of a game for one side: a team, or a seat if each
    plays alone.

    Null, or "", is what the game does not count or name;
    `scoring.side_results.SideResult` says what each column means.
    """

    objects = SeenHands["HandSide"]()

    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False)
    number = models.IntegerField(help_text="Of the hand.")
    side = models.CharField(max_length=8, help_text="Its seats, as the game calls them: NS, or A.")
    bid = models.IntegerField(null=True, help_text="The tricks it undertook to take.")
    contract = models.CharField(max_length=32, blank=True, help_text="What it named instead.")
    made = models.BooleanField(null=True, help_text="Whether it did what it had undertaken.")
    taken = models.IntegerField(null=True, help_text="Its tricks, with what was ruled.")
    points = models.FloatField(null=True, help_text="What the hand brought it; some games halve.")
    excess = models.IntegerField(null=True, help_text="Its Excess after the hand.")
    audits = models.IntegerField(null=True, help_text="Imperial Audits that the hand brought.")
    chips = models.IntegerField(null=True, help_text="What its seats won and lost in the hand.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number", "side"], name="sides_have_one_row_a_hand"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side} in hand {self.number} of {self.game_id}"


class Stock(OfAStream):
    """A duplicate stock of the patience as its events left it (O7); its id is its stream, `seed` is
    "" until it is revealed.
    """

    table = ""  # a stock is for the whole salon
    name = models.CharField(max_length=40)
    drawn_on = models.DateField()
    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.name


class StockDeal(models.Model):
    """A deal of a game (its stream) that was opened from a duplicate stock."""

    id = models.CharField(primary_key=True, max_length=48)
    stream = models.ForeignKey(Stock, on_delete=models.CASCADE)
    game = models.CharField(max_length=32, db_index=True)
    number = models.IntegerField()

    def __str__(self) -> str:
        return f"deal {self.number} of {self.game}"


class StockSeed(models.Model):
    """The seed of a duplicate stock, kept outside the log; nobody sees it before it is revealed.
    Its id is the stock's stream.
    """

    id = models.CharField(primary_key=True, max_length=32)
    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    seed = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"the seed of stock {self.pk}"


class House(OfAStream):
    """The policies of the salon, as its events left them; its id is its stream. A salon
    that has set none has no row.
    """

    table = ""  # the house is all of them
    correction_hours = models.IntegerField()
    moved_to = models.CharField(max_length=200, blank=True, default="")
    confirming = models.CharField(max_length=8, default="pin")

    def __str__(self) -> str:
        return f"house rules of {self.salon_id}"
