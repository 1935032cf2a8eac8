"""The seventeen states: what each is called, what it does, and its markers on a model."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import gettext_noop as _
from games.systems.bushido.pieces import Marker, Unit

BERSERK, BLEEDING, BLIND, CONTROLLED = "berserk", "bleeding", "blind", "controlled"
DEATH_SENTENCE, DISEASED, DISGUISED, FRIGHTENED = "death-sentence", "diseased", "disguised", "frightened"
HELD, IMMOBILISED, IMPETUOUS, ON_FIRE = "held", "immobilised", "impetuous", "on-fire"
POISONED, PRONE, RELOADING, SPIRIT_BLOCK, STUNNED = (
    "poisoned",
    "prone",
    "reloading",
    "spirit-block",
    "stunned",
)


@dataclass(frozen=True, slots=True)
class StateOf:
    """What a state is called, what to remember about it, and whether its markers have values."""

    title: str
    help: str
    has_value: bool = False


STATES = {
    BERSERK: StateOf(_("Berserk"), _("Comes with an Impetuous marker. Ends in the End Phase.")),
    BLEEDING: StateOf(_("Bleeding"), _("Wounds in the End Phase; any healing ends it."), has_value=True),
    BLIND: StateOf(_("Blind"), _("One melee die less, no run or charge. Ends in the End Phase.")),
    CONTROLLED: StateOf(
        _("Controlled"), _("Counts for the other warband; remove a marker with each counter it uses.")
    ),
    DEATH_SENTENCE: StateOf(
        _("Death Sentence"),
        _(
            "Enemies roll one melee or ranged die more, and add 1 for wounds. In the Starting Phase 3 Ki may "
            "remove a marker."
        ),
    ),
    DISEASED: StateOf(
        _("Diseased"), _("It gets 1 counter less in the Starting Phase; then remove a marker.")
    ),
    DISGUISED: StateOf(
        _("Disguised"), _("Ends with a fight, a ranged attack or a scenario action."), has_value=True
    ),
    FRIGHTENED: StateOf(
        _("Frightened"),
        _(
            "One melee and one ranged die less; at most half of its melee dice attack. "
            "Fear test again in the End Phase."
        ),
    ),
    HELD: StateOf(
        _("Held"), _("One melee die less. Ends when its holder leaves or fights another, or it disengages.")
    ),
    IMMOBILISED: StateOf(_("Immobilised"), _("A size test of 6 before it acts; a wait removes all.")),
    IMPETUOUS: StateOf(_("Impetuous"), _("Acts before the others of its warband; then remove a marker.")),
    ON_FIRE: StateOf(
        _("On fire"),
        _("Wounds in the End Phase, toughness does not help; a wait removes two."),
        has_value=True,
    ),
    POISONED: StateOf(_("Poisoned"), _("Wounds in the End Phase."), has_value=True),
    PRONE: StateOf(_("Prone"), _("One melee die less until it stands up.")),
    RELOADING: StateOf(_("Reloading"), _("A wait removes one marker.")),
    SPIRIT_BLOCK: StateOf(_("Spirit Block"), _("No Ki in the next Ki step; then remove a marker.")),
    STUNNED: StateOf(
        _("Stunned"),
        _("One melee and one ranged die less. Remove a marker in the End Phase, all with a wait."),
    ),
}
DAMAGING = (ON_FIRE, BLEEDING, POISONED)
"""States that wound in the End phase, in the order in which they are worked out."""

MOST_VALUE, MOST_MARKERS = 6, 12

NOT_OF_KAMI = frozenset({BLEEDING, DISEASED, ON_FIRE, POISONED})
"""The states to which every Kami is immune. What other models are immune to is on their cards."""


def can_gain(unit: Unit, name: str) -> bool:
    """Whether a model can gain a marker of a state: a Prone one is not made Prone again, a Kami is immune."""
    return not (unit.has(PRONE) if name == PRONE else unit.is_kami and name in NOT_OF_KAMI)


def add(unit: Unit, name: str, value: int = 1) -> None:
    unit.markers = (*unit.markers, (name, value))


def remove(unit: Unit, name: str) -> int:
    """Take the highest marker of a state off a model; return its value, 0 if there was none."""
    if not unit.has(name):
        return 0
    highest = unit.values(name)[0]
    kept = list(unit.markers)
    kept.remove((name, highest))
    _keep(unit, kept)
    return highest


def clear(unit: Unit, name: str) -> None:
    _keep(unit, [marker for marker in unit.markers if marker[0] != name])


def _keep(unit: Unit, markers: list[Marker]) -> None:
    unit.markers = tuple(markers)
    if unit.controller and not unit.has(CONTROLLED):
        unit.controller = None


def damage(values: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """BUSH-18: the highest marker comes off and wounds by its value, repeated until at most two are left."""
    left = sorted(values, reverse=True)
    suffered = left.pop(0) if left else 0
    while len(left) > 2:
        suffered += left.pop(0)
    return suffered, tuple(left)
