"""The rows of an event. They are its position, just as a match's rows are the match's.

Only `games.hall.event_actions` writes the rows of an event; a change made elsewhere would be missing
from its log.
Moments are whole seconds since 1970, so that a position and its images hold plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import NAME_LENGTH, LogEntry, LogOwner, Match, new_salt


class Event(LogOwner):
    """One event: what is played, for how many rounds, how it is paired, and what decides the ranking."""

    class Status(models.TextChoices):
        """How far an event has got."""

        PLANNED = "planned", _("being prepared")
        RUNNING = "running", _("running")
        OVER = "over", _("over")

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    system = models.SlugField(_("game"))
    mode = models.SlugField(_("mode"))
    options = models.JSONField(_("options of the tables"), default=dict, blank=True)
    kind = models.SlugField(_("kind of pairing"), default="swiss")
    size = models.PositiveSmallIntegerField(_("players at a table"), default=2)
    least = models.PositiveSmallIntegerField(_("fewest players at a table"), default=3)
    houses = models.SlugField(_("who plays which house"), default="rotation")
    length = models.PositiveSmallIntegerField(_("rounds"), default=3)
    cut = models.PositiveSmallIntegerField(_("players in the knockout"), default=0)
    minutes = models.PositiveSmallIntegerField(_("minutes of a round"), default=90)
    overtime = models.PositiveSmallIntegerField(_("minutes of overtime"), default=15)
    no_show = models.PositiveSmallIntegerField(_("minutes until a no-show"), default=15)
    days = models.PositiveSmallIntegerField(_("days of a round (a league)"), default=0)
    legs = models.PositiveSmallIntegerField(_("games of each pair (a round robin)"), default=1)
    annuls = models.BooleanField(_("games of who leaves before half are annulled"), default=False)
    third = models.BooleanField(_("match for third place"), default=False)
    zone = models.CharField(_("time zone"), max_length=40, blank=True)
    first_table = models.PositiveSmallIntegerField(_("number of the first table"), default=1)
    tables = models.SlugField(_("who sits at which table"), default="near")
    scoring = models.SlugField(_("tournament points"), default="wins")
    criteria = models.JSONField(_("ranking and tiebreaks, in order"), default=list)
    places = models.JSONField(_("points by place"), default=list, blank=True)
    bye = models.JSONField(_("what a bye is worth"), default=dict)
    apart = models.BooleanField(_("players of one club apart in round one"), default=True)
    mix = models.SlugField(_("tables of several"), default="together")
    team_size = models.PositiveSmallIntegerField(_("players in a team (0: no teams)"), default=0)
    team_tables = models.SlugField(_("how two teams are paired"), default="put-up")
    team_scale = models.SlugField(_("team score"), default="tables")
    team_cap = models.PositiveSmallIntegerField(_("most points of a team (0: no limit)"), default=0)
    team_margin = models.PositiveSmallIntegerField(_("difference that is still a draw"), default=0)
    divisions = models.JSONField(_("divisions"), default=list, blank=True)
    is_open = models.BooleanField(_("players may register themselves"), default=True)
    is_listed = models.BooleanField(_("shown on the home page"), default=True)
    is_rated = models.BooleanField(_("counts for the ratings"), default=False)
    reach = models.PositiveSmallIntegerField(_("places above that may be challenged (a ladder)"), default=3)
    columns = models.JSONField(_("columns of its player lists"), default=dict, blank=True)
    is_demo = models.BooleanField(_("demo event"), default=False)
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.PLANNED)
    created_at = models.DateTimeField(_("opened"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("last change"), auto_now=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("-changed_at",)

    def __str__(self) -> str:
        return self.name or self.code

    @property
    def first_in_chain(self) -> str:
        return self.code


def usual_points() -> list[int]:
    """The points by place of a season, unless its organisers say otherwise."""
    return [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]


class Season(models.Model):
    """Events that are added up by a scale. It has no standings of its own: they follow from its events.

    The organisers of its events run it.
    """

    code = models.CharField(_("code"), max_length=12, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    points = models.JSONField(_("points by place"), default=usual_points)
    participation = models.PositiveSmallIntegerField(_("points for taking part"), default=0)
    best = models.PositiveSmallIntegerField(_("only so many best events count (0: all)"), default=0)
    events = models.ManyToManyField(Event, related_name="seasons", verbose_name=_("events"), blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """Somebody who plays in an event; they need no account, and have a link of their own."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="players", verbose_name=_("event"))
    key = models.SlugField(_("number"), max_length=12)
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    club = models.CharField(_("club"), max_length=NAME_LENGTH, blank=True)
    faction = models.CharField(_("faction"), max_length=NAME_LENGTH, blank=True)
    team = models.SlugField(_("team"), max_length=12, blank=True)
    division = models.CharField(_("division"), max_length=NAME_LENGTH, blank=True)
    lists = models.JSONField(_("army lists (fingerprints)"), default=list, blank=True)
    checked_in = models.BooleanField(_("checked in"), default=False)
    came = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    dropped = models.PositiveSmallIntegerField(_("left after round"), null=True, blank=True)
    lot = models.PositiveIntegerField(_("random tiebreak"), default=0)
    table = models.PositiveSmallIntegerField(_("always at table"), null=True, blank=True)
    seed = models.PositiveSmallIntegerField(_("knockout seed"), null=True, blank=True)
    penalties = models.JSONField(_("penalty points"), default=list, blank=True)
    agreed_at = models.BigIntegerField(_("agreed to ratings (seconds since 1970)"), null=True, blank=True)
    withdrew_at = models.BigIntegerField(_("withdrew that (seconds since 1970)"), null=True, blank=True)
    epoch = models.PositiveIntegerField(_("epoch of the link"), default=1)
    salt = models.CharField(_("salt"), max_length=16, default=new_salt, blank=True, editable=False)
    registered_from = models.CharField(
        _("registered from (keyed hash)"), max_length=64, blank=True, editable=False
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("order", "pk")
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="event_player_key_once")]

    def __str__(self) -> str:
        return self.name


