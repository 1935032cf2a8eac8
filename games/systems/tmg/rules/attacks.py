"""The attack sheet: an attack step by step (TMG-102 to TMG-122), offered to everybody and never asked.

Its steps are corrections, so that any question stays open meanwhile, any step can be left out, and either
player may enter what was rolled. `Table.attack` keeps the numbers of the attack until it ends: they start as
printed, with what abilities are known to change, and each can be changed. Dice are rolled at the table and
entered as one number, or rolled here and taken as they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from games.core import Argument, Button, Choice, Counter, Line, Switches, Term, say, say_count
from games.core import gettext_noop as _
from games.systems.tmg.lists import army_cards
from games.systems.tmg.pieces import WALL, Table, Unit
from games.systems.tmg.rules import destruction, objective_tokens, tactics_cards

ATTACK = _("Attack")

HITS, SAVES, BLOCKED, PANIC, PANICKED = "hits", "saves", "blocked", "panic", "panicked"
"""What an attack waits for: its hits; its saves; that the saves rolled here, which are blocks, are taken; the
panic test; that the dice of the test rolled here are taken."""

MOST_DICE, MOST_HITS, MOST_ADDED, HIGHEST, DIE = 30, 40, 5, 14, 6
UNKNOWN = 0
"""A number that is not printed here, so that the players have to say it before the app can roll."""


class Attack(NamedTuple):
    """An attack, or with no attacker a panic test alone; `number` tells it from the one before.

    `weapon` is which of the printed attacks it uses. `hit`, `defence` and `morale` are what a roll has to
    reach, `more` is added to the wounds of a failed panic test, `changes` are the keys of `CHANGES` that are
    on. `hits`, of which `sure` cannot be saved, `blocked` and `wounds` are what has come of it, −1 before
    that; `rolled` are the dice that lie there, `misses` the attack dice that did not hit. A panic test before
    an attack has that attack in `then` (attacker, target, weapon). What strikes back causes no panic test.
    """

    number: int
    attacker: str
    target: str
    weapon: int = 0
    step: str = HITS
    dice: int = UNKNOWN
    hit: int = UNKNOWN
    defence: int = UNKNOWN
    morale: int = UNKNOWN
    more: int = 0
    changes: tuple[str, ...] = ()
    hits: int = -1
    sure: int = 0
    blocked: int = -1
    wounds: int = -1
    rolled: tuple[int, ...] = ()
    misses: int = 0
    then: tuple[Any, ...] = ()
    strikes_back: bool = False


CHARGING, FLANK, REAR, NO_SAVES, COUNTERSTRIKE = "charging", "flank", "rear", "no-saves", "counterstrike"
SUNDERING, VICIOUS, CRITICAL, PRECISION = "sundering", "vicious", "critical-blow", "precision"
HALVED, CAPPED, MOST_PANIC = "halved", "capped", 2
CHANGES = {
    CHARGING: (_("Charging"), 0, 0),
    FLANK: (_("From the flank"), 1, 1),
    REAR: (_("From the rear"), 2, 2),
    SUNDERING: (_("Sundering"), 1, 0),
    VICIOUS: (_("Vicious"), 0, 2),
    CRITICAL: (_("Critical Blow"), 0, 0),
    PRECISION: (_("Precision"), 0, 0),
    NO_SAVES: (_("No defence dice"), 0, 0),
    COUNTERSTRIKE: (_("Counterstrike: a hit for each miss"), 0, 0),
    HALVED: (_("1 wound for 2 hits"), 0, 0),
    CAPPED: (_("Panic: at most 2 wounds"), 0, 0),
}
"""What changes an attack: its name, what it takes off each defence die and off the roll of a panic test."""

OF_ATTACKER = {
    **dict.fromkeys(("crossbow", "halberd", "tooth & claw", "lance"), (SUNDERING,)),
    **dict.fromkeys(("jagged weapons", "spiked flail", "blade and fang", "war flail"), (VICIOUS,)),
    **dict.fromkeys(("scimitar", "winter's bite"), (CRITICAL,)),
    **dict.fromkeys(("chieftain's fury", "wildfire", "furious swing"), (NO_SAVES, VICIOUS)),
    "vicious mauling": (SUNDERING, VICIOUS),
    "ruthless aggression": (VICIOUS,),
    "cleaving blows": (NO_SAVES,),
}
OF_TARGET = {"giant": (HALVED, CAPPED)}
OF_FOUGHT = {"counterstrike": (COUNTERSTRIKE,)}
"""Abilities that always do the same, by name: which changes they switch on; the last in melee only."""
ON_CHARGE = {"furious charge": ("vulnerable",), "ferocious assault": ("panicked",)}
FROM_BEHIND = {"ambush": ("panicked", "weakened")}
"""The conditions that a charge puts on its target, and one into its flank or rear."""
INTIMIDATING, DISORGANIZED, VISAGE, UNYIELDING, PREY = (
    "intimidating presence", "disorganized", "horrific visage", "unyielding", "prey on fear",
)  # fmt: skip
LANCE_DICE, PREY_WOUNDS, COIN = 2, 2, "wealth"


def current(g: Table) -> Attack | None:
    """The attack that is being resolved; None if there is none, or its target has left the battlefield."""
    if not g.attack or g.result is not None:
        return None
    attack = Attack(*g.attack)
    target = g.units.get(attack.target)
    return attack if target is not None and target.is_on_table else None


def stats_of(g: Table, key: str) -> army_cards.Stats | None:
    """The printed numbers of a unit, if they are known."""
    unit = g.units.get(key)
    return army_cards.known_stats(g.entries).get(unit.card) if unit else None


def begin(g: Table, attacker: str, target: str) -> None:
    """TMG-102: an attack has one attacker, one target and one of the attacks on the attacker's card."""
    _declare(g, Attack(_next_number(g), attacker, target, _usual(g, attacker)))


