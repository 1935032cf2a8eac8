"""The rows. They are the position: admin, lists, filters and statistics work on them.

Only `games.match.storage` writes the rows of a match in play; a change made elsewhere would be missing from
the log. Every tap writes several of them, so they have no index that no query needs.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core import system

NAME_LENGTH = 320
"""Room for 80 graphemes of several code points each; validation counts graphemes."""
NOTE_LENGTH = 800
"""Room for the 200 graphemes of a reason."""


def now() -> datetime:
    """The current time, evaluated when a row is written."""
    return timezone.now()


def new_salt() -> str:
    """Part of every link of a row: its number may come again once an older backup is restored."""
    return secrets.token_hex(8)


class LogOwner(models.Model):
    """A match or an event: its rows are a position, and its `entries` a log (`games.history`)."""

    code = models.CharField(_("code"), max_length=12, unique=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    chain = models.CharField(_("fingerprint of the history"), max_length=64, blank=True)
    seed = models.CharField(_("seed of chance"), max_length=64)
    drawn = models.PositiveIntegerField(_("random results made"), default=0)
    opened_from = models.CharField(_("opened from (keyed hash)"), max_length=64, blank=True)

    class Meta:
        abstract = True

    @property
    def first_in_chain(self) -> str:
        """What the fingerprint before the first entry names beside the commitment to the seed."""
        raise NotImplementedError


class LogEntry(models.Model):
    """One action in a history: who, what, the sentences, and the values before and after. Never changed.

    `hash` covers all that is `PUBLIC` and the previous entry's; `key` and `payload` recognise a repeated tap.
    """

    PUBLIC: ClassVar[tuple[str, ...]]
    """The fields that everybody may read."""

    action: Any
    note: Any
    sealed: Any
    opens: Any
    commitments: Any

    version = models.PositiveIntegerField(_("version"))
    author = models.CharField(_("author"), max_length=NAME_LENGTH, blank=True)
    lines = models.JSONField(_("sentences"), default=list)
    before = models.JSONField(_("values before"), default=dict)
    after = models.JSONField(_("values after"), default=dict)
    draws = models.JSONField(_("random results"), default=list)
    undoes = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="undone_by", verbose_name=_("undoes")
    )
    hash = models.CharField(_("fingerprint"), max_length=64, blank=True)
    key = models.CharField(_("idempotency key"), max_length=64, blank=True)
    payload = models.CharField(_("fingerprint of the request"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.version} {self.action}"


class Match(LogOwner):
    """One table: the game, the rules it was opened with, and the open questions."""

    system = models.SlugField(_("game"), db_index=False)
    mode = models.SlugField(_("mode"), db_index=False)
    rules = models.JSONField(_("rules"), default=dict)
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    flow = models.JSONField(_("open questions"), default=list)
    asked = models.PositiveIntegerField(_("questions asked"), default=0)
    since = models.PositiveIntegerField(_("version at which the open question was asked"), default=0)
    result = models.JSONField(_("result"), null=True, blank=True)
    undo_request = models.JSONField(_("undo asked for"), null=True, blank=True)
    altered = models.JSONField(_("changed outside the game"), null=True, blank=True)
    extra = models.JSONField(_("facts of this game"), default=dict)
    opening_hash = models.CharField(
        _("key of its opening"), max_length=64, blank=True, db_index=True, editable=False
    )
    is_listed = models.BooleanField(_("shown among the live tables"), default=True)
    is_demo = models.BooleanField(_("demo table"), default=False)
    freed = models.PositiveIntegerField(_("seats freed so far"), default=0, editable=False)
    takes_requests = models.BooleanField(_("takes requests for seats"), default=True)
    watch_delay = models.SmallIntegerField(_("spectator delay in minutes"), default=0)
    is_practice = models.BooleanField(_("practice table"), default=False)
    is_guided = models.BooleanField(_("shows first steps"), default=False)
    created_at = models.DateTimeField(_("opened"), default=now, editable=False)
    changed_at = models.DateTimeField(_("last tap"), auto_now=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("-changed_at",)
        indexes = [
            models.Index(
                fields=["-changed_at"], name="match_live", condition=Q(finished_at=None, is_listed=True)
            ),
            models.Index(fields=["system", "-changed_at"], name="match_by_system"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(since__lte=F("version")), name="match_since_not_ahead"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def first_in_chain(self) -> str:
        return self.system


class Army(models.Model):
    """One side of a match; its key is the seat."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="armies", verbose_name=_("match"), db_index=False
    )
    key = models.SlugField(_("seat"), max_length=24, db_index=False)
    name = models.CharField(_("player"), max_length=NAME_LENGTH, blank=True)
    faction = models.CharField(_("faction"), max_length=NAME_LENGTH, blank=True)
    ready = models.BooleanField(_("ready"), default=False)
    hidden = models.JSONField(_("hidden values"), default=dict)
    extra = models.JSONField(_("facts of this game"), default=dict)

    class Meta:
        verbose_name = _("army")
        verbose_name_plural = _("armies")
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["match", "key"], name="army_one_a_seat")]

    def __str__(self) -> str:
        """The player, or the colour of the seat if there is no name."""
        return self.name or gettext(system(self.match.system).seat_names.get(self.key, self.key))