class Team(models.Model):
    """A team of an event; its captain is named by the key of a player."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="teams", verbose_name=_("event"))
    key = models.SlugField(_("number"), max_length=12)
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    captain = models.SlugField(_("captain"), max_length=12, blank=True)
    division = models.CharField(_("division"), max_length=NAME_LENGTH, blank=True)
    lot = models.PositiveIntegerField(_("random tiebreak"), default=0)
    penalties = models.JSONField(_("penalty points"), default=list, blank=True)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ("order", "pk")
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="event_team_key_once")]

    def __str__(self) -> str:
        return self.name


class TeamMatch(models.Model):
    """Which teams meet in a round, and how far their put-up has got. A bye has one team.

    `sealed` holds only fingerprints: who is proposed is an `ArmyList` text until both teams have answered.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="team_matches", verbose_name=_("event"))
    key = models.SlugField(_("key"), max_length=12)
    round = models.PositiveSmallIntegerField(_("round"))
    order = models.PositiveSmallIntegerField(_("order"), default=0)
    teams = models.JSONField(_("teams"), default=list)
    line_ups = models.JSONField(_("who plays"), default=dict, blank=True)
    pairs = models.JSONField(_("tables"), default=list, blank=True)
    defenders = models.JSONField(_("put up"), default=dict, blank=True)
    attackers = models.JSONField(_("offered as opponents"), default=dict, blank=True)
    sealed = models.JSONField(_("sealed answers (fingerprints)"), default=dict, blank=True)
    winner = models.CharField(_("winner"), max_length=12, blank=True)

    class Meta:
        verbose_name = _("team match")
        verbose_name_plural = _("team matches")
        ordering = ("round", "order", "pk")
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="event_team_match_once")]

    def __str__(self) -> str:
        return self.key


