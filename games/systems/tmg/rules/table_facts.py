"""What pages, API and transcripts say of a position, worked out and never stored. Texts are message ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games.core import COLUMNS, Argument, Column, Line, Term, name_of, say, say_count, step_of, system
from games.core import gettext_noop as _
from games.systems.tmg.list_entries import card_of, full_name
from games.systems.tmg.lists.army_cards import FACTIONS
from games.systems.tmg.lists.army_rows import KINDS
from games.systems.tmg.pieces import COMBAT_KINDS, MOMENTS, WALL, Place, Side, Table, Unit
from games.systems.tmg.rules import (
    army_muster,
    attacks,
    clean_up_phase,
    deployment,
    destruction,
    objective_tokens,
    tactics_cards,
)
from games.systems.tmg.rules.activation_phase import ClaimZone, Turn, activatable, is_shut_out
from games.systems.tmg.rules.destruction import CONDITION_NAMES
from games.systems.tmg.rules.kept_by_players import PARTS


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
    """Phase, whose turn, who is acting, and what is worked out about each side, unit, zone and token."""
    return {
        "phase": phase(g),
        "rounds": g.rules["rounds"],
        "turn": g.turn or None if g.round else None,
        "first": g.first or None,
        "acting": g.actor.key if g.actor else None,
        "sides": {key: _side(g, key) for key in g.seats},
        "units": {unit.key: state_of(g, unit) for unit in g.units.values()},
        **places(g),
        "attack": attack._asdict() if (attack := attacks.current(g)) else None,
        "guide": guide(g),
    }


def places(g: Table) -> dict[str, dict[str, dict[str, Any]]]:
    """What is worked out about each zone, token and sector: who holds it, and what it does."""
    return {
        "zones": {place.key: zone(g, place) for place in g.zones()},
        "tokens": {place.key: token(g, place) for place in g.tokens()},
        "sectors": {place.key: sector(g, place) for place in g.sectors()},
    }


def phase(g: Table) -> str:
    if g.result is not None:
        return _("The match is over")
    if g.round == 0:
        return _("Set-up")
    return _("Clean-Up Phase") if clean_up_phase.clean_up_at(g) is not None else _("Activation Phase")


def state_of(g: Table, unit: Unit) -> str:
    """What a unit's card says: ready, acting, done, barred, destroyed, reserve or unplaced."""
    if unit.place != "table":
        return unit.place
    if g.actor is unit:
        return "acting"
    if unit.activated:
        return "done"
    # Before the first round no zone is free, but only because none has been laid out.
    cannot = unit.barred or unit.never_activates or (g.round and is_shut_out(g, unit))
    return "barred" if cannot else "ready"


def guide(g: Table) -> dict[str, Any] | None:
    """The ordered list that set-up and clean-up walk through, with what is done, current and next."""
    if not g.flow or g.result is not None:
        return None
    if not g.round:
        title, at, names = _("Set-up"), deployment.set_up_at(g), deployment.order(g)
    else:
        title, at = _("Clean-Up Phase"), clean_up_phase.clean_up_at(g)
        names = [step.name for step in clean_up_phase.ORDER]
    return None if at is None else {"title": title, "steps": _walked(g, names, at)}


def summary(g: Table) -> str:
    """One line: round, question, points, hands, and who controls which token."""
    who = f":{g.turn}" if isinstance(step_of(g), Turn | ClaimZone) else ""
    asks = f"{g.question.step}{who}" if g.flow else "nothing"
    sides = [f"{seat} vp{g.points(seat)} hand{g.armies[seat].hand}" for seat in g.seats]
    held = [(token.key, objective_tokens.controller(g, token)) for token in g.tokens()]
    held += [(sector.key, tactics_cards.sector_controller(g, sector)) for sector in g.sectors()]
    tokens = [f"{key}={seat}" for key, seat in held if seat]
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"r{g.round} {asks}", *sides, " ".join(tokens) or "no token held", *end])


def _walked(g: Table, order: list[str], current: int) -> list[dict[str, str]]:
    steps = [system(g.system).step_named(g, name) for name in order]
    states = ["done"] * current + ["current"] + ["next"] * (len(order) - current - 1)
    return [
        {"name": step.name, "title": step.title, "help": step.help, "rule": step.rule, "state": state}
        for step, state in zip(steps, states, strict=True)
    ]