def _next_number(g: Table) -> int:
    return g.attack[0] + 1 if g.attack else 1


def _declare(g: Table, attack: Attack) -> None:
    """TMG-118: whoever attacks a unit of Horrific Visage in melee takes a panic test first.

    The roll is 1 less for each rank of that unit.
    """
    number, attacker, target, weapon = attack[:4]
    if _is_melee(g, attack) and _has(stats_of(g, target), VISAGE):
        test = Attack(number, "", attacker, step=PANIC, then=(attacker, target, weapon))
        _tell(g, _nerved(g, _defended(g, test), target, g.units[target].standing_ranks))
    else:
        _tell(g, _numbered(g, attack))


def _is_melee(g: Table, attack: Attack) -> bool:
    weapon = weapon_of(g, attack)
    return is_melee(weapon) if weapon else attack.target in g.units[attack.attacker].engaged_with


def _go_on(g: Table, attack: Attack) -> None:
    """What follows: the attack after the panic test of its attacker, or what strikes back (TMG-119)."""
    g.attack, said = (), len(g.lines)
    if attack.then:
        attacker, target, weapon = attack.then
        if can_attack(g, g.units[attacker]) and g.units[target].is_on_table:
            _tell(g, _numbered(g, Attack(attack.number, attacker, target, weapon)))
    elif can_strike_back(g, attack):
        back = Attack(attack.number, attack.target, attack.attacker, step=SAVES, hits=attack.misses)
        _tell(g, _defended(g, back._replace(strikes_back=True)))
    # The first sentence is about what is open now.
    g.lines = [*g.lines[said:], *g.lines[:said]]


def can_strike_back(g: Table, attack: Attack) -> bool:
    """TMG-119: whether attack dice have missed a unit of Counterstrike, and the attacker is still there."""
    has_missed = COUNTERSTRIKE in attack.changes and attack.misses > 0
    return has_missed and can_attack(g, g.units[attack.attacker])


def _usual(g: Table, key: str) -> int:
    """TMG-103: an engaged unit attacks in melee, any other at range, if its card has such an attack."""
    unit, stats = g.units.get(key), stats_of(g, key)
    if unit is None or stats is None:
        return 0
    fitting = (at for at, each in enumerate(stats.attacks) if is_melee(each) == bool(unit.engaged_with))
    return next(fitting, 0)


def is_melee(weapon: army_cards.Attack) -> bool:
    return weapon.kind not in ("short", "long")