class ArmyList(models.Model):
    """An army list as it was handed in, or a captain's sealed answer. The log has only its fingerprint.

    So everybody can read the log while the text is sealed, and an undo never shows it. `salt` keeps anybody
    from trying texts against the fingerprint.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="lists", verbose_name=_("event"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="texts", verbose_name=_("player"))
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    salt = models.CharField(_("salt"), max_length=32)
    text = models.TextField(_("list"))
    created_at = models.DateTimeField(_("handed in"), default=timezone.now)

    class Meta:
        verbose_name = _("army list")
        verbose_name_plural = _("army lists")
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["event", "fingerprint"], name="event_list_once")]

    def __str__(self) -> str:
        return self.fingerprint[:12]

    @classmethod
    def texts(cls, event: Event, fingerprints: Iterable[str]) -> dict[str, str]:
        """The texts of these lists, by fingerprint; all that an event ever kept may be much."""
        rows = cls._default_manager.filter(event=event, fingerprint__in=set(fingerprints))
        return dict(rows.values_list("fingerprint", "text"))


class Round(models.Model):
    """One round: drawn up, open (played), or closed; and its clock."""

    class State(models.TextChoices):
        """How far a round has got."""

        DRAFTED = "drafted", _("paired")
        OPEN = "open", _("being played")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds", verbose_name=_("event"))
    number = models.PositiveSmallIntegerField(_("number"))
    mode = models.SlugField(_("mode"))
    options = models.JSONField(_("options of the tables"), default=dict, blank=True)
    stage = models.SlugField(_("stage"), max_length=12, default="main")
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.DRAFTED)
    minutes = models.PositiveSmallIntegerField(_("minutes"), default=0)
    overtime = models.PositiveSmallIntegerField(_("minutes of overtime"), default=0)
    running_since = models.BigIntegerField(_("clock runs since (seconds since 1970)"), null=True, blank=True)
    run = models.PositiveIntegerField(_("seconds run before"), default=0)
    extended = models.IntegerField(_("seconds added"), default=0)
    until = models.BigIntegerField(_("to be played until (seconds since 1970)"), null=True, blank=True)
    rests_on = models.CharField(_("paired from these results (fingerprint)"), max_length=16, blank=True)
    drawn_from = models.PositiveIntegerField(_("number of its first random result"), default=0)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="event_round_once")]

    def __str__(self) -> str:
        return str(self.number)


class Pairing(models.Model):
    """Who plays whom in a round, at which table, and with what result. A bye has one player and no table."""

    class State(models.TextChoices):
        """Whether a pairing has a result, and whose word it is."""

        OPEN = "open", _("being played")
        REPORTED = "reported", _("reported by one side")
        AGREED = "agreed", _("agreed by the players")
        CONTESTED = "contested", _("disputed")
        ENTERED = "entered", _("entered by the organisers")

    event = models.ForeignKey(Event, models.CASCADE, related_name="pairings", verbose_name=_("event"))
    key = models.SlugField(_("key"), max_length=12)
    round = models.PositiveSmallIntegerField(_("round"))
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    players = models.JSONField(_("players"), default=list)
    seats = models.JSONField(_("seats"), default=list, blank=True)
    match = models.ForeignKey(
        Match,
        models.SET_NULL,
        to_field="code",
        null=True,
        blank=True,
        related_name="pairings",
        verbose_name=_("match"),
    )
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.OPEN)
    results = models.JSONField(_("result"), default=dict, blank=True)
    winner = models.CharField(_("winner"), max_length=12, blank=True)
    how = models.SlugField(_("how it ended"), max_length=16, blank=True)
    claims = models.JSONField(_("what each side says"), default=dict, blank=True)
    chosen = models.JSONField(_("lists chosen (fingerprints)"), default=dict, blank=True)
    extended = models.IntegerField(_("seconds added"), default=0)
    ruled = models.BooleanField(_("ruled by a judge"), default=False)
    dates = models.JSONField(_("dates proposed (seconds since 1970)"), default=dict, blank=True)
    bids = models.JSONField(_("bids for the choice of a house"), default=dict, blank=True)
    absent = models.CharField(_("reported absent"), max_length=12, blank=True)
    team_match = models.SlugField(_("team match"), max_length=12, blank=True)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ("round", "table", "pk")
        constraints = [
            models.UniqueConstraint(fields=["event", "key"], name="event_pairing_key_once"),
            models.UniqueConstraint(fields=["match"], name="match_of_one_pairing", condition=~Q(match=None)),
        ]

    def __str__(self) -> str:
        return self.key


class Call(models.Model):
    """A call for a judge to a table, or a ruling made there: the question and the ruling."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="calls", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    pairing = models.CharField(_("pairing"), max_length=12)
    player = models.CharField(_("called by player"), max_length=12, blank=True)
    question = models.CharField(_("question"), max_length=800, blank=True)
    asked_at = models.BigIntegerField(_("called (seconds since 1970)"))
    comes = models.CharField(_("who comes"), max_length=NAME_LENGTH, blank=True)
    ruling = models.CharField(_("ruling"), max_length=800, blank=True)
    ruled_by = models.CharField(_("ruled by"), max_length=NAME_LENGTH, blank=True)
    closed_at = models.BigIntegerField(_("closed (seconds since 1970)"), null=True, blank=True)

    class Meta:
        verbose_name = _("judge’s call")
        verbose_name_plural = _("judges’ calls and rulings")
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="event_call_once")]

    def __str__(self) -> str:
        return self.ruling or self.question or str(self.number)


