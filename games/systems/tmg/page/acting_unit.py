"""How the page shows the acting unit: who it is, whom it hits, where it stands and whom it fights.

What stands beside the board is a correction within reach of the thumb. It stays until its player's next
activation, because a unit's dice are still being rolled while the opponent activates the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import view_models
from games.core import Offer, asked, step_of, together
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import attacks, objective_tokens, table_facts, tactics_board, tactics_cards
from games.systems.tmg.rules.activation_phase import Turn
from games.systems.tmg.rules.clean_up_phase import ScorePoints
from games.systems.tmg.tmg_corrections import TmgCorrections
from games.view_models.game_page import signed

if TYPE_CHECKING:
    from games.systems.tmg.page.miniatures_page import TmgPage

MOST_FIGHTS = 3
"""More enemies than this fold away under their heading, so that the board stays in sight."""

MOST_RESTORED = 3
"""More wounds than this are restored on the unit's own sheet."""


def acting_unit(g: Table, seat: str | None) -> Unit | None:
    """The unit that this seat activated last, while it is on the table and the match runs.

    While the round's score is asked about (TMG-14), both sides get the unit that acted last.
    """
    if seat is None:
        return None
    unit = g.actor if isinstance(step_of(g), ScorePoints) else g.units.get(g.armies[seat].acted or "")
    return unit if unit is not None and unit.is_on_table and g.result is None else None


def doing(page: TmgPage) -> tuple[str, int]:
    """Which unit acts now and whose it is, with the seat's mark, for everybody but its own player.

    The player who activates next waits for it; once they have begun, it has acted.
    """
    unit = page.g.actor
    if unit is None or unit.player == page.seat or _is_done(page):
        return "", 0
    line = _("%(player)s: %(unit)s is acting")
    if page.seat in asked(page.g):
        if not isinstance(step_of(page.g), Turn):
            return "", 0
        line = _("When %(player)s is done with %(unit)s")
    return page.t(line, player=page.name(unit.player), unit=unit.name), page.marks[unit.player]


def acting(page: TmgPage) -> view_models.Acting | None:
    """The reader's own last activation until their next; for anyone else, the unit that acts now.

    It folds away once it is the reader's turn again, when they look for a unit to activate.
    """
    mine = acting_unit(page.g, page.seat)
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


def last_activation(page: TmgPage) -> view_models.Acting | None:
    """The unit that acted last in the round, what it did, and what may still be noted (TMG-14)."""
    unit = page.g.units.get(page.g.acting or "")
    if unit is None or not isinstance(step_of(page.g), ScorePoints):
        return None
    title = page.t(_("Last activation: %(unit)s"), unit=unit.name)
    return view_models.Acting(title, page.marks[unit.player], _what_it_did(page), notes(page), targets(page))


def _what_it_did(page: TmgPage) -> str:
    """The sentences of the log since the last unit was activated."""
    lines: list[str] = []
    for action, sentences in page.recent():
        verb = action.partition(":")[0]
        if verb not in ("agree", "done", "enter"):
            lines.append(sentences)
        if verb == "activate":
            break
    return together(reversed(lines))


def notes(page: TmgPage) -> tuple[view_models.OfferGroup, ...]:
    """Where the reader's acting unit stands and whom it fights."""
    offers = [(offer.action.rpartition(":")[2], offer) for offer in acting_corrections(page.g, page.seat)]
    places = tuple(_switch(page, offer) for key, offer in offers if key in page.g.objectives)
    rivals = tuple(_switch(page, offer) for key, offer in offers if key in page.g.units)
    where = _("Carries") if objective_tokens.are_carried(page.g) else _("Stands on")
    groups = ((where, places, False), (_("Engaged with"), rivals, len(rivals) > MOST_FIGHTS))
    return tuple(
        view_models.OfferGroup(switches, page.t(title), folded)
        for title, switches, folded in groups
        if switches
    )


def acting_corrections(g: Table, seat: str | None) -> tuple[Offer, ...]:
    """Where a seat's acting unit stands and whom it fights, as corrections of the unit; only a few.

    On a token, only leaving it; off one, the tokens that are free.
    """
    unit = acting_unit(g, seat)
    if unit is None or not unit.is_combat:
        return ()
    place = objective_tokens.claimed(g, unit)
    taken = {f"claim:{unit.key}:{token.key}" for token in g.tokens() if place or token.claimed_by}
    verbs = ("claim", "enter", *(("engage",) if g.tracks("engagements") else ()))
    offers = TmgCorrections().only(g, f"unit/{unit.key}", *verbs)
    return tuple(offer for offer in offers if offer.action not in taken)