def weapon_of(g: Table, attack: Attack) -> army_cards.Attack | None:
    stats = stats_of(g, attack.attacker)
    return stats.attacks[attack.weapon] if stats and attack.weapon < len(stats.attacks) else None


def _numbered(g: Table, attack: Attack) -> Attack:
    """TMG-104: the printed numbers, dice by the ranks that are left now, changed as known abilities do."""
    own, weapon = stats_of(g, attack.attacker), weapon_of(g, attack)
    its = stats_of(g, attack.target)
    is_fought = _is_melee(g, attack)
    if weapon is not None:
        lost = army_cards.lost_ranks(g.units[attack.attacker])
        attack = attack._replace(dice=weapon.dice[weapon.at(lost)], hit=least(weapon.hit))
        attack = attack._replace(
            dice=attack.dice + sum(_more_dice(g, attack, own)),
            hit=attack.hit + (is_fought and _has(its, "disrupt")) - sum(_surer(g, attack, own)),
        )
    attack = _nerved(g, _defended(g, attack), attack.attacker if is_fought else "")
    changes = *_known(own, weapon, OF_ATTACKER), *_known(its, None, OF_FOUGHT if is_fought else {})
    for change in changes:
        attack = _switched(g, attack, change, True)
    return attack


def _defended(g: Table, attack: Attack) -> Attack:
    """What a unit's saves have to show, and what its own abilities change of its wounds."""
    stats = stats_of(g, attack.target)
    if stats is not None:
        attack = attack._replace(defence=least(stats.defence) - _has_coin(g, attack.target))
    return attack._replace(changes=(*attack.changes, *_known(stats, None, OF_TARGET)))


def _nerved(g: Table, attack: Attack, enemy: str, harder: int = 0) -> Attack:
    """The numbers of a unit's panic test; `enemy` is in melee with it, "" for none, as all that engage it."""
    unit, stats = g.units[attack.target], stats_of(g, attack.target)
    fears = any(_has(stats_of(g, key), INTIMIDATING) for key in {enemy, *unit.engaged_with})
    if stats is not None:
        morale = least(stats.morale) + fears + harder - _has_coin(g, attack.target)
        attack = attack._replace(morale=morale)
    return attack._replace(more=fears + _has(stats, DISORGANIZED) - _spared(g, unit))


def _spared(g: Table, unit: Unit) -> int:
    """The wounds of a failed panic test that a unit is spared for the ranks it has lost by then."""
    return army_cards.lost_ranks(unit) if _has(stats_of(g, unit.key), UNYIELDING) else 0


def _has_coin(g: Table, key: str) -> bool:
    """Whether a unit fights for coin, and its side holds the zone of money."""
    zone = g.objectives.get(COIN)
    is_bought = zone is not None and g.units[key].player in tactics_cards.holders(g, zone)
    return is_bought and _has(stats_of(g, key), "loyalty through coin")


def _more_dice(g: Table, attack: Attack, own: army_cards.Stats | None) -> Iterator[int]:
    unit = g.units[attack.attacker]
    yield unit.wounds_total - unit.wounds if _has(own, "vicious mauling") else 0
    yield int(_is_ganged_up_on(g, attack))


def _surer(g: Table, attack: Attack, own: army_cards.Stats | None) -> Iterator[int]:
    yield int(_has(own, "winter's bite") and army_cards.lost_ranks(g.units[attack.attacker]) > 0)
    yield int(_is_ganged_up_on(g, attack))


def _is_ganged_up_on(g: Table, attack: Attack) -> bool:
    """Whether the target fights two of the attacker's side, and one of them gangs up."""
    side, fought = g.units[attack.attacker].player, g.units[attack.target].engaged_with
    friends = [key for key in fought if key in g.units and g.units[key].player == side]
    gangs = any(_has(stats_of(g, key), "gang-up") for key in friends)
    return _is_melee(g, attack) and len(friends) > 1 and gangs


def least(printed: str) -> int:
    """What a die has to show for a printed value ("4+")."""
    return int(printed.removesuffix("+"))


