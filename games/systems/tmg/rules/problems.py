"""What is odd about a position that somebody set by hand, in words. None of it blocks play."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.system import name_of
from games.core.words import Argument, Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg.list_entries import card_of, full_name
from games.systems.tmg.pieces import Place, Side, Table, Unit
from games.systems.tmg.rules import control, decks, muster, setup, wounds


def problems(g: Table) -> Iterator[Line]:
    """Every oddity of a position: units first, then places, then the two sides."""
    for unit in g.units.values():
        yield from _of_unit(g, unit)
    for place in g.objectives.values():
        yield from _of_place(g, place)
    for side in g.armies.values():
        yield from _of_side(g, side)
    if g.round and not g.first:
        yield Line(_("Nobody is First Player."))


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
    if unit.conditions and wounds.gains_none(g, unit):
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
        most = wounds.COUNTERS.get(called, wounds.COUNTER_LIMIT)
        if not 0 < number <= most:
            line = _("%(unit)s has %(number)s of the counter %(counter)s.")
            yield say(line, unit=unit.name, number=number, counter=Term(called))


def _of_attachments(g: Table, unit: Unit) -> Iterator[Line]:
    """A unit has one attachment of its own side, not counting those that may join others."""
    own = [one for one in unit.attachments if one[3] == unit.army]
    usual = [one[0] for one in own if len(own) > 1 and muster.takes_the_place(card_of(g, one))]
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
    elif unit is not None and place.kind == "token" and not control.can_claim(unit):
        yield say(_("%(unit)s claims %(place)s and cannot control objectives."), unit=unit.name, **words)
    elif unit is not None and place.kind == "zone" and unit.is_combat:
        yield say(_("%(unit)s claims %(place)s and is no NCU."), unit=unit.name, **words)
    if g.round and place.kind == "token" and place.card is None and setup.has_cards(g):
        yield say(_("No card lies at %(place)s."), **words)
    if place.override is not None and place.uncontrolled:
        yield say(_("%(place)s is said to be controlled by somebody and by nobody."), **words)


def _of_side(g: Table, side: Side) -> Iterator[Line]:
    words: dict[str, Argument] = {"player": name_of(g, side.key)}
    units = list(g.units_of(side.key))
    lost = [one for unit in units for one in unit.lost if full_name(one) == side.commander]
    leaders = sum(unit.commander for unit in units) + len(lost)
    if units and leaders != 1:
        yield say_count(
            "The army of %(player)s has %(count)s Commander.",
            "The army of %(player)s has %(count)s Commanders.",
            leaders,
            **words,
        )
    if side.hand < 0 or side.deck < 0:
        yield Line(_("%(player)s has fewer cards than none."), words)
    if decks.is_tracked(g) and g.round:
        yield from _of_deck(g, side)
    elif g.tracks("cards") and side.hand + side.deck > g.rules["deck"]:
        line = _("%(player)s has %(cards)s cards in hand and deck, of %(all)s.")
        yield Line(line, {**words, "cards": side.hand + side.deck, "all": g.rules["deck"]})


def _of_deck(g: Table, side: Side) -> Iterator[Line]:
    """Where the app keeps the cards, all of them are somewhere (TMG-88)."""
    found = decks.in_all(g, side.key)
    if found != g.rules["deck"]:
        line = _("%(player)s has %(cards)s tactics cards in total, of %(all)s.")
        yield say(line, player=name_of(g, side.key), cards=found, all=g.rules["deck"])