def _side(g: Table, seat: str) -> dict[str, Any]:
    side = g.armies[seat]
    return {
        "points": g.points(seat),
        "destroyed": destruction.destroyed_points(g, seat),
        "target": g.rules["target"],
        "hand": side.hand,
        "deck": side.deck,
        "limit": clean_up_phase.hand_limit(g, seat),
        "left": sum(1 for _unit in activatable(g, seat)),
        "ready": side.ready,
        "warnings": side.warnings,
    }


def zone(g: Table, place: Place) -> dict[str, Any]:
    entry = g.zone_entry(place.key) or {}
    return {
        "name": place.name,
        "effect": entry.get("effect", ""),
        "claimed_by": place.claimed_by,
        "holders": tactics_cards.holders(g, place),
    }


def sector(g: Table, place: Place) -> dict[str, Any]:
    return {
        "name": place.name,
        "points": {seat: tactics_cards.sector_points(g, place, seat) for seat in g.seats},
        "controller": tactics_cards.sector_controller(g, place),
    }


def _effect_of(g: Table, token: Place) -> str:
    """What a token does by itself in this mode, whatever card lies beside it; "" for nothing."""
    tokens = g.rules.get("objectives", ())
    return next((entry.get("effect", "") for entry in tokens if entry["key"] == token.key), "")


def token(g: Table, place: Place) -> dict[str, Any]:
    """A card that works while a token is controlled is active only then (TMG-65)."""
    card = g.objective_card(place.card) or {}
    held = objective_tokens.controller(g, place)
    claimed = g.units.get(place.claimed_by or "")
    return {
        "name": place.name,
        "card": card.get("name", ""),
        "when": card.get("when", ""),
        "effect": card.get("effect", "") or _effect_of(g, place),
        "active": held is not None and card.get("when") == "controlling",
        "claimed_by": place.claimed_by,
        "controller": held,
        "contested": claimed is not None and held != claimed.player,
        "scored": place.scored,
        "silences": place.silences,
    }


# --- what is odd about a position that somebody set by hand; none of it blocks play ----------------------


def problems(g: Table) -> Iterator[Line]:
    """Every oddity of a position: units first, then places, then the two sides."""
    for unit in g.units.values():
        yield from _of_unit(g, unit)
    for place in g.objectives.values():
        yield from _of_place(g, place)
    for side in g.armies.values():
        yield from _of_side(g, side)
    if g.round and not g.first:
        yield Line(_("No one is First Player."))


def _of_unit(g: Table, unit: Unit) -> Iterator[Line]:
    if not 0 <= unit.wounds <= unit.wounds_total:
        line = _("%(unit)s has %(wounds)s of %(total)s wounds left.")
        yield say(line, unit=unit.name, wounds=unit.wounds, total=unit.wounds_total)
    if unit.is_combat and unit.is_on_table and unit.wounds < 1:
        yield say(_("%(unit)s is on the battlefield with no wounds left."), unit=unit.name)
    if unit.place == "destroyed" and unit.wounds > 0:
        yield say(_("%(unit)s is destroyed and has wounds left."), unit=unit.name)
    if g.round and unit.place == "unplaced":
        yield say(_("%(unit)s has not been deployed."), unit=unit.name)
    if unit.conditions and destruction.gains_none(g, unit):
        yield say(_("%(unit)s has a condition and cannot gain any."), unit=unit.name)
    if unit.influences is not None and unit.influences not in g.units:
        yield say(_("%(unit)s influences a unit that is not in the match."), unit=unit.name)
    yield from _of_counters(unit)
    yield from _of_attachments(g, unit)
    yield from _of_engagements(g, unit)
    if sum(place.claimed_by == unit.key for place in g.objectives.values()) > 1:
        yield say(_("%(unit)s stands in more than one place."), unit=unit.name)


def _of_counters(unit: Unit) -> Iterator[Line]:
    for called, number in unit.counters:
        most = destruction.COUNTERS.get(called, destruction.COUNTER_LIMIT)
        if not 0 < number <= most:
            line = _("%(unit)s has %(number)s of the counter %(counter)s.")
            yield say(line, unit=unit.name, number=number, counter=Term(called))


def _of_attachments(g: Table, unit: Unit) -> Iterator[Line]:
    """A unit has one attachment of its own side, not counting those that may join others."""
    own = [attachment for attachment in unit.attachments if attachment[3] == unit.army]
    usual = [
        attachment[0]
        for attachment in own
        if len(own) > 1 and army_muster.takes_the_place(card_of(g, attachment))
    ]
    if len(usual) > 1:
        line = _("%(unit)s has more than one attachment: %(attachments)s.")
        yield say(line, unit=unit.name, attachments=tuple(usual))