def _called(ability: str) -> str:
    return ability.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _has(stats: army_cards.Stats | None, ability: str) -> bool:
    return stats is not None and ability in map(_called, stats.abilities)


def _known(
    stats: army_cards.Stats | None, weapon: army_cards.Attack | None, effects: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """What the abilities of a unit change; one that is called like another of its attacks does nothing."""
    if stats is None:
        return
    others = {_called(each.name) for each in stats.attacks if weapon and each.name != weapon.name}
    changes = (change for name in map(_called, stats.abilities) if name not in others
               for change in effects.get(name, ()))  # fmt: skip
    yield from dict.fromkeys(changes)


def _switched(g: Table, attack: Attack, change: str, is_on: bool) -> Attack:
    """TMG-108: what the changes take off rolls adds up, none counts twice, and it comes from one side."""
    if (change in attack.changes) == is_on:
        return attack
    if is_on and change in (FLANK, REAR):
        attack = _switched(g, attack, FLANK if change == REAR else REAR, False)
    _name, on_saves, on_panic = CHANGES[change]
    times = 1 if is_on else -1
    others = tuple(each for each in attack.changes if each != change)
    own = stats_of(g, attack.attacker) if change == CHARGING else None
    if _has(own, "lance"):
        ranks = g.units[attack.attacker].standing_ranks
        attack = attack._replace(dice=max(0, attack.dice + times * LANCE_DICE * ranks))
    if _has(own, "war flail"):
        attack = _switched(g, attack, CRITICAL, is_on)
        others = tuple(each for each in attack.changes if each != change)
    return attack._replace(
        defence=attack.defence and attack.defence + times * on_saves,
        morale=attack.morale and attack.morale + times * on_panic,
        changes=(*others, change) if is_on else others,
    )


# --- dice -----------------------------------------------------------------------------------------------


def succeeds(face: int, least: int, *, six: bool, one: bool) -> bool:
    """TMG-105: whether a die reaches its number; by the ruleset a 6 always does, a 1 never."""
    if face == DIE and six:
        return True
    return face >= least and not (face == 1 and one)


def hits_with(g: Table, attack: Attack, face: int) -> bool:
    return succeeds(face, attack.hit, six=_rule(g, "six_hits"), one=_rule(g, "one_fails"))


def blocks_with(g: Table, attack: Attack, face: int) -> bool:
    return succeeds(face, attack.defence, six=_rule(g, "six_blocks"), one=_rule(g, "one_fails"))


def _rule(g: Table, name: str) -> bool:
    """A switch of the ruleset; matches from before it have it on."""
    return bool(g.rules.get(name, True))


def _counted(g: Table, attack: Attack) -> Attack:
    """What the dice that lie there come to."""
    if attack.step == SAVES:
        hitting = [face for face in attack.rolled if hits_with(g, attack, face)]
        # TMG-106: the face counts, after all re-rolls and without modifiers.
        sixes = hitting.count(DIE)
        hits = len(hitting) + (sixes if CRITICAL in attack.changes else 0)
        sure = hits if NO_SAVES in attack.changes else sixes if PRECISION in attack.changes else 0
        return attack._replace(hits=hits, sure=sure, misses=len(attack.rolled) - len(hitting))
    if attack.step == BLOCKED:
        return attack._replace(blocked=sum(blocks_with(g, attack, face) for face in attack.rolled))
    return attack


def is_failed(attack: Attack) -> bool:
    """Whether the dice of a panic test that lie there have failed it."""
    return attack.step == PANICKED and sum(attack.rolled[:2]) < attack.morale


def wounds_of(attack: Attack, blocked: int) -> int:
    """TMG-110: each hit that is not blocked is a wound, or every second where they are halved."""
    unblocked = attack.hits - blocked
    return unblocked // 2 if HALVED in attack.changes else unblocked


def panic_wounds(g: Table, attack: Attack) -> int:
    """TMG-114: what the dice of a panic test cost: by the ruleset, then what is added, never less than 0."""
    return _lost_by_failing(g, attack, attack.rolled[2]) if is_failed(attack) else 0


def _lost_by_failing(g: Table, attack: Attack, die: int) -> int:
    wounds: int = max(0, g.rules["panic_wounds"] + die + attack.more)
    return min(wounds, MOST_PANIC) if CAPPED in attack.changes else wounds


def test_of(g: Table, unit: Unit) -> Attack:
    """A panic test without an attack: of a card, a zone, an objective or an ability."""
    return _nerved(g, _defended(g, Attack(_next_number(g), "", unit.key, step=PANIC)), "")


def failed(g: Table, unit: Unit) -> int:
    """The wounds of a failed panic test, rolled by the app (TMG-45)."""
    return _lost_by_failing(g, test_of(g, unit), g.die(g.rules["panic_die"]))


def can_roll(g: Table) -> bool:
    """Whether the app knows the numbers for the dice that are due."""
    attack = current(g)
    if attack is None:
        return False
    if is_taken(attack):
        return _rolls_on(g, attack)
    return {
        HITS: attack.dice > 0 and attack.hit > 0,
        SAVES: attack.defence > 0,
        PANIC: attack.morale > 0,
    }.get(attack.step, False)


def _rolls_on(g: Table, attack: Attack) -> bool:
    """Whether other dice follow those that lie there, and their numbers are known."""
    if attack.step != PANICKED and _panics(g, attack, wounds_of(attack, max(0, attack.blocked))):
        return attack.morale > 0
    if attack.then:
        attacker = g.units[attack.target]
        return panic_wounds(g, attack) < attacker.wounds and stats_of(g, attacker.key) is not None
    return can_strike_back(g, attack) and stats_of(g, attack.attacker) is not None


def is_taken(attack: Attack) -> bool:
    """Whether the dice that lie there need no others before they count."""
    return attack.step in (BLOCKED, PANICKED) or (attack.step == SAVES and attack.hits == attack.sure)


def _panics(g: Table, attack: Attack, wounds: int) -> bool:
    """TMG-113: a panic test follows wounds that the target has lived through; a wall takes none."""
    target = g.units[attack.target]
    return 0 < wounds < target.wounds and target.kind != WALL and not attack.strikes_back


# --- the steps ------------------------------------------------------------------------------------------


def _open(g: Table) -> Attack:
    attack = current(g)
    assert attack is not None  # what is offered is open
    return attack


def roll(g: Table, _table: Table) -> None:
    """Roll the dice that are due: to hit, to save, or for the panic test."""
    attack = _open(g)
    if attack.step == PANICKED:
        panic(g, g, panic_wounds(g, attack))
        attack = _open(g)
    elif is_taken(attack):
        block(g, g, max(0, attack.blocked))
        attack = _open(g)
    if attack.step == HITS:
        rolled = tuple(g.die() for _die in range(attack.dice))
        attack = attack._replace(step=SAVES, rolled=rolled)
    elif attack.step == SAVES:
        # TMG-107: added hits may be saved, those without a save have no die.
        rolled = tuple(g.die() for _die in range(attack.hits - attack.sure))
        attack = attack._replace(step=BLOCKED, rolled=rolled)
    else:
        rolled = (g.die(), g.die(), g.die(g.rules["panic_die"]))
        attack = attack._replace(step=PANICKED, rolled=rolled)
    _lie(g, _counted(g, attack), rolled)


def again(g: Table, _table: Table, place: int) -> None:
    """TMG-109: one of the dice that lie there is rolled again."""
    _roll_again(g, [place - 1])


def again_misses(g: Table, _table: Table) -> None:
    """TMG-109: all dice that lie there and came to nothing are rolled again."""
    _roll_again(g, _misses(g))


def _misses(g: Table) -> list[int]:
    attack = current(g)
    if attack is None or attack.step not in (SAVES, BLOCKED):
        return []
    counts = hits_with if attack.step == SAVES else blocks_with
    return [place for place, face in enumerate(attack.rolled) if not counts(g, attack, face)]


def _roll_again(g: Table, places: list[int]) -> None:
    attack = _open(g)
    rolled = list(attack.rolled)
    for place in places:
        rolled[place] = g.die(g.rules["panic_die"] if attack.step == PANICKED and place == 2 else DIE)
    _lie(g, _counted(g, attack._replace(rolled=tuple(rolled))), rolled)


DICE = {SAVES: _("Attack dice: %(dice)s."), BLOCKED: _("Defence dice: %(dice)s.")}
PANIC_DICE = _("Panic test: %(dice)s.")


def _lie(g: Table, attack: Attack, rolled: Iterable[int]) -> None:
    """Dice lie on the table for all to see."""
    lines = g.lines
    g.lines = []
    _tell(g, attack)
    g.say(DICE.get(attack.step, PANIC_DICE), dice=" ".join(map(str, rolled)))
    # Wounds that were taken with the same tap come after the one sentence about the whole attack.
    g.lines += lines[1:]


def enter_hits(g: Table, _table: Table, hits: int) -> None:
    """TMG-120: where no defence dice are rolled, hits are wounds at once."""
    attack = _open(g)._replace(step=SAVES, hits=hits, rolled=(), misses=max(0, _open(g).dice - hits))
    if hits and NO_SAVES in attack.changes:
        g.attack = tuple(attack._replace(sure=hits))
        block(g, g, 0)
        return
    _tell(g, attack if hits else attack._replace(wounds=0))
    if not hits:
        _go_on(g, attack)


def block(g: Table, _table: Table, blocked: int) -> None:
    """TMG-111: wounds count at once, with ranks and destruction, as if they were entered by hand."""
    attack = _open(g)
    wounds = min(wounds_of(attack, blocked), g.units[attack.target].wounds)
    attack = attack._replace(step=PANIC, blocked=blocked, wounds=wounds, rolled=())
    is_panicking, target = _panics(g, attack, wounds), g.units[attack.target]
    spared = _spared(g, target)
    _tell(g, attack)
    if not is_panicking:
        g.attack = ()
    destruction.wound(g, target, wounds, g.rival(target.army), is_told=False)
    if is_panicking:
        g.attack = tuple(attack._replace(more=attack.more + spared - _spared(g, target)))
    else:
        _go_on(g, attack)


def panic(g: Table, _table: Table, wounds: int) -> None:
    """TMG-112, TMG-114: the panic test is over: passed, or failed with this many wounds."""
    attack, target = _open(g), g.units[_open(g).target]
    fails, wounds = wounds > 0 or is_failed(attack), min(wounds, target.wounds)
    enemies = sorted(target.engaged_with) if fails else ()
    _tell(g, attack, _failed(wounds) if fails else say(_("panic test passed")))
    g.attack = ()
    destruction.wound(g, target, wounds, g.rival(target.army), is_told=False)
    if fails:
        objective_tokens.lose(g, target)
    for key in enemies:
        if key in g.units and _has(stats_of(g, key), PREY):
            destruction.restore(g, g.units[key], PREY_WOUNDS)
    _go_on(g, attack)


def close(g: Table, _table: Table) -> None:
    """TMG-116: an attack may end at any step; what it has done stays."""
    _tell(g, _open(g))
    g.say(_("The attack ends here."))
    g.attack = ()


def _failed(wounds: int) -> Line:
    return say_count("panic test failed, %(count)s wound", "panic test failed, %(count)s wounds", wounds)


def _tell(g: Table, attack: Attack, panic: Line | None = None) -> None:
    """Keep the attack as it is now, and say it in one sentence; each step says all that came before."""
    g.attack = tuple(attack)
    steps: list[Argument] = []
    if attack.hits >= 0:
        steps.append(say_count("%(count)s hit", "%(count)s hits", attack.hits))
    if attack.wounds >= 0:
        steps.append(say_count("%(count)s wound", "%(count)s wounds", attack.wounds))
    if panic is not None:
        steps.append(panic)
    if not attack.attacker:
        line = _("%(target)s: %(steps)s.") if steps else _("%(target)s takes a panic test.")
    elif attack.strikes_back:
        line = _("%(unit)s strikes back at %(target)s: %(steps)s.")
    else:
        line = _("%(unit)s attacks %(target)s: %(steps)s.") if steps else _("%(unit)s attacks %(target)s.")
    g.say(line, unit=name_of(g, attack.attacker), target=name_of(g, attack.target), steps=tuple(steps))


def name_of(g: Table, key: str) -> str:
    return g.units[key].name if key in g.units else key


# --- the numbers of an attack, which can all be changed ---------------------------------------------------


def _is_at(*steps: str) -> Callable[[Table, Any], bool]:
    """A condition of a row: that an attack waits at one of these steps."""

    def is_offered(g: Table, _piece: Any) -> bool:
        attack = current(g)
        return attack is not None and attack.step in steps

    return is_offered


def _number(
    verb: str, label: str, field: str, low: int, high: int, *steps: str, of: Callable[..., int] | None = None
) -> Counter:
    """A number of the attack as a row: TMG-115, whatever a card changes is entered here."""

    def write(g: Table, _table: Table, change: int) -> None:
        attack = _open(g)
        attack = attack._replace(**{field: getattr(attack, field) + change})
        if field == "hits":
            # TMG-107: hits are added once nothing is rolled again. TMG-120: they need a save to be saved.
            sure = attack.hits if NO_SAVES in attack.changes else min(attack.sure, attack.hits)
            attack = attack._replace(sure=sure, rolled=())
        _tell(g, _counted(g, attack) if field in ("hit", "defence") and attack.rolled else attack)
        g.say(_("%(what)s: %(number)s."), what=Term(label), number=getattr(attack, field))

    return Counter(
        verb,
        label,
        low,
        of or high,
        value=lambda g, _table: getattr(current(g), field),
        write=write,
        when=_is_at(*steps),
    )


def _most_sure(g: Table, _table: Table) -> int:
    return _open(g).hits


def _most_hits(g: Table, _table: Table) -> int:
    attack = _open(g)
    return min(MOST_HITS, max(attack.dice, 1) * (2 if CRITICAL in attack.changes else 1) + 5)


def _most_panic(g: Table, _table: Table) -> int:
    attack = _open(g)
    most: int = g.rules["panic_wounds"] + g.rules["panic_die"] + MOST_ADDED
    return min(most, g.units[attack.target].wounds)


def _enemies(g: Table, unit: Unit) -> Iterator[tuple[str, Line]]:
    for rival in g.units.values():
        if rival.army != unit.army and rival.is_combat and rival.is_on_table and rival.wounds:
            yield rival.key, Line(rival.name)


def can_attack(g: Table, unit: Unit) -> bool:
    """Whether a unit may attack: TMG-117, also without an activation, by a card, an order or a zone."""
    is_played = g.round and g.result is None
    return bool(is_played and unit.is_combat and unit.is_on_table and unit.wounds and unit.kind != WALL)


def _weapons(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    stats = stats_of(g, _open(g).attacker)
    for noun, weapon in zip(("first", "second"), stats.attacks if stats else (), strict=False):
        yield noun, say(_("Attack with %(weapon)s"), weapon=weapon.name)


def _use(g: Table, _table: Table, noun: str) -> None:
    attack = _open(g)
    _declare(g, Attack(attack.number, attack.attacker, attack.target, int(noun == "second")))


def _switch(is_on: bool) -> Callable[[Table, Table, str], None]:
    def write(g: Table, _table: Table, change: str) -> None:
        attack = _switched(g, _open(g), change, is_on)
        _tell(g, _counted(g, attack) if attack.rolled else attack)
        name = Term(CHANGES[change][0])
        if is_on and CHARGING in attack.changes:
            _charge(g, attack, change)
        g.say(_("It counts: %(what)s.") if is_on else _("It does not count: %(what)s."), what=name)

    return write


def _charge(g: Table, attack: Attack, change: str) -> None:
    """TMG-121: some charges put conditions on their target, others only from flank or rear; each only now."""
    own, target = stats_of(g, attack.attacker), g.units[attack.target]
    effects: dict[str, tuple[str, ...]] = dict(ON_CHARGE) if change == CHARGING else {}
    if change in (CHARGING, FLANK, REAR) and {FLANK, REAR}.intersection(attack.changes):
        effects = effects | FROM_BEHIND
    for ability, conditions in effects.items():
        for condition in conditions if _has(own, ability) and not destruction.gains_none(g, target) else ():
            destruction.gain(g, target, condition)


def _expendable(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    """TMG-109: the conditions for which the other side may have dice rolled again."""
    attack = _open(g)
    for key, condition in (
        (attack.attacker, "weakened"), (attack.target, "vulnerable"), (attack.target, "panicked"),
    ):  # fmt: skip
        if key in g.units and condition in g.units[key].conditions:
            called = Term(destruction.CONDITION_NAMES[condition])
            yield condition, say(_("Expend %(condition)s of %(unit)s"), condition=called,
                                 unit=g.units[key].name)  # fmt: skip


def _expend(g: Table, _table: Table, condition: str) -> None:
    attack = _open(g)
    _tell(g, attack)
    destruction.lose(g, g.units[attack.attacker if condition == "weakened" else attack.target], condition)


def _rolls(g: Table, _table: Table) -> Line:
    attack = _open(g)
    if is_taken(attack):
        follows = _panics(g, attack, wounds_of(attack, max(0, attack.blocked)))
        is_panic = attack.step != PANICKED and follows
        return Line(_("Take the wounds and roll the panic test") if is_panic else _("Take that and roll on"))
    if attack.step in (HITS, SAVES):
        dice = attack.dice if attack.step == HITS else attack.hits - attack.sure
        return say_count("Roll %(count)s die here", "Roll %(count)s dice here", dice)
    return Line(_("Roll the panic test here"))


def _changes(_g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    return ((key, Line(name)) for key, (name, *_numbers) in CHANGES.items())


OPEN = (HITS, SAVES, BLOCKED, PANIC, PANICKED)

# fmt: off
OF_UNIT = {
    ATTACK: (
        Choice("attack", _enemies, lambda g, unit, target: begin(g, unit.key, target), when=can_attack),
        Button("test-panic", _("Panic test"), lambda g, unit: _tell(g, test_of(g, unit)), when=can_attack),
    ),
}
OF_TABLE = {
    ATTACK: (
        Button("hits", _("Hits"), enter_hits, low=0, high=_most_hits, when=_is_at(HITS)),
        Button("blocks", _("Blocked"), block, low=0, high=lambda g, _table: _open(g).hits,
               when=_is_at(SAVES, BLOCKED)),
        Button("panics", _("Wounds of the panic test, 0 if it is passed"), panic, low=0, high=_most_panic,
               when=_is_at(PANIC, PANICKED)),
        Button("roll-dice", _rolls, roll, when=lambda g, _table: can_roll(g)),
        Button("again", _("Roll one of the dice again"), again, low=1,
               high=lambda g, _table: len(_open(g).rolled), when=_is_at(SAVES, BLOCKED, PANICKED)),
        Button("again-misses", _("Roll again what did not succeed"), again_misses,
               when=lambda g, _table: bool(_misses(g))),
        Choice("expend", _expendable, _expend, when=_is_at(*OPEN)),
        Choice("weapon", _weapons, _use, lambda g, _table: ("first", "second")[_open(g).weapon],
               when=_is_at(HITS)),
        _number("dice", _("Attack dice"), "dice", 0, MOST_DICE, HITS),
        _number("to-hit", _("To hit"), "hit", 0, HIGHEST, HITS, SAVES),
        _number("more-hits", _("Hits"), "hits", 0, MOST_HITS, SAVES),
        _number("sure-hits", _("Hits without a save"), "sure", 0, MOST_HITS, SAVES, of=_most_sure),
        _number("more-blocks", _("Blocked"), "blocked", 0, MOST_HITS, BLOCKED, of=_most_sure),
        _number("to-save", _("Defence"), "defence", 0, HIGHEST, HITS, SAVES, BLOCKED),
        _number("to-stand", _("Morale"), "morale", 0, HIGHEST, *OPEN),
        _number("more-panic", _("Wounds added to a failed panic test"), "more", -MOST_ADDED, MOST_ADDED,
                *OPEN),
        Switches("count", "ignore", _changes, put=_switch(True), take=_switch(False), when=_is_at(*OPEN),
                 is_on=lambda g, _table, change: change in _open(g).changes),
        Button("end-attack", _("End the attack here"), close, when=_is_at(*OPEN), style="quiet"),
    ),
}
# fmt: on