class Announcement(models.Model):
    """What the organisers tell the hall."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="announcements", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    text = models.CharField(_("text"), max_length=800)
    author = models.CharField(_("author"), max_length=NAME_LENGTH, blank=True)
    said_at = models.BigIntegerField(_("said (seconds since 1970)"))
    down_at = models.BigIntegerField(_("taken down (seconds since 1970)"), null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="event_announcement_once")]

    def __str__(self) -> str:
        return self.text


class Helper(models.Model):
    """Somebody who helps to run an event through a link: an organiser, a judge or a scorekeeper.

    Links and tokens are derived from the server's key, `epoch` and `salt`: none is stored, and a new epoch
    makes the old link worthless.
    """

    class Role(models.TextChoices):
        """What a helper may do."""

        ORGANISER = "organiser", _("organiser")
        JUDGE = "judge", _("judge")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")

    event = models.ForeignKey(Event, models.CASCADE, related_name="helpers", verbose_name=_("event"))
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    epoch = models.PositiveIntegerField(_("epoch of the link"), default=1)
    salt = models.CharField(_("salt"), max_length=16, default=new_salt, blank=True, editable=False)

    class Meta:
        verbose_name = _("helper")
        verbose_name_plural = _("helpers")
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name or self.get_role_display()


class EventEntry(LogEntry):
    """One action in the history of an event. Nothing in it is secret: a list is a salted fingerprint."""

    PUBLIC = ("version", "action", "by", "author", "note", "lines", "before", "after")
    sealed, opens, commitments = {}, {}, {}

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries", verbose_name=_("event"))
    action = models.SlugField(_("action"), max_length=24)
    by = models.CharField(_("key of who did it"), max_length=24, blank=True)
    note = models.CharField(_("reason"), max_length=800, blank=True)

    class Meta:
        verbose_name = _("event history entry")
        verbose_name_plural = _("event history")
        ordering = ("version",)
        constraints = [
            models.UniqueConstraint(fields=["event", "version"], name="event_record_version_once"),
            models.UniqueConstraint(
                fields=["event", "by", "key"], name="event_record_key_once", condition=~Q(key="")
            ),
        ]
