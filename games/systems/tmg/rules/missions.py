"""Missions and other points that players enter by source; what a mission asks is on its printed card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from games.core import Line, Offer, Term, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import clean_up_phase
from games.systems.tmg.rules.moments_of_play import MomentOfAll

MISSIONS = {
    "m01": _("1: the centre objective"),
    "m02": _("2: Swords and Horse"),
    "m03": _("3: Swords and Letters"),
    "m04": _("4: the tactics board"),
    "m05": _("5: the enemy Commander"),
    "m06": _("6: the enemy deployment zone"),
    "m07": _("7: engaged ranks"),
    "m08": _("8: condition tokens"),
    "m09": _("9: revenge"),
    "m10": _("10: the opponent's objectives"),
    "m11": _("11: First Player"),
    "m12": _("12: all objectives"),
}
"""The mission deck by number, and what each is about; its printed card says how it scores."""

FACE_DOWN = "?"
"""Stands for the mission of a seat that has chosen one and not revealed it."""

MOST_POINTS = 9
ENTERED = _("set by its players")


def offer(verb: str, key: str, *, is_secret: bool = False) -> Offer:
    return Offer(f"{verb}:{key}", Line(MISSIONS[key]), is_secret=is_secret)


class EnterPoints(clean_up_phase.ScorePoints, MomentOfAll):
    """TMG-100: each player enters what the round gave it, source by source, and says when that was all."""

    name = clean_up_phase.ScorePoints.name
    rule = "TMG-100"
    title = _("Enter the round's Victory Points")
    help = _(
        "Enter what each source gave you, then tap Done. Anything else can be corrected with its reason."
    )
    settles_score = False

    def sources(self, g: Table) -> dict[str, str]:
        """What may give points in this round, and what the score sheet calls it."""
        raise NotImplementedError

    def times(self, g: Table, key: str) -> int:
        """How often a source may give points to each player in this round."""
        return 1

    def is_confirmed(self, g: Table) -> bool:
        return bool(self.sources(g))

    def concerned(self, g: Table) -> Iterable[str]:
        return g.seats if self.sources(g) else ()

    def waits_for(self, g: Table) -> Iterable[str]:
        return self.waiting(g)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield self.yes
        rows = [row for row in g.scores.values() if (row.round, row.seat) == (g.round, seat)]
        entered = Counter(row.source for row in rows if row.reason == ENTERED)
        for key, called in self.sources(g).items():
            if entered[called] < self.times(g, key):
                yield Offer(f"enter:{key}", say(_("%(source)s: points"), source=Term(called)), 1, MOST_POINTS)

    @answer
    def enter(self, g: Table, seat: str, key: str, points: int) -> None:
        source = self.sources(g)[key]
        g.score(seat, points, ENTERED, source, str(name_of(g, seat)))
        g.say_count(
            "%(player)s scores %(count)s Victory Point: %(token)s.",
            "%(player)s scores %(count)s Victory Points: %(token)s.",
            points,
            player=name_of(g, seat),
            token=Term(source),
        )

    @answer
    def done(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(player)s has entered all Victory Points."), player=name_of(g, seat))

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(self.title)

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(self.help)
