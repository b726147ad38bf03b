"""Phones that are told what concerns an entry (Web Push), and every notice to them with what became
of it.
"""

from django.db import models
from django.utils import timezone

from tournament.models.ids import new_id
from tournament.models.keys import PersonalLink

LONGEST_ENDPOINT = 1000  # characters


class PushSubscription(models.Model):
    """A browser in which somebody pressed the button of an entry's own page: its `endpoint` at the
    push service, and the keys for which notices are encrypted, base64url.

    `server_key` is the salon's public key as the browser was given it, `contact` the address under
    which it knows the salon. It is told of entries of the log after `told_until`. `seen_at` is when
    its page was open last, `trouble` why the last notice did not arrive ("": it did).
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    link = models.ForeignKey(PersonalLink, on_delete=models.CASCADE)
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    public_key = models.CharField(max_length=100)
    secret = models.CharField(max_length=32)
    server_key = models.CharField(max_length=100)
    contact = models.CharField(max_length=300)
    told_until = models.BigIntegerField()
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    trouble = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["link", "endpoint"], name="one_subscription_a_browser")
        ]

    def __str__(self) -> str:
        return f"phone of entry {self.link.entry}"


class Notice(models.Model):
    """One matter of which one phone is told, once; its words are made when it is sent. `due_at` is
    when to try next, None when it is over.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE)
    matter = models.CharField(max_length=100)
    made_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, db_index=True)
    tries = models.IntegerField(default=0)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subscription", "matter"], name="told_once_a_phone")
        ]

    def __str__(self) -> str:
        return self.matter