def _of_engagements(g: Table, unit: Unit) -> Iterator[Line]:
    for key in sorted(unit.engaged_with):
        rival = g.units.get(key)
        if rival is None:
            yield say(_("%(unit)s is engaged with a unit that is not in the match."), unit=unit.name)
        elif unit.key not in rival.engaged_with:
            line = _("%(unit)s is engaged with %(rival)s, but not the other way round.")
            yield say(line, unit=unit.name, rival=rival.name)
        elif rival.player == unit.player:
            yield say(
                _("%(unit)s is engaged with %(rival)s of its own side."), unit=unit.name, rival=rival.name
            )
        elif not (unit.is_on_table and rival.is_on_table):
            line = _("%(unit)s is engaged with %(rival)s, and one of them is not on the battlefield.")
            yield say(line, unit=unit.name, rival=rival.name)


def _of_place(g: Table, place: Place) -> Iterator[Line]:
    words = {"place": Term(place.name)}
    unit = g.units.get(place.claimed_by or "")
    if place.claimed_by is not None and unit is None:
        yield say(_("%(place)s is claimed by a unit that is not in the match."), **words)
    elif unit is not None and not unit.is_on_table:
        yield say(_("%(unit)s claims %(place)s without being on the battlefield."), unit=unit.name, **words)
    elif unit is not None and place.kind == "token" and not objective_tokens.can_claim(unit):
        yield say(_("%(unit)s claims %(place)s and cannot control objectives."), unit=unit.name, **words)
    elif unit is not None and place.kind == "zone" and unit.is_combat:
        yield say(_("%(unit)s claims %(place)s but is not an NCU."), unit=unit.name, **words)
    if g.round and place.kind == "token" and place.card is None and deployment.has_cards(g):
        yield say(_("No card lies at %(place)s."), **words)
    if place.override is not None and place.uncontrolled:
        yield say(_("%(place)s is set as both controlled and uncontrolled."), **words)


def _of_side(g: Table, side: Side) -> Iterator[Line]:
    words: dict[str, Argument] = {"player": name_of(g, side.key)}
    units = list(g.units_of(side.key))
    lost = [
        attachment for unit in units for attachment in unit.lost if full_name(attachment) == side.commander
    ]
    leaders = sum(unit.commander for unit in units) + len(lost)
    if units and leaders != 1:
        yield say_count(
            "The army of %(player)s has %(count)s Commander.",
            "The army of %(player)s has %(count)s Commanders.",
            leaders,
            **words,
        )
    if side.hand < 0 or side.deck < 0:
        yield Line(_("%(player)s has a negative number of cards."), words)
    if tactics_cards.is_tracked(g) and g.round:
        yield from _of_deck(g, side)
    elif g.tracks("cards") and side.hand + side.deck > g.rules["deck"]:
        line = _("%(player)s has %(cards)s cards in hand and deck, of %(all)s.")
        yield Line(line, {**words, "cards": side.hand + side.deck, "all": g.rules["deck"]})


def _of_deck(g: Table, side: Side) -> Iterator[Line]:
    """Where the app keeps the cards, all of them are somewhere (TMG-88)."""
    cards = tactics_cards.in_all(g, side.key)
    if cards != g.rules["deck"]:
        line = _("%(player)s has %(cards)s tactics cards in total, of %(all)s.")
        yield say(line, player=name_of(g, side.key), cards=cards, all=g.rules["deck"])


# --- how the admin shows the pieces, field by field ------------------------------------------------------

UNIT_KINDS = {kind: words for kind, words in KINDS.items() if kind == "ncu" or kind in COMBAT_KINDS} | {
    WALL: _("Castle Wall")
}
PLACES = {
    "table": _("On the battlefield"),
    "reserve": _("In Reserve"),
    "destroyed": _("Destroyed"),
    "unplaced": _("Not deployed yet"),
}
ATTACHED = ((_("name"), str), (_("subtitle"), str), (_("cost"), int))
SEAT = (_("seat"), "army")

ARMY = {
    "army/faction": Column(among=FACTIONS, is_first=True),
    "army/commander": Column(_("Commander")),
    "army/points": Column(_("army points")),
    "army/limit": Column(_("points of this match")),
    "army/hand": Column(is_first=True),
    "army/deck": Column(is_first=True),
    "army/hand_bonus": Column(_("extra cards in hand")),
    "army/missions": Column(_("mission cards in hand")),
    "army/mission": Column(_("mission of the round")),
    "army/captives": Column(_("enemy attachments to place"), cells=(*ATTACHED, (_("extra points"), int))),
    "army/roll": Column(_("roll-off")),
    "army/agreed": Column(_("tally agreed to")),
    "army/passed": Column(_("leaves its Reserve where it is")),
    "army/card_names": Column(_("names of the tactics cards")),
    "army/discards": Column(_("discard pile, by number of card")),
    "army/in_play": Column(_("card that is being played")),
    "army/acted": Column(_("unit that it activated last"), among="unit"),
    "army/roster": Column(is_hidden=True),
}


