"""What pages and transcripts show of a position, worked out and never stored. Texts are message ids."""

from __future__ import annotations

from typing import Any

from games.core import engine
from games.core.system import system
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import cleanup, control, end_of_round, sectors, setup, wounds, zones
from games.systems.tmg.rules.activation import activatable, is_shut_out
from games.systems.tmg.rules.round import ClaimZone, Turn


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
        "guide": guide(g),
    }


def places(g: Table) -> dict[str, dict[str, dict[str, Any]]]:
    """What is worked out about each zone, token and sector: who holds it, and what it does."""
    return {
        "zones": {zone.key: _zone(g, zone) for zone in g.zones()},
        "tokens": {token.key: _token(g, token) for token in g.tokens()},
        "sectors": {sector.key: _sector(g, sector) for sector in sectors.of(g)},
    }


def phase(g: Table) -> str:
    """The name of the phase that the match is in."""
    if g.result is not None:
        return _("The match is over")
    if g.round == 0:
        return _("Set-up")
    return _("Clean-Up Phase") if _clean_up_at(g) is not None else _("Activation Phase")


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
    at = _clean_up_at(g)
    if at is not None:
        return {
            "title": _("Clean-Up Phase"),
            "steps": _walked(g, [step.name for step in end_of_round.ORDER], at),
        }
    at = next((at for question in g.flow if (at := setup.position(g, question)) is not None), None)
    return None if at is None else {"title": _("Set-up"), "steps": _walked(g, setup.order(g), at)}


def summary(g: Table) -> str:
    """One line: round, question, points, hands, and who controls which token."""
    who = f":{g.turn}" if isinstance(engine.step_of(g), Turn | ClaimZone) else ""
    asks = f"{g.question.step}{who}" if g.flow else "nothing"
    sides = [f"{seat} vp{g.points(seat)} hand{g.armies[seat].hand}" for seat in g.seats]
    held = [(token.key, control.controller(g, token)) for token in g.tokens()]
    held += [(sector.key, sectors.controller(g, sector)) for sector in sectors.of(g)]
    tokens = [f"{key}={seat}" for key, seat in held if seat]
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"r{g.round} {asks}", *sides, " ".join(tokens) or "no token held", *end])


def _walked(g: Table, order: list[str], current: int) -> list[dict[str, str]]:
    steps = [system(g.system).step_named(g, name) for name in order]
    return [
        {"name": step.name, "title": step.title, "help": step.help, "rule": step.rule, "state": state}
        for step, state in zip(steps, _states(len(order), current), strict=True)
    ]


def _states(count: int, current: int) -> list[str]:
    return ["done"] * current + ["current"] + ["next"] * (count - current - 1)


def _clean_up_at(g: Table) -> int | None:
    found = (end_of_round.position(g, question) for question in g.flow)
    return next((at for at in found if at is not None), None)


def _side(g: Table, seat: str) -> dict[str, Any]:
    side = g.armies[seat]
    return {
        "points": g.points(seat),
        "destroyed": wounds.destroyed_points(g, seat),
        "target": g.rules["target"],
        "hand": side.hand,
        "deck": side.deck,
        "limit": cleanup.hand_limit(g, seat),
        "left": sum(1 for _unit in activatable(g, seat)),
        "ready": side.ready,
        "warnings": side.warnings,
    }


def _zone(g: Table, zone: Place) -> dict[str, Any]:
    found = ruleset.zone(g, zone.key) or {}
    return {
        "name": zone.name,
        "effect": found.get("effect", ""),
        "claimed_by": zone.claimed_by,
        "holders": zones.holders(g, zone),
    }


def _sector(g: Table, sector: Place) -> dict[str, Any]:
    return {
        "name": sector.name,
        "points": {seat: sectors.points(g, sector, seat) for seat in g.seats},
        "controller": sectors.controller(g, sector),
    }


def _token(g: Table, token: Place) -> dict[str, Any]:
    """A card that works while a token is controlled is active only then (TMG-65)."""
    card = ruleset.card(g, token.card) or {}
    held = control.controller(g, token)
    claimed = g.units.get(token.claimed_by or "")
    return {
        "name": token.name,
        "card": card.get("name", ""),
        "when": card.get("when", ""),
        "effect": card.get("effect", "") or ruleset.effect_of(g, token),
        "active": held is not None and card.get("when") == "controlling",
        "claimed_by": token.claimed_by,
        "controller": held,
        "contested": claimed is not None and held != claimed.player,
        "scored": token.scored,
        "silences": token.silences,
    }