class Unit(models.Model):
    """What an army consists of."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="units", verbose_name=_("match"), db_index=False
    )
    army = models.ForeignKey(Army, models.CASCADE, related_name="units", verbose_name=_("army"))
    key = models.SlugField(_("key"), max_length=64, db_index=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    kind = models.SlugField(_("kind"), max_length=24, blank=True, db_index=False)
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    cost = models.SmallIntegerField(_("cost"), default=0)
    place = models.SlugField(_("place"), max_length=64, default="table", db_index=False)
    activated = models.BooleanField(_("activated"), default=False)
    wounds = models.SmallIntegerField(_("wounds left"), default=0)
    extra = models.JSONField(_("facts of this game"), default=dict)

    class Meta:
        verbose_name = _("unit")
        verbose_name_plural = _("units")
        ordering = ("army", "order", "pk")
        constraints = [models.UniqueConstraint(fields=["match", "key"], name="unit_key_once")]

    def __str__(self) -> str:
        return self.name


class Objective(models.Model):
    """A place that can be controlled: a token, a zone, an area."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="objectives", verbose_name=_("match"), db_index=False
    )
    key = models.SlugField(_("key"), max_length=64, db_index=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    kind = models.SlugField(_("kind"), max_length=24, blank=True, db_index=False)
    claimed_by = models.ForeignKey(
        Unit, models.SET_NULL, null=True, blank=True, related_name="claims", verbose_name=_("claimed by")
    )
    override = models.ForeignKey(
        Army,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="overrides",
        verbose_name=_("controller set by the players"),
    )
    extra = models.JSONField(_("facts of this game"), default=dict)

    class Meta:
        verbose_name = _("objective")
        verbose_name_plural = _("objectives")
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["match", "key"], name="objective_key_once")]

    def __str__(self) -> str:
        return gettext(self.name) if self.name else self.key


class Round(models.Model):
    """A round that has begun, and who leads it."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="rounds", verbose_name=_("match"), db_index=False
    )
    number = models.PositiveSmallIntegerField(_("number"))
    first = models.ForeignKey(
        Army, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("first player")
    )
    begun_at = models.DateTimeField(_("begun"), default=now)
    extra = models.JSONField(_("facts of this game"), default=dict)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return str(self.number)


class Score(models.Model):
    """Points given, with their reason. The score is the sum of these rows and is stored nowhere else."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="scores", verbose_name=_("match"), db_index=False
    )
    army = models.ForeignKey(Army, models.CASCADE, related_name="scores", verbose_name=_("army"))
    number = models.PositiveIntegerField(_("number"))
    round = models.PositiveSmallIntegerField(_("round"))
    points = models.SmallIntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=240)
    source = models.CharField(_("source"), max_length=NOTE_LENGTH, blank=True)
    author = models.CharField(_("author"), max_length=NAME_LENGTH, blank=True)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="score_number_once")]

    def __str__(self) -> str:
        return f"{self.points:+d}"


class CatalogueEntry(models.Model):
    """Facts of a game that organisers keep: a card of its catalogue and its numbers, a model, a scenario.

    These facts override those that ship with the game; the game says what a kind must state.
    """

    system = models.SlugField(_("game"))
    kind = models.SlugField(_("kind"), max_length=24)
    slug = models.SlugField(_("number or short name"), max_length=64)
    facts = models.JSONField(_("facts"), default=dict)
    version = models.PositiveIntegerField(_("version"), default=1)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("catalogue entry")
        verbose_name_plural = _("catalogue entries")
        ordering = ("system", "kind", "slug")
        constraints = [
            models.UniqueConstraint(fields=["system", "kind", "slug"], name="catalogue_entry_once")
        ]

    def __str__(self) -> str:
        return self.facts.get("name") or self.slug


