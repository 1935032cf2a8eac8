"""Whom to tell about what, what each of them already knows, and what is on its way."""

from __future__ import annotations

import base64
import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.hall.models import Event
from games.web import clock

TEST, SCORE, FINISHED, AGREED, ROUND = (
    "webhook.test",
    "score.changed",
    "match.finished",
    "result.agreed",
    "round.opened",
)
"""What messages are about, in their own words."""


def new_secret(material: bytes = b"") -> str:
    """A key for signatures, in the form of Standard Webhooks, made of these bytes or of random ones."""
    return f"whsec_{base64.b64encode(material or secrets.token_bytes(32)).decode()}"


def new_id() -> str:
    """The id of a new message: the same each time the message is sent."""
    return f"msg_{secrets.token_hex(12)}"


class Webhook(models.Model):
    """An address that wants to be told about all listed tables, or about those of one event.

    The secret signs every message, so it is stored in plain text; anyone who reads it can sign as we do.
    """

    address = models.CharField(_("address (https)"), max_length=500)
    event = models.ForeignKey(
        Event,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="webhooks",
        verbose_name=_("only of this event"),
    )
    secret = models.CharField(_("secret of the signatures"), max_length=100, default=new_secret)
    on_score = models.BooleanField(_("when a score changes"), default=True)
    on_finish = models.BooleanField(_("when a match is over"), default=True)
    on_agreed = models.BooleanField(_("when a result is agreed"), default=True)
    on_round = models.BooleanField(_("when a round is opened"), default=True)
    is_active = models.BooleanField(_("active"), default=True)
    looked_at = models.DateTimeField(_("tables last checked"), default=clock.now)
    created_at = models.DateTimeField(_("registered"), default=clock.now)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.address

    def wants(self, kind: str) -> bool:
        """Whether it is told about this kind of news."""
        asked = {
            SCORE: self.on_score,
            FINISHED: self.on_finish,
            AGREED: self.on_agreed,
            ROUND: self.on_round,
        }
        return asked.get(kind, True)


class Knowledge(models.Model):
    """What a webhook knows about a table or an event: the version, and what there may be to tell."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="knowledge", verbose_name=_("webhook"))
    code = models.CharField(_("code"), max_length=12)
    version = models.PositiveIntegerField(_("version"), default=0)
    state = models.JSONField(_("what it knows"), default=dict)

    class Meta:
        verbose_name = _("what a webhook knows")
        verbose_name_plural = _("what webhooks know")
        constraints = [models.UniqueConstraint(fields=["webhook", "code"], name="webhook_told_once")]

    def __str__(self) -> str:
        return f"{self.code} {self.version}"


class Delivery(models.Model):
    """One message to one webhook: waiting, sent or given up, with the last answer to it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DEAD = "dead", _("given up")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    key = models.CharField(_("id of the message"), max_length=64, unique=True, default=new_id)
    kind = models.CharField(_("kind"), max_length=24)
    code = models.CharField(_("code"), max_length=12, blank=True, db_index=True)
    body = models.TextField(_("message"))
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("next attempt"), default=clock.now)
    status = models.PositiveSmallIntegerField(_("status of the last answer"), null=True, blank=True)
    answer = models.CharField(_("last answer"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("time"), default=clock.now)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ("-pk",)
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.code}".strip()
