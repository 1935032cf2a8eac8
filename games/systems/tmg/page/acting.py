"""How the page shows the acting unit: who it is, its targets, where it stands and whom it fights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core import engine
from games.core.steps import Offer
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.pieces import Unit
from games.systems.tmg.rules import beside, claims, tactics_board, tactics_cards
from games.systems.tmg.rules.activation_phase import Turn

if TYPE_CHECKING:
    from games.systems.tmg.page.table import TmgPage

MOST_BESIDE = 3
"""More enemies than this fold away under their heading, so that the board stays in sight."""


def doing(page: TmgPage) -> tuple[str, int]:
    """Which unit acts now and whose it is, with the seat's mark, for everybody but its own player.

    The player who activates next waits for it; once they have begun, it has acted.
    """
    unit = page.g.actor
    if unit is None or unit.player == page.seat or _is_done(page):
        return "", 0
    line = _("%(player)s: %(unit)s is acting")
    if page.seat in engine.asked(page.g):
        if not isinstance(engine.step_of(page.g), Turn):
            return "", 0
        line = _("When %(player)s is done with %(unit)s")
    return page.t(line, player=page.name(unit.player), unit=unit.name), page.marks[unit.player]


def acting(page: TmgPage) -> view_models.Acting | None:
    """The reader's own last activation until their next; for anyone else, the unit that acts now.

    It folds away once it is the reader's turn again, when they look for a unit to activate.
    """
    mine = beside.acting_unit(page.g, page.seat) if page.seat else None
    unit = mine or page.g.actor
    if unit is None or _is_done(page):
        return None
    is_now = unit.key == page.g.acting
    title = page.t(_("Acting: %(unit)s") if is_now else _("Just acted: %(unit)s"), unit=unit.name)
    hint = page.t(_reminder(page, unit)) if mine and is_now else ""
    if mine is None:
        return view_models.Acting(title, page.marks[unit.player])
    is_past = not is_now and page.g.turn == page.seat
    return view_models.Acting(title, page.marks[unit.player], hint, notes(page), targets(page), is_past)


def notes(page: TmgPage) -> tuple[view_models.OfferGroup, ...]:
    """Where the reader's acting unit stands and whom it fights, cached until any of it changes."""
    unit = beside.acting_unit(page.g, page.seat) if page.seat else None
    if unit is None:
        return ()
    places = tuple((place.key, place.name, place.claimed_by) for place in page.g.objectives.values())
    others = tuple((other.key, other.name, other.army, other.place) for other in page.g.units.values())
    return page.cached_until_changed(_notes, unit, page.seat, page.g.untracked, places, others)


def _notes(page: TmgPage, _unit: Unit, seat: str, *_around: object) -> tuple[view_models.OfferGroup, ...]:
    found = beside.acting_corrections(page.g, seat)
    places = tuple(_switch(page, *each) for each in found if _last_noun(each[1]) in page.g.objectives)
    rivals = tuple(_switch(page, *each) for each in found if _last_noun(each[1]) in page.g.units)
    where = _("Carries") if claims.are_carried(page.g) else _("Stands on")
    groups = ((where, places, False), (_("Engaged with"), rivals, len(rivals) > MOST_BESIDE))
    return tuple(
        view_models.OfferGroup(offers, page.t(title), folded) for title, offers, folded in groups if offers
    )


def targets(page: TmgPage) -> tuple[view_models.TargetGroup, ...]:
    """The units to wound: those near and all enemies at hand, with the reader's other units folded."""
    found = beside.targets(page.g, page.seat) if page.seat else ()
    at_hand = [each for each in found if each.is_near or each.unit.player != page.seat]
    own = [each for each in found if not each.is_near and each.unit.player == page.seat]
    groups = ((_("Whose wounds?"), at_hand, False), (_("Own units"), own, True))
    return tuple(
        view_models.TargetGroup(page.t(title), tuple(_target(page, each) for each in units), folded)
        for title, units, folded in groups
        if units
    )


def _is_done(page: TmgPage) -> bool:
    """Whether no turn is being played: it is set-up or clean-up, or the match is over."""
    return page.g.result is not None or page.steps is not None


def _reminder(page: TmgPage, unit: Unit) -> str:
    """The reminder for the acting unit's player: what its zone does, or to note what it did."""
    effects = [_left_to_do(page, key) for key in tactics_board.working(page.g, unit)]
    if (token := claims.carried(page.g, unit)) is not None and page.places["tokens"][token.key]["active"]:
        effects.append(page.places["tokens"][token.key]["effect"])
    return next((effect for effect in effects if effect), "") or _(
        "Enter what it did now, before the next unit activates."
    )


def _left_to_do(page: TmgPage, zone: str) -> str:
    """What a zone does that its player has yet to do: where the app keeps the decks, it has drawn."""
    effect: str = page.places["zones"][zone]["effect"]
    if not (tactics_cards.is_tracked(page.g) and page.g.tracks("cards")):
        return effect
    left: str = (ruleset.zone(page.g, zone) or {}).get("drawn", effect)
    return left


def _target(page: TmgPage, target: beside.Target) -> view_models.Target:
    """A unit with a button for each number of wounds that it may suffer or get back."""
    return page.cached_until_changed(_drawn, target.unit, target.by, target.is_near, target.is_counted)


def _drawn(page: TmgPage, unit: Unit, by: str, is_near: bool, is_counted: bool) -> view_models.Target:
    target = beside.Target(unit, by, is_near, is_counted)
    return view_models.Target(
        f"{unit.key}-{by}",
        unit.name,
        page.marks[unit.player],
        page.gauge(unit) if page.has_gauge(unit) else None,
        tuple(_choices(target)),
        view_models.Choice(target.destroys, page.t(_("Destroyed"))),
        is_near,
    )


def _choices(target: beside.Target) -> Iterator[view_models.Choice]:
    for number, action in enumerate(target.hits, 1):
        yield view_models.Choice(action, f"\u2212{number}")
    for number, action in enumerate(target.restores, 1):
        yield view_models.Choice(action, f"+{number}")


def _switch(page: TmgPage, path: str, offer: Offer) -> view_models.Offer:
    """A switch for where the acting unit stands or whom it fights, named without its heading's words."""
    key = _last_noun(offer)
    place = page.g.objectives.get(key)
    label = page.t(place.name) if place else page.g.units[key].name
    icon = "check" if offer.on else ""
    return view_models.Offer(f"{path} {offer.action}", label, icon=icon, form="adjust", field="change")


def _last_noun(offer: Offer) -> str:
    return offer.action.rpartition(":")[2]