def _switch(page: TmgPage, offer: Offer) -> view_models.Offer:
    """A switch for where the acting unit stands or whom it fights, named without its heading's words."""
    _verb, unit, key = offer.action.split(":")
    place = page.g.objectives.get(key)
    label = page.t(place.name) if place else page.g.units[key].name
    icon = "check" if offer.on else ""
    return view_models.Offer(f"unit/{unit} {offer.action}", label, icon=icon, form="adjust", field="change")


def targets(page: TmgPage) -> tuple[view_models.TargetGroup, ...]:
    """Every Combat Unit on the table, to wound: those near first, then enemies; own ones are folded away."""
    unit = acting_unit(page.g, page.seat)
    if unit is None or not page.g.round:
        return ()
    near, units = _near(page.g, unit), filter(_can_be_hit, page.g.units.values())
    others = sorted(units, key=lambda other: (other.key not in near, other.player == page.seat))
    at_hand = [other for other in others if other.key in near or other.player != page.seat]
    groups = ((_("Enter wounds"), at_hand, False), (_("Your other units"), others[len(at_hand) :], True))
    return tuple(
        view_models.TargetGroup(
            page.t(title), tuple(_target(page, other, unit.key, other.key in near) for other in found), folded
        )
        for title, found, folded in groups
        if found
    )


def _target(page: TmgPage, unit: Unit, by: str, is_near: bool) -> view_models.Target:
    """A unit with a button for each number of wounds that it may suffer or get back, and for its last."""
    left, lost = (unit.wounds, unit.wounds_total - unit.wounds) if page.g.tracks("wounds") else (0, 0)
    path = f"unit/{unit.key}"
    return view_models.Target(
        f"{unit.key}-{by}",
        unit.name,
        page.marks[unit.player],
        page.gauge(unit),
        tuple(
            view_models.Choice(f"{path} wounds:{unit.key}:{change}", signed(change))
            for change in (*range(-1, -left, -1), *range(1, min(MOST_RESTORED, lost) + 1))
        ),
        view_models.Choice(f"{path} destroy:{unit.key}", page.t(_("Destroyed"))),
        is_near,
        _attack(page, unit, by),
    )


def _attack(page: TmgPage, unit: Unit, by: str) -> view_models.Choice | None:
    """The tap that opens the attack sheet; an NCU attacks nobody."""
    actor = page.g.units[by]
    if not page.g.tracks("wounds") or unit.army == actor.army or not attacks.can_attack(page.g, actor):
        return None
    return view_models.Choice(f"unit/{by} attack:{by}:{unit.key}", page.t(_("Attack")))


def _near(g: Table, unit: Unit) -> frozenset[str]:
    """Those that fight the acting unit, with itself; of an NCU those that its claimed zone may restore."""
    if unit.is_combat:
        return unit.engaged_with | {unit.key} if unit.engaged_with else frozenset()
    if "wealth" not in tactics_board.working(g, unit):
        return frozenset()
    own = (other for other in g.units.values() if _can_be_hit(other) and other.player == unit.player)
    return frozenset(other.key for other in own if other.wounds < other.wounds_total)


def _can_be_hit(unit: Unit) -> bool:
    return unit.is_combat and unit.is_on_table


def _is_done(page: TmgPage) -> bool:
    """Whether no turn is being played: it is set-up or clean-up, or the match is over."""
    return page.g.result is not None or page.steps is not None


def _reminder(page: TmgPage, unit: Unit) -> str:
    """The reminder for the acting unit's player: what its zone does, or to note what it did."""
    effects = [_left_to_do(page, key) for key in tactics_board.working(page.g, unit)]
    token = objective_tokens.carried(page.g, unit)
    if token is not None and (facts := table_facts.token(page.g, token))["active"]:
        effects.append(facts["effect"])
    usual = _("Enter what it did now, before the next unit activates.")
    return next((effect for effect in effects if effect), usual)


def _left_to_do(page: TmgPage, zone: str) -> str:
    """What a zone does that its player has yet to do: where the app keeps the decks, it has drawn."""
    entry = page.g.zone_entry(zone) or {}
    effect: str = entry.get("effect", "")
    has_drawn = tactics_cards.is_tracked(page.g) and page.g.tracks("cards")
    return str(entry.get("drawn", effect)) if has_drawn else effect
