"""Wounds and Ki: what a model gains, pays, suffers and heals, and the wound test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Anybody, Line, Offer, answer, say
from games.core import gettext_noop as _
from games.systems.bushido.pieces import BLEEDING, ELSEWHERE, REMOVED, SPIRIT_BLOCK, TABLE, Table, Unit

# --- Ki ----------------------------------------------------------------------------------------------


def gain_ki(g: Table, unit: Unit) -> None:
    """Give one model what it gains in the Ki step."""
    if unit.has(SPIRIT_BLOCK):
        unit.remove_marker(SPIRIT_BLOCK)
        g.say(_("%(model)s gains no Ki: Spirit Block."), model=unit.name)
    elif unit.gain is None:
        if unit.ki_stat:
            g.say(_("%(model)s gains Ki as its card says."), model=unit.name)
    elif unit.is_communal:
        g.armies[unit.army].communal += unit.gain
    else:
        add_ki(unit, unit.gain)


def ki_held(g: Table, unit: Unit) -> int:
    """The Ki that a model may spend: its own, or what its warband shares."""
    return g.armies[unit.army].communal if unit.is_communal else unit.ki


def lives_on_ki(unit: Unit) -> bool:
    """Whether a model is out of the match once it has no Ki left (BUSH-34)."""
    return unit.is_kami and not unit.is_communal


def fill_ki(g: Table, unit: Unit) -> None:
    """BUSH-34: before the match begins, a Kami has as much Ki as its cap allows."""
    if unit.is_kami and not g.round:
        unit.ki = unit.cap or 0


def spendable_ki(g: Table, unit: Unit) -> int:
    """The Ki that a model may pay with: a Kami cannot spend its last (BUSH-34).

    One that is Controlled, or Elsewhere, spends none.
    """
    if unit.place == ELSEWHERE or unit.controller:
        return 0
    return max(0, ki_held(g, unit) - lives_on_ki(unit))


def change_ki(g: Table, unit: Unit, by: int) -> int:
    """Add to the Ki that a model may spend, or take from it; return what there is then."""
    if unit.is_communal:
        g.armies[unit.army].communal += by
    else:
        unit.ki += by
    return ki_held(g, unit)


def add_ki(unit: Unit, more: int) -> None:
    """Give a model Ki; anything beyond its cap is lost."""
    unit.ki = unit.ki + more if unit.cap is None else min(unit.cap, unit.ki + more)


# --- wounds ------------------------------------------------------------------------------------------

OFFSETS = {2: -3, 3: -2, 4: -1, 5: -1, 6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 2, 12: 3}
"""What two dice add to the success level, by their sum."""


def wounds_for(level: int, dice: int) -> int:
    """How many wounds a success level gives with this sum of two dice: never below 0."""
    return max(0, level + OFFSETS[max(2, min(12, dice))])


def suffer(g: Table, unit: Unit, wounds: int) -> None:
    """A model suffers wounds; with none left it is out. If its wounds are no number, only the log changes."""
    g.say_count(
        "%(model)s suffers %(count)s wound.", "%(model)s suffers %(count)s wounds.", wounds, model=unit.name
    )
    if unit.is_kami:
        unit.ki = max(0, unit.ki - wounds)
        if wounds and not unit.ki:
            kill(g, unit)
    elif unit.tracks_wounds:
        unit.wounds = max(0, unit.wounds - wounds)
        if wounds and not unit.wounds:
            kill(g, unit)
    else:
        g.say(_("The card of %(model)s says what that does to it."), model=unit.name)


def heal(g: Table, unit: Unit, wounds: int) -> None:
    """A model heals; any healing ends its bleeding."""
    unit.wounds = min(unit.wounds_total, unit.wounds + wounds)
    g.say_count(
        "%(model)s heals %(count)s wound.", "%(model)s heals %(count)s wounds.", wounds, model=unit.name
    )
    if unit.has(BLEEDING):
        unit.clear_markers(BLEEDING)
        g.say(_("%(model)s stops bleeding."), model=unit.name)


def kill(g: Table, unit: Unit) -> None:
    unit.place, unit.counters, unit.activated, unit.zone = REMOVED, 0, True, None
    unit.markers, unit.controller = (), None
    g.fallen = (*g.fallen, (unit.key, g.round)) if unit.key not in dict(g.fallen) else g.fallen
    g.say(_("%(model)s is out of the match."), model=unit.name)


def has_returned(g: Table, unit: Unit) -> bool:
    """Whether a model was out of the match in an earlier turn, and is back by more than a correction."""
    return unit.is_in_play and unit.key in dict(g.fallen)


def forget_fall(g: Table, unit: Unit) -> None:
    """A model never fell: a correction says so."""
    g.fallen = tuple(fall for fall in g.fallen if fall[0] != unit.key)


def revive(g: Table, unit: Unit) -> None:
    """A model is back on the table, with at least one wound, or one Ki if it lives on that."""
    _restore(g, unit)
    unit.place = TABLE
    g.say(_("%(model)s is on the battlefield."), model=unit.name)


def take_back(g: Table, unit: Unit) -> None:
    """A model that was out belongs to the match again, wherever it is then."""
    if unit.place == REMOVED:
        _restore(g, unit)


def _restore(g: Table, unit: Unit) -> None:
    """At least one wound, or one Ki; its flank has gone with it.

    In the turn of its fall that is a correction. Later it is a return, after which no VIM is one.
    """
    unit.flanks = False
    if dict(g.fallen).get(unit.key) == g.round:
        forget_fall(g, unit)
    elif unit.place == REMOVED and unit.key == g.armies[unit.army].vim:
        g.say(_("%(model)s has left the match and returned, so it is no longer the VIM."), model=unit.name)
    if unit.tracks_wounds:
        unit.wounds = max(1, unit.wounds)
    if lives_on_ki(unit):
        unit.ki = max(1, unit.ki)


# --- the wound test ----------------------------------------------------------------------------------


class WoundTest(Anybody[Table]):
    """BUSH-34: wounds are the success level and what two dice add: 2 −3, 3 −2, 4–5 −1, 6–8 nothing,
    9–10 +1, 11 +2, 12 +3; less its toughness; never below 0. `model` is the key of the
    model that was hit.
    """

    model: str
    level: int

    rule = "BUSH-34"
    title = _("How many wounds?")
    help = _(
        "Sum of two dice 2:\xa0−3 · 3:\xa0−2 · 4–5:\xa0−1 · 6–8:\xa0±0 · 9–10:\xa0+1 · 11:\xa0+2 · 12:\xa0+3"
    )

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if self.model in g.units and g.units[self.model].is_on_table else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("roll", say(_("Roll two dice")), style="main")
        yield Offer("rolled", say(_("The sum of our dice")), 2, 12)
        yield Offer("back", say(_("Back")), style="quiet")

    @answer
    def roll(self, g: Table, seat: str) -> None:
        first, second = g.die(), g.die()
        g.say(_("The dice show %(first)s and %(second)s."), first=first, second=second)
        self.rolled(g, seat, first + second)

    @answer
    def rolled(self, g: Table, seat: str, dice: int) -> None:
        unit, suffered = g.units[self.model], wounds_for(self.level, dice)
        g.say(_("Success level %(level)s, dice %(dice)s."), level=self.level, dice=dice)
        if spared := _spared(g, unit, suffered):
            g.say_count(
                "%(model)s is Tough: %(count)s fewer wound.",
                "%(model)s is Tough: %(count)s fewer wounds.",
                spared,
                model=unit.name,
            )
        suffer(g, unit, suffered - spared)
        g.end()

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        if self.model not in g.units:
            return Line(self.title)
        line = _("%(model)s, success level %(level)s: how many wounds?")
        return say(line, model=g.units[self.model].name, level=self.level)


def _spared(g: Table, unit: Unit, wounds: int) -> int:
    return min(wounds, unit.tough)


# --- states that wound


def damage(values: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """BUSH-18: the highest marker comes off and wounds by its value, repeated until at most two are left."""
    left = sorted(values, reverse=True)
    suffered = left.pop(0) if left else 0
    while len(left) > 2:
        suffered += left.pop(0)
    return suffered, tuple(left)