def _fights(unit: Unit) -> bool:
    return unit.is_combat


UNIT = {
    "unit/wounds": replace(COLUMNS["unit/wounds"], of=_fights),
    "unit/kind": Column(among=UNIT_KINDS),
    "unit/place": Column(among=PLACES, is_first=True),
    "unit/title": Column(_("subtitle")),
    "unit/card": Column(_("number of its card")),
    "unit/wounds_total": Column(of=_fights),
    "unit/rank_size": Column(of=lambda unit: unit.kind in ("infantry", "cavalry")),
    "unit/commander": Column(_("is the Commander")),
    "unit/attachments": Column(_("attachments"), cells=(*ATTACHED, SEAT)),
    "unit/conditions": Column(_("Conditions"), among=CONDITION_NAMES, is_first=True, of=_fights),
    "unit/counters": Column(_("Counters"), cells=((_("name"), str), (_("number"), int))),
    "unit/pool": Column(_("tokens on it")),
    "unit/linked_to": Column(_("activates with"), among="unit"),
    "unit/engaged_with": Column(_("Engaged with"), among="unit", is_mutual=True, is_first=True, of=_fights),
    "unit/influences": Column(_("influences"), among="unit", of=lambda unit: not unit.is_combat),
    "unit/kept": Column(of=lambda unit: not unit.is_combat),
    "unit/cannot_control": Column(_("cannot control objectives")),
    "unit/gains_no_conditions": Column(of=_fights),
    "unit/grants_no_vp": Column(_("its destruction scores nothing")),
    "unit/extra_vp": Column(_("extra points when destroyed")),
    "unit/hand_bonus": Column(_("extra cards in hand")),
    "unit/note": Column(_("Note")),
    "unit/reminders": Column(_("moments to be reminded at"), among=MOMENTS),
    "unit/lent_to": Column(_("lent to"), among="army"),
    "unit/paid": Column(_("points that its destruction scored"), cells=(SEAT, (_("points"), int))),
    "unit/falls": Column(_("times destroyed")),
    "unit/marked": Column(_("marked by the opponent")),
    "unit/sector": Column(_("sector"), among="objective"),
    "unit/cards": Column(_("tactics cards with it"), cells=((_("card"), str), SEAT, (_("how long"), str))),
    "unit/pile": Column(_("corpse pile that it left"), among="objective"),
    "unit/lost": Column(_("attachments lost for good"), cells=(*ATTACHED, SEAT)),
}

PLACE_KINDS = {
    "token": _("Objective token"),
    "zone": _("Zone of the tactics board"),
    "mission": _("Open mission"),
    "sector": _("Sector"),
}


def _is_a_token(place: Place) -> bool:
    return place.kind == "token"


OBJECTIVE = {
    "objective/claimed_by": replace(
        COLUMNS["objective/claimed_by"], of=lambda place: place.kind in ("token", "zone")
    ),
    "objective/override": replace(COLUMNS["objective/override"], of=_is_a_token),
    "objective/kind": Column(among=PLACE_KINDS),
    "objective/order": Column(_("order")),
    "objective/card": Column(_("objective card"), of=_is_a_token),
    "objective/scored": Column(_("has yet to resolve its card"), among="army", of=_is_a_token),
    "objective/counts_for": Column(
        _("counts as controlled by"), among="army", of=lambda place: place.kind == "zone"
    ),
    "objective/uncontrolled": Column(_("no one controls it (set by the players)"), of=_is_a_token),
    "objective/silences": Column(_("NCU that loses its abilities to it"), among="unit", of=_is_a_token),
}

TABLE = {
    "table/first": Column(_("First Player"), among="army", is_first=True),
    "table/next_first": Column(_("first player of the next round"), among="army"),
    "table/turn": Column(_("whose turn"), among="army", is_first=True),
    "table/acting": Column(_("acting unit"), among="unit", is_first=True),
    "table/attack": Column(is_hidden=True),
    "table/untracked": Column(_("not tracked in the app"), among=PARTS),
}

COLUMNS_OF_PIECES = {**COLUMNS, **ARMY, **UNIT, **OBJECTIVE, **TABLE}
