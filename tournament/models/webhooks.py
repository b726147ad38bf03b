"""Addresses that are told what happens, and every message to them with what became of it."""

from django.db import models

from tournament.models.ids import new_id
from tournament.models.people import Salon


class Webhook(models.Model):
    """An address that is told what happens. `events` are the names it asked for.

    It is told of entries of the log after `since`, and of standings computed after entry
    `standings_told`. Secrets are sealed; the old one signs too until `old_secret_until`.
    `paused_why` is "" while the salon delivers.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    salon = models.ForeignKey(Salon, on_delete=models.PROTECT)
    address = models.CharField(max_length=500)
    events = models.JSONField()
    secret = models.TextField()
    old_secret = models.TextField(blank=True)
    old_secret_until = models.DateTimeField(null=True)
    since = models.BigIntegerField()
    standings_told = models.BigIntegerField()
    paused_why = models.CharField(max_length=500, blank=True)
    made_by = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.address


class Delivery(models.Model):
    """One message to one address. `about` says what it tells, once an address; `due_at` is when to
    try next, None when it is over.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE)
    about = models.CharField(max_length=100)
    event = models.CharField(max_length=32)
    body = models.TextField()
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, db_index=True)
    tries = models.IntegerField(default=0)
    arrived_at = models.DateTimeField(null=True)
    status = models.IntegerField(null=True)
    answer = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "about"], name="told_once_an_address")
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"

    @property
    def state(self) -> str:
        """arrived, waiting, or given_up."""
        if self.arrived_at is not None:
            return "arrived"
        return "given_up" if self.due_at is None else "waiting"
