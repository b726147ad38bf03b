"""Tournaments and seasons as their events left them."""

from django.db import models

from tournament.domain.season.rules import State as SeasonState
from tournament.domain.tournament.state import RoundState, State
from tournament.models.people import OfAStream, Player, Salon
from tournament.models.written_json import WrittenJSONField


class Tournament(OfAStream):
    """A tournament as its events left it; its id is its stream. `state` is without its rounds."""

    table = ""  # a tournament is at many
    record = models.CharField(max_length=64)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=32)
    phase = models.CharField(max_length=16)
    rounds = models.IntegerField()
    practice = models.BooleanField(
        default=False, help_text="To practise directing: it counts for nothing at all."
    )
    hidden = models.BooleanField(
        default=False, help_text="A draft or practice that a director took out of the lists."
    )
    state = WrittenJSONField(of=State)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["salon", "record"], name="tournament_ids_are_unique_in_a_salon"
            )
        ]

    def __str__(self) -> str:
        return self.name


class TournamentAddress(models.Model):
    """A short address of a tournament, had by the event of this version; the one that came first to
    it in the salon has it alone.
    """

    id = models.CharField(primary_key=True, max_length=48)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    address = models.CharField(max_length=64, db_index=True)
    since = models.IntegerField()

    def __str__(self) -> str:
        return self.address


class TournamentPlayer(models.Model):
    """Somebody who plays in a tournament, did or was to, or waits there for a partner; its id is
    the tournament and the player.
    """

    id = models.CharField(primary_key=True, max_length=80)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    # As in `GameSeat`: a lost row of a player keeps nobody from recording.
    player = models.ForeignKey(Player, on_delete=models.DO_NOTHING, db_constraint=False)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.stream_id}"


class TournamentRound(models.Model):
    """A round of a tournament as drawn and played."""

    id = models.CharField(primary_key=True, max_length=48)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    number = models.IntegerField()
    published = models.BooleanField(
        default=False, help_text="Whether everybody may see who meets whom."
    )
    closed = models.BooleanField(
        default=False, help_text="Whether all its results are in and the next one may be drawn."
    )
    state = WrittenJSONField(of=RoundState)

    def __str__(self) -> str:
        return f"round {self.number} of {self.stream_id}"


class TournamentGame(models.Model):
    """A game (its stream) that is played at a table of a round and counts there; `silent`: its
    results are hidden for now.
    """

    id = models.CharField(primary_key=True, max_length=80)
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    game = models.CharField(max_length=32, db_index=True)
    round = models.IntegerField()
    table = models.IntegerField()
    silent = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table} of {self.stream_id}"


class Standing(models.Model):
    """The place of an entry of a tournament, as it was computed last; its id is the
    tournament and the entry.

    `tie_breaks` are pairs of a name and a value in the order in which they decide.
    """

    id = models.CharField(primary_key=True, max_length=80)
    # It is computed from the log, whether the tournament has its row or lost it.
    stream = models.ForeignKey(Tournament, on_delete=models.CASCADE, db_constraint=False)
    entry = models.CharField(max_length=32)
    rank = models.IntegerField(help_text="Equal entries share it.")
    points = models.IntegerField(null=True, help_text="In hundredths.")
    tie_breaks = WrittenJSONField(help_text="In hundredths, in the order in which they decide.")
    played = models.IntegerField(help_text="Tables it played at, byes and forfeits apart.")

    def __str__(self) -> str:
        return f"{self.entry} in {self.stream_id}"


class Season(OfAStream):
    """A season as its events left it; its id is its stream."""

    table = ""  # a season is at many
    name = models.CharField(max_length=80)
    closed = models.BooleanField()
    state = WrittenJSONField(of=SeasonState)

    def __str__(self) -> str:
        return self.name


class SeasonEvent(models.Model):
    """A tournament (its stream) that counts in a season."""

    id = models.CharField(primary_key=True, max_length=80)
    stream = models.ForeignKey(Season, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32, db_index=True)
    number = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.tournament} in {self.stream_id}"


class SealedLineUp(models.Model):
    """The line-up of a team in a round of a tournament (its stream), as handed in and
    not yet opened.

    It is kept outside the log, shown to no one, and gone once it is open. `places` are
    those of the entry in the order of the seats, with commas between them; with `salt`
    they give the commitment in the log.
    """

    salon = models.ForeignKey(Salon, on_delete=models.CASCADE)
    tournament = models.CharField(max_length=32)
    round = models.IntegerField()
    entry = models.CharField(max_length=64)
    places = models.CharField(max_length=80)
    salt = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "entry"], name="one_sealed_line_up_a_round"
            )
        ]

    def __str__(self) -> str:
        return f"line-up of entry {self.entry} in round {self.round}"