class Entry(LogEntry):
    """One action in the history of a match.

    `sealed` holds by seat what only that seat may read before the reveal: the full action, private sentences,
    hidden values, and the salts of their `commitments`.
    """

    class Kind(models.TextChoices):
        """What an entry records."""

        OPEN = "open", _("opened")
        BRING = "bring", _("army brought")
        TAP = "tap", _("tap")
        ADJUST = "adjust", _("correction")
        EDIT = "edit", _("organiser's edit")
        UNDO = "undo", _("undo")
        REMARK = "remark", _("remark")

    is_undone = False
    """Whether a newer entry took it back; known of the entries that pages list."""

    WHAT = ("version", "kind", "seat", "author", "step", "round", "path", "action", "note", "lines")
    PUBLIC = (*WHAT, "before", "after", "opens", "is_final")

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="entries", verbose_name=_("match"), db_index=False
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    seat = models.SlugField(_("seat"), max_length=24, blank=True, db_index=False)
    step = models.SlugField(_("step"), max_length=64, blank=True, db_index=False)
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    path = models.CharField(_("piece"), max_length=120, blank=True)
    action = models.CharField(_("action"), max_length=120, blank=True)
    note = models.TextField(_("note"), blank=True)
    sealed = models.JSONField(_("sealed part"), default=dict)
    is_final = models.BooleanField(_("final"), default=False)
    opens = models.JSONField(_("secrets that it reveals, by place"), default=dict)
    commitments = models.JSONField(_("fingerprints of what is sealed"), default=dict)

    class Meta:
        verbose_name = _("history entry")
        verbose_name_plural = _("history entries")
        ordering = ("version",)
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="entry_version_once"),
            models.UniqueConstraint(
                fields=["match", "seat", "key"], name="entry_key_once", condition=~Q(key="")
            ),
        ]


class Seat(models.Model):
    """How a phone owns a seat.

    Links and API tokens are derived from the server's key, `epoch` and `salt`, so nothing
    secret is stored and a new epoch revokes all of them; the short moving code is hashed.
    """

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="seats", verbose_name=_("match"), db_index=False
    )
    army = models.OneToOneField(Army, models.CASCADE, related_name="seat", verbose_name=_("army"))
    key = models.SlugField(_("seat"), max_length=24, db_index=False)
    epoch = models.PositiveIntegerField(_("epoch"), default=1)
    salt = models.CharField(_("salt"), max_length=16, default=new_salt, blank=True, editable=False)
    is_taken = models.BooleanField(_("taken"), default=False)
    claimed_at = models.DateTimeField(_("claimed by a phone"), null=True, blank=True)
    claim_hash = models.CharField(_("key of the claim"), max_length=64, blank=True, db_index=True)
    blind_at = models.PositiveIntegerField(_("taken over at this question"), null=True, blank=True)
    move_shows = models.BooleanField(_("moving code shows sealed answers"), default=False)
    move_hash = models.CharField(_("moving code"), max_length=64, blank=True, db_index=True)
    move_until = models.DateTimeField(_("moving code valid until"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["match", "key"], name="seat_key_once")]

    def __str__(self) -> str:
        return self.key


class SeatRequest(models.Model):
    """Somebody with the table's public code asks for a seat; anyone seated grants it with one tap."""

    seat = models.ForeignKey(
        Seat, models.CASCADE, related_name="requests", verbose_name=_("seat"), db_index=False
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    asker_hash = models.CharField(_("asker"), max_length=64, db_index=True)
    address_hash = models.CharField(_("address of the asker (keyed hash)"), max_length=64, blank=True)
    granted_at = models.DateTimeField(_("granted"), null=True, blank=True)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)
    created_at = models.DateTimeField(_("asked"), default=timezone.now)

    class Meta:
        verbose_name = _("request for a seat")
        verbose_name_plural = _("requests for seats")
        ordering = ("created_at",)
        constraints = [
            models.UniqueConstraint(fields=["seat", "asker_hash"], name="seat_request_once_an_asker"),
        ]

    def __str__(self) -> str:
        return self.name


class Allowance(models.Model):
    """What was taken from a limit that several processes share: when all of it will have been paid for.

    `key` is a keyed hash of the limit's name and of whom it limits; `paid_at` is in seconds since 1970 by the
    database's clock. On SQLite the single serving process keeps its limits in memory.
    """

    key = models.CharField(_("limit (keyed hash)"), max_length=40, primary_key=True)
    paid_at = models.FloatField(_("paid for at"))

    class Meta:
        verbose_name = _("allowance")
        verbose_name_plural = _("allowances")

    def __str__(self) -> str:
        return self.key
