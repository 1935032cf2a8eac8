"""Tables in lists: one's own, those being played, those that are over, and the demo tables last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games import shapes, tongues
from games.core.system import system, systems
from games.models import Match, Score
from games.seats import SESSION_SEATS
from games.views.words import words

LISTED = 12
LONGEST = 40
"""As many letters of what is searched for are looked at: no player's name has more."""


@dataclass(frozen=True)
class Search:
    """Which tables are wanted: those with this text in a player's name or in their code, of one game."""

    text: str = ""
    game: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Search:
        """What the form of the home page asks for; a game that does not exist narrows nothing."""
        text = "".join(filter(str.isprintable, " ".join(asked.get("q", "").split())))[:LONGEST].strip()
        game = asked.get("game", "")
        return cls(text, game if any(one.slug == game for one in systems()) else "")

    @property
    def is_narrow(self) -> bool:
        """Whether some tables may be left out."""
        return bool(self.text or self.game)

    def among(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """Those of these tables that are wanted."""
        if self.game:
            matches = matches.filter(system=self.game)
        if self.text:
            named = Q(armies__name__icontains=self.text) | Q(code__icontains=self.text)
            matches = matches.filter(pk__in=Match.objects.filter(named).values("pk"))
        return matches

    def games(self) -> tuple[shapes.Option, ...]:
        """The games that the list can be narrowed to."""
        every = shapes.Option("", _("All games"), not self.game)
        return (every, *(shapes.Option(one.slug, _(one.title), one.slug == self.game) for one in systems()))


def own(request: HttpRequest) -> QuerySet[Match]:
    """The tables at which this phone has sat, the newest first and demo tables last."""
    codes = list(request.session.get(SESSION_SEATS, {}))
    return Match.objects.filter(code__in=codes).order_by("is_demo", "-changed_at")


Sections = tuple[tuple[str, tuple[shapes.TableRow, ...]], ...]


def sections(mine: QuerySet[Match], wanted: Search) -> Sections:
    """The wanted tables under their headings; a heading without tables is left out."""
    listed = Match.objects.filter(is_listed=True).exclude(pk__in=mine.values("pk"))
    real = listed.filter(is_demo=False)
    found = (
        (_("Your tables"), mine),
        (_("Being played now"), real.filter(finished_at=None).order_by("-changed_at")),
        (_("Finished"), real.exclude(finished_at=None).order_by("-finished_at")),
        (_("Demo tables"), listed.filter(is_demo=True).order_by("pk")),
    )
    rows = ((title, _rows(wanted.among(matches)[:LISTED])) for title, matches in found)
    return tuple((title, lines) for title, lines in rows if lines)


def _rows(matches: QuerySet[Match]) -> tuple[shapes.TableRow, ...]:
    found = list(matches.prefetch_related("armies"))
    points: dict[int, int] = {}
    for army_id, value in Score.objects.filter(match__in=found).values_list("army_id", "points"):
        points[army_id] = points.get(army_id, 0) + value
    return tuple(_row_in_its_words(match, points) for match in found)


def _row_in_its_words(match: Match, points: Mapping[int, int]) -> shapes.TableRow:
    with tongues.speaking(match.system):
        return _row(match, points)


def _row(match: Match, points: Mapping[int, int]) -> shapes.TableRow:
    game, mode = system(match.system), system(match.system).mode(match.mode)
    standing = _("Finished") if match.result is not None else words(game.round_name(match.round))
    return shapes.TableRow(
        reverse("table", args=[match.code]),
        _(game.title),
        (*((_(mode.title),) if len(game.modes) > 1 else ()), match.code, standing),
        tuple(_scores(match, points)),
        demo=_("Demo") if match.is_demo else "",
    )


def _scores(match: Match, points: Mapping[int, int]) -> Iterable[shapes.SeatScore]:
    names = system(match.system).seat_names
    for mark, army in enumerate(match.armies.all(), 1):
        colour = _(names.get(army.key, army.key))
        yield shapes.SeatScore(
            army.key, mark, colour, army.name or colour, points.get(army.pk, 0), mine=False
        )
