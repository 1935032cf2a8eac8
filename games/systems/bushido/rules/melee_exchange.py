"""The dice of a Melee Exchange (BUSH-37 to BUSH-39): both sides' pools as they were split, rolled at once.

Offered beside any question and never asked: whoever likes rolls real dice and enters the hit (BUSH-34).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.core import Button
from games.core import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules.wounds_and_ki import WoundTest

MELEE = _("Melee Exchange")
MOST_DICE, MOST_SUPPORT = 12, 2
ATTACK, DEFENCE = "attack-dice", "defence-dice"


def fighters(g: Table) -> tuple[Unit, ...]:
    """The model that acted and the one that it fights, while both are on the battlefield."""
    found = [g.units[key] for key in (g.acting, g.target) if key in g.units]
    return tuple(found) if len(found) > 1 and all(unit.is_on_table for unit in found) else ()


def pools(g: Table) -> dict[tuple[str, str], int]:
    """The dice that were entered, by model and colour."""
    return {(model, verb): dice for model, verb, dice in g.exchange[1:]}


def missing(g: Table) -> list[tuple[str, str]]:
    """What has yet to be entered: model and colour."""
    entered = pools(g)
    every = [(unit.key, verb) for unit in fighters(g) for verb in (ATTACK, DEFENCE)]
    return [each for each in every if each not in entered]


def is_open(g: Table) -> bool:
    """Whether an exchange has begun and its models still fight."""
    return bool(g.exchange) and {key for key, _verb in pools(g)} <= {unit.key for unit in fighters(g)}


def _enter(verb: str) -> Callable[[Table, Unit, int], None]:
    def enter(g: Table, unit: Unit, dice: int) -> None:
        """BUSH-37: a side's pool is split into attack and defence dice."""
        number = g.exchange[0] if is_open(g) else (g.exchange[0] + 1 if g.exchange else 1)
        kept = tuple(each for each in g.exchange[1:] if each[:2] != (unit.key, verb)) if is_open(g) else ()
        g.exchange = (number, *kept, (unit.key, verb, dice))
        line = (
            _("%(model)s: attack dice %(dice)s.")
            if verb == ATTACK
            else _("%(model)s: defence dice %(dice)s.")
        )
        g.say(line, model=unit.name, dice=dice)
        if not missing(g):
            _roll(g)

    return enter


def _roll(g: Table) -> None:
    """BUSH-38: all dice are rolled at once; the model that acted attacks first.

    BUSH-39: the other attacks back if it is still there.
    """
    entered, (first, second) = pools(g), fighters(g)
    rolled = {each: [g.die() for _die in range(dice)] for each, dice in entered.items()}
    for unit in (first, second):
        attack, defence = (" ".join(map(str, rolled[unit.key, verb])) or "–" for verb in (ATTACK, DEFENCE))
        line = _("%(model)s: attack %(attack)s, defence %(defence)s.")
        g.say(line, model=unit.name, attack=attack, defence=defence)
    left = {
        unit.key: sum(face > 1 for verb in (ATTACK, DEFENCE) for face in rolled[unit.key, verb])
        for unit in (first, second)
    }
    hits = []
    for unit, enemy in ((first, second), (second, first)):
        level = result(rolled[unit.key, ATTACK]) - result(rolled[enemy.key, DEFENCE])
        wins_tie = left[unit.key] > left[enemy.key] or (left[unit.key] == left[enemy.key] and unit is first)
        if not entered[unit.key, ATTACK] or level < 0 or (not level and not wins_tie):
            g.say(_("%(model)s does not hit."), model=unit.name)
        else:
            g.say(_("%(model)s hits, success level %(level)s."), model=unit.name, level=level)
            hits.append(WoundTest(enemy.key, level, unit.key))
    g.exchange = ()
    for hit in reversed(hits):
        g.call(hit)


def result(dice: list[int]) -> int:
    """What dice come to: 1s are out, the best counts, and each other adds 1, at most 2."""
    left = [face for face in dice if face > 1]
    return max(left) + min(MOST_SUPPORT, len(left) - 1) if left else 0


def _close(g: Table, _table: Table) -> None:
    g.exchange = ()
    g.say(_("The dice are real ones."))


def _fights(g: Table, unit: Unit) -> bool:
    return g.result is None and any(unit is each for each in fighters(g))


# fmt: off
OF_UNIT: dict[str, tuple[Any, ...]] = {
    MELEE: (
        Button(ATTACK, _("Attack dice"), _enter(ATTACK), low=0, high=MOST_DICE, when=_fights),
        Button(DEFENCE, _("Defence dice"), _enter(DEFENCE), low=0, high=MOST_DICE, when=_fights),
    ),
}
OF_TABLE: dict[str, tuple[Any, ...]] = {
    MELEE: (
        Button("end-exchange", _("Roll real dice instead"), _close, when=lambda g, _table: is_open(g)),
    ),
}
# fmt: on
