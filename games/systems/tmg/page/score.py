"""How the page explains a round's score: each source of a point, and who contests a token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core import engine
from games.core.words import COMMA, Term, together
from games.core.words import gettext_noop as _
from games.systems.tmg.page import acting
from games.systems.tmg.pieces import Place
from games.systems.tmg.rules import beside, control, missions, scoring
from games.view_models.game_page import signed

if TYPE_CHECKING:
    from games.systems.tmg.page.table import TmgPage


def sources(page: TmgPage) -> Iterator[view_models.Source]:
    """What gives the points asked about, and the tokens that a unit stands on without scoring."""
    step = engine.step_of(page.g)
    if isinstance(step, missions.EnterPoints):
        yield from _entered(page)
    elif isinstance(step, scoring.ScorePoints):
        yield from _of_places(page, step.tally(page.g))


def _entered(page: TmgPage) -> Iterator[view_models.Source]:
    """What the players have entered so far; each is corrected, with a reason, at the side that scored."""
    for row in page.g.scores.values():
        if (row.round, row.reason) == (page.g.round, missions.ENTERED):
            title = page.t(SCORES, place=Term(row.source), player=page.name(row.seat))
            url = page.sheet_url(f"army/{row.seat}")
            yield view_models.Source(title, signed(row.points), mark=page.marks[row.seat], url=url)


def _of_places(page: TmgPage, tally: scoring.Tally) -> Iterator[view_models.Source]:
    for place in page.g.objectives.values():
        own = [source for source in tally if source.place.key == place.key]
        url = page.sheet_url(f"objective/{place.key}")
        if own:
            seat, points = own[0].seat, sum(source.points for source in own)
            title = page.t(SCORES, place=Term(place.name), player=page.name(seat))
            yield view_models.Source(title, signed(points), _why(page, place, own), page.marks[seat], url)
        elif place.kind == "token" and place.claimed_by in page.g.units:
            yield view_models.Source(page.t(place.name), "0", claimant(page, place), url=url)


def _why(page: TmgPage, place: Place, own: scoring.Tally) -> str:
    """What controls a place, and what it grants beyond its point."""
    words = [page.sector_points(place) if place.kind == "sector" else claimant(page, place)]
    words += [page.t(source.reason) for source in own if source.is_extra]
    return " · ".join(word for word in words if word)


def claimant(page: TmgPage, token: Place) -> str:
    """The unit on a token and who contests it; what the players say overrides both."""
    if token.override is not None or token.uncontrolled:
        return page.t(_("As the players say"))
    unit = page.g.units.get(token.claimed_by or "")
    if unit is None:
        return ""
    rivals = page.t(COMMA).join(rival.name for rival in control.outranking(page.g, unit))
    if rivals:
        return page.t(_("%(unit)s, contested by %(rivals)s"), unit=unit.name, rivals=rivals)
    return unit.name


def last_activation(page: TmgPage) -> view_models.Acting | None:
    """The unit that acted last in the round, what it did, and what may still be noted (TMG-14)."""
    unit = page.g.units.get(page.g.acting or "")
    if unit is None or not beside.is_scoring(page.g):
        return None
    title = page.t(_("Last activation: %(unit)s"), unit=unit.name)
    done, notes, targets = _what_it_did(page), acting.notes(page), acting.targets(page)
    return view_models.Acting(title, page.marks[unit.player], done, notes, targets)


def _what_it_did(page: TmgPage) -> str:
    """The sentences of the log since the last unit was activated."""
    told: list[str] = []
    for action, sentences in page.recent():
        verb = action.partition(":")[0]
        if verb not in ("agree", "done", "enter"):
            told.append(sentences)
        if verb == "activate":
            break
    return together(reversed(told))


SCORES = _("%(place)s → %(player)s")
