"""The Melee Exchange in the app: pools split in secret, all dice rolled at once, then each side's attack.

It is offered beside any question and begins with a tap of either player (BUSH-37 to BUSH-42); whoever likes
rolls real dice and enters the hit (BUSH-34). `Table.exchange` keeps its numbers, what is sealed is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import Any, NamedTuple

from games.core import (
    Anybody,
    Argument,
    Button,
    Counter,
    Line,
    Offer,
    Step,
    Switches,
    Term,
    answer,
    name_of,
    say,
    say_count,
    step_of,
)
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    BLIND,
    CHARGED,
    EXHAUSTED,
    FRIGHTENED,
    HELD,
    PRONE,
    RESOLVED,
    STATES,
    STUNNED,
    Table,
    Unit,
)
from games.systems.bushido.rules import wounds_and_ki
from games.systems.bushido.rules.victory_and_end import Closing

MELEE, OF_CARD = _("Melee Exchange"), _("Melee, on its card")
MOST_DICE, MOST_SUPPORT, MOST_COST, MOST_NUMBER = 12, 2, 4, 6
SPLIT = "split"
"""The name of a seat's hidden split."""

POOL, BRUTAL, PARRY, UNBLOCKABLE = "melee-pool", "brutal", "parry", "unblockable"
STRENGTH, ARMOUR, PIERCE, SHARP = "strength", "armour", "pierce", "sharp"
NUMBERS = {
    POOL: (_("Melee Pool"), 0), BRUTAL: (_("Brutal"), 0), PARRY: (_("Parry"), 0),
    UNBLOCKABLE: (_("Unblockable"), 0), STRENGTH: (_("Strength of its weapon"), -MOST_NUMBER),
    ARMOUR: (_("Armour"), 0), PIERCE: (_("Pierce"), 0), SHARP: (_("Sharp"), 0),
}  # fmt: skip
"""The numbers of a model's card that count in an exchange: their names and their least values."""
IMPENETRABLE, KATA, AGGRESSIVE, DEFENSIVE = "impenetrable-defence", "kata", "aggressive", "defensive"
STRONG, WEAK, DURABLE, ENDURANCE = "strong", "weak", "durable", "endurance"
TRAITS = {
    IMPENETRABLE: _("Impenetrable Defence"), KATA: _("Kata"), AGGRESSIVE: _("Aggressive"),
    DEFENSIVE: _("Defensive"), STRONG: _("Strong"), WEAK: _("Weak"), DURABLE: _("Durable"),
    ENDURANCE: _("Endurance"),
}  # fmt: skip


class Special(NamedTuple):
    """A special attack or defence: what its wounds are divided by (0: no damage roll), the state that it puts
    on the enemy, whether the enemy cannot attack after it."""

    name: str
    divides: int = 1
    state: str = ""
    parts: bool = False


COMBO, CRITICAL, POWERFUL, COUNTERSTRIKE = (
    "combo-attack", "critical-attack", "powerful-attack", "counterstrike-defence",
)  # fmt: skip
ATTACKS = {
    COMBO: Special(_("Combo Attack")),
    CRITICAL: Special(_("Critical Attack")),
    POWERFUL: Special(_("Powerful Attack")),
    "drag-attack": Special(_("Drag Attack"), 0),
    "forceback-attack": Special(_("Forceback Attack"), 2),
    "grapple-attack": Special(_("Grapple Attack"), 0, HELD, parts=True),
    "push-attack": Special(_("Push Attack"), 0, parts=True),
    "sidestep-attack": Special(_("Sidestep Attack"), 0, parts=True),
    "slam-attack": Special(_("Slam Attack"), 2, PRONE, parts=True),
    "stun-attack": Special(_("Stun Attack"), 1, STUNNED),
    "sweep-attack": Special(_("Sweep Attack"), 2, PRONE, parts=True),
    "throw-attack": Special(_("Throw Attack"), 2, PRONE, parts=True),
}
DEFENCES = {
    COUNTERSTRIKE: Special(_("Counterstrike Defence")),
    "drag-defence": Special(_("Drag Defence"), 0),
    "forceback-defence": Special(_("Forceback Defence"), 0),
    "grapple-defence": Special(_("Grapple Defence"), 0, HELD),
    "push-defence": Special(_("Push Defence"), 0, parts=True),
    "sidestep-defence": Special(_("Sidestep Defence"), 0, parts=True),
    "sweep-defence": Special(_("Sweep Defence"), 0, PRONE),
    "throw-defence": Special(_("Throw Defence"), 0, PRONE, parts=True),
}
SPECIALS, PLAIN = {**ATTACKS, **DEFENCES}, "plain"
"""Special attacks and defences by their key; the split without one is plain."""

NAMES = {**TRAITS, **{key: special.name for key, special in SPECIALS.items()}}
"""What a card has or has not, by its key."""

TAKES_A_DIE = (PRONE, BLIND, STUNNED, FRIGHTENED, HELD)


class Split(NamedTuple):
    """How a seat has split its dice."""

    seat: str
    attack: int
    defence: int
    special: str


class Exchange(NamedTuple):
    """An exchange; `number` tells it from the one before, and stays when it is over.

    `pools` are the dice that each seat had when it sealed its split, `more` those that were added by hand,
    (seat, dice) each. Once all is revealed, `splits` has attack, defence and special of each seat, `rolled`
    its attack and defence dice. `at` is the attack that is due, 0 or 1, `damages` how many damage rolls that
    has had, `told` what has come of it: the seat that succeeded, and the wounds.
    """

    number: int
    is_open: bool = True
    is_swapped: bool = False
    pools: tuple[tuple[str, int], ...] = ()
    more: tuple[tuple[str, int], ...] = ()
    splits: tuple[Split, ...] = ()
    rolled: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    at: int = 0
    damages: int = 0
    told: tuple[tuple[str, int], ...] = ()


class Blow(NamedTuple):
    """What the first or second attack (`at`) has come to: which seat succeeds against which.

    Where the attack does not succeed, a special defence may.
    """

    at: int
    by: str
    to: str
    level: int
    special: Special | None = None


def current(g: Table) -> Exchange | None:
    """The exchange that is being resolved; None if there is none, or one of its models is gone."""
    exchange = Exchange(*g.exchange) if len(g.exchange) > 1 else None
    return exchange if exchange and exchange.is_open and fighters(g) else None


def fighters(g: Table) -> dict[str, Unit]:
    """The model that acted and the one that it fights, by the seat that plays it: both, or neither."""
    models = [unit for key in (g.acting, g.target) if (unit := g.units.get(key or "")) and unit.is_on_table]
    return dict(zip((g.actor, g.rival(g.actor)), models, strict=True)) if len(models) > 1 else {}


def order(g: Table) -> tuple[str, str]:
    """The seats in the order in which they attack: whoever acted first, unless the players say otherwise."""
    seats = (g.actor, g.rival(g.actor))
    return seats[::-1] if _open(g).is_swapped else seats


def _open(g: Table) -> Exchange:
    exchange = current(g)
    assert exchange is not None  # what is offered is open
    return exchange


# --- the pools, and the secret split --------------------------------------------------------------------


def pools(g: Table) -> dict[str, int]:
    """BUSH-40: the dice of each seat; where one has fewer than one die, both get as many more."""
    exchange, by_seat = _open(g), {}
    for seat, unit in fighters(g).items():
        lost = sum(unit.has(state) for state in TAKES_A_DIE)
        lost += EXHAUSTED in g.fought and unit.key == g.target and not unit.fights(ENDURANCE)
        by_seat[seat] = unit.fights(POOL) - lost + dict(exchange.more).get(seat, 0)
    stated = (by_seat[seat] for seat, unit in fighters(g).items() if unit.fights(POOL))
    lift = max(0, 1 - min(stated, default=1))
    return {seat: dice + lift for seat, dice in by_seat.items()}


def has_split(g: Table, seat: str) -> bool:
    """Whether a seat has sealed a split of the dice that it has now."""
    sealed = dict(_open(g).pools).get(seat)
    return SPLIT in g.armies[seat].hidden and sealed == pools(g)[seat]


class SplitDice(Step[Table]):
    """BUSH-37: each splits its pool into attack and defence dice in secret; once both have, all is revealed.

    A sealed split may be changed until then. It is asked for again if its pool has changed.
    """

    rule = "BUSH-37"
    title = _("Split your melee dice")
    help = _("Hidden until both have split.")

    def asked(self, g: Table) -> Iterable[str]:
        if not current(g) or all(has_split(g, seat) for seat in g.seats):
            return ()
        return g.seats

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        unit = fighters(g)[seat]
        if has_split(g, seat):
            yield Offer("unseal", say(_("Split my dice again")), style="quiet")
        elif not unit.fights(POOL):
            yield Offer("pool", say(_("Melee Pool on its card")), 1, MOST_DICE)
        else:
            for special, cost in ((PLAIN, 0), *_specials(unit)):
                dice = pools(g)[seat] - cost
                if dice > 0:
                    yield Offer(f"split:{special}", _labelled(special, cost), *_bounds(unit, dice))

    @answer
    def pool(self, g: Table, seat: str, dice: int) -> None:
        unit = fighters(g)[seat]
        _write(unit, POOL, dice)
        _tell(g, _open(g))
        g.say(_("%(model)s: %(what)s %(now)s."), model=unit.name, what=Term(NUMBERS[POOL][0]), now=dice)

    @answer
    def split(self, g: Table, seat: str, special: str, attack: int) -> None:
        g.hide(seat, SPLIT, [attack, special])
        _note_pool(g, seat, pools(g)[seat])
        g.say(_("%(player)s has split the dice."), player=name_of(g, seat))

    @answer
    def unseal(self, g: Table, seat: str) -> None:
        g.withdraw(seat, SPLIT)
        _tell(g, _open(g))
        g.say(_("%(player)s splits the dice again."), player=name_of(g, seat))

    def run(self, g: Table) -> None:
        if not current(g):
            close(g)
            return
        dice, splits = pools(g), []
        for seat in order(g):
            attack, special = g.reveal(seat, SPLIT)
            cost = dict(_specials(fighters(g)[seat])).get(special, 0)
            defence = max(0, dice[seat] - cost - attack)
            splits.append(Split(seat, attack, defence, special))
        _roll(g, _open(g)._replace(splits=tuple(splits)))
        g.goto(Blows)

    def at_stake(self, g: Table) -> str:
        return str(sorted(pools(g).items())) if current(g) else ""

    def asking(self, g: Table, seat: str | None) -> Line:
        if not current(g) or seat is None:
            return Line(_("Both split their melee dice"))
        if has_split(g, seat):
            return Line(_("Your dice are split"))
        if not fighters(g)[seat].fights(POOL):
            return say(_("How many dice does %(model)s fight with?"), model=fighters(g)[seat].name)
        line = _("%(model)s: how many of %(dice)s dice attack?")
        return say(line, model=fighters(g)[seat].name, dice=pools(g)[seat])

    def helping(self, g: Table, seat: str | None) -> Line:
        if not current(g) or seat is None or not has_split(g, seat):
            is_asked = not seat or not current(g) or fighters(g)[seat].fights(POOL)
            return Line(self.help if is_asked else "")
        mine, rival = g.armies[seat].hidden[SPLIT], name_of(g, g.rival(seat))
        if mine is None:
            return say(_("Still waiting for %(player)s."), player=rival)
        line = _("You attack with %(dice)s. Still waiting for %(player)s.")
        return say(line, dice=_counted(*mine), player=rival)


def _note_pool(g: Table, seat: str, dice: int) -> None:
    """Note with how many dice a seat has sealed its split."""
    others = (each for each in _open(g).pools if each[0] != seat)
    _tell(g, _open(g)._replace(pools=tuple(sorted((*others, (seat, dice))))))


def _specials(unit: Unit) -> list[tuple[str, int]]:
    """Its special attacks and defences with their costs in dice; a Prone model uses none."""
    abilities = [] if unit.has(PRONE) else unit.melee
    return [(name, number) for name, number in abilities if name in SPECIALS]


def _bounds(unit: Unit, dice: int) -> tuple[int, int]:
    """BUSH-41: the least and the most dice that attack; Aggressive and Defensive cancel each other."""
    defends = bool(unit.fights(DEFENSIVE)) or unit.has(FRIGHTENED)
    if bool(unit.fights(AGGRESSIVE)) == defends:
        return 0, dice
    return (0, dice // 2) if defends else (dice - dice // 2, dice)


def _labelled(special: str, cost: int) -> Line:
    if special == PLAIN:
        return say(_("Attack dice, the others defend"))
    return say(_("With %(special)s (%(cost)s)"), special=Term(SPECIALS[special].name), cost=cost)


def _counted(attack: int, special: str) -> Argument:
    if special == PLAIN:
        return attack
    return say(_("%(dice)s, %(special)s"), dice=attack, special=Term(SPECIALS[special].name))


# --- the dice ------------------------------------------------------------------------------------------


def _roll(g: Table, exchange: Exchange) -> None:
    """BUSH-38: all dice of both sides are rolled at once."""
    rolled = tuple(
        (tuple(g.die() for _die in range(attack)), tuple(g.die() for _die in range(defence)))
        for _seat, attack, defence, _special in exchange.splits
    )
    _lie(g, exchange._replace(rolled=rolled))


def _lie(g: Table, exchange: Exchange) -> None:
    """The dice lie there for all to see."""
    _tell(g, exchange)
    for (seat, _attack, _defence, special), dice in zip(exchange.splits, exchange.rolled, strict=True):
        attack, defence = (" ".join(map(str, each)) or "–" for each in dice)
        words = {"model": fighters(g)[seat].name, "attack": attack, "defence": defence}
        if special == PLAIN:
            g.say(_("%(model)s: attack %(attack)s, defence %(defence)s."), **words)
        else:
            line = _("%(model)s, %(special)s: attack %(attack)s, defence %(defence)s.")
            g.say(line, special=Term(SPECIALS[special].name), **words)


def result(dice: Iterable[int], more: int = 0) -> int:
    """BUSH-38: what dice come to: the best counts, each other adds 1, at most 2; none of them come to 0."""
    left = list(dice)
    return max(left) + min(MOST_SUPPORT, len(left) - 1) + more if left else 0


def left(g: Table, seat: str) -> tuple[list[int], list[int]]:
    """BUSH-42: a seat's attack and defence dice without those that its enemy removes, and without 1s."""
    exchange, unit, enemy = _open(g), fighters(g)[seat], fighters(g)[g.rival(seat)]
    attack, defence = map(sorted, exchange.rolled[order(g).index(seat)])
    attack = attack[: max(0, len(attack) - enemy.fights(IMPENETRABLE))]
    defence = defence[: max(0, len(defence) - enemy.fights(UNBLOCKABLE))]
    least = 1 if unit.fights(KATA) else 2
    return [face for face in attack if face >= least], [face for face in defence if face >= least]


def due(g: Table) -> Blow | None:
    """BUSH-39: the next attack that comes to something, by the dice that lie there; None if none does."""
    exchange = _open(g)
    return next((blow for at in range(exchange.at, 2) if (blow := _blow(g, exchange, at))), None)


def _blow(g: Table, exchange: Exchange, at: int) -> Blow | None:
    by, to = order(g) if at == 0 else order(g)[::-1]
    splits = {split.seat: split for split in starmap(Split, exchange.splits)}
    own, its = left(g, by), left(g, to)
    level = result(own[0], fighters(g)[by].fights(BRUTAL)) - result(its[1], fighters(g)[to].fights(PARRY))
    mine, theirs = sum(map(len, own)), sum(map(len, its))
    is_won = level > 0 or (level == 0 and (mine > theirs or (mine == theirs and by == g.actor)))
    if is_won:
        return Blow(at, by, to, level, ATTACKS.get(splits[by].special)) if splits[by].attack else None
    special = DEFENCES.get(splits[to].special) if splits[to].defence else None
    if special is not DEFENCES[COUNTERSTRIKE]:
        return special and Blow(at, to, by, -level, special)
    can_strike = splits[by].attack and -level >= 2
    return Blow(at, to, by, -level - 2, special) if can_strike else None


class Blows(Anybody[Table]):
    """BUSH-39: what hits makes a damage roll, the side that attacks first before the other.

    The dice lie there until the first is made, so that any can be rolled again.
    """

    rule = "BUSH-39"
    title = _("How many wounds?")
    help = wounds_and_ki.WoundTest.help

    def asked(self, g: Table) -> Iterable[str]:
        exchange = current(g)
        return g.seats if exchange and (exchange.at == 0 or due(g)) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        blow = due(g)
        if blow is None or not _divides(blow):
            yield Offer("go-on", say(_("Continue")), style="main")
            return
        yield Offer("roll", say(_("Roll the damage dice")), style="main")
        yield Offer("rolled", say(_("The sum of our dice")), 2, 12)
        if blow.special is ATTACKS[CRITICAL]:
            yield Offer("equal", say(_("Our dice are equal: it is out")))
        yield Offer("go-on", say(_("No damage roll")), style="quiet")

    @answer
    def roll(self, g: Table, seat: str) -> None:
        """Strong models choose the best two of three dice, Weak ones get the worst."""
        blow = _due(g)
        strong, weak = (bool(fighters(g)[blow.by].fights(trait)) for trait in (STRONG, WEAK))
        dice = sorted(g.die() for _die in range(2 + (strong != weak)))
        chosen = dice[-2:] if strong and not weak else dice[:2]
        if blow.special is ATTACKS[CRITICAL] and chosen[0] == chosen[1]:
            self.equal(g, seat)
        else:
            self.rolled(g, seat, sum(chosen))
        # After the one sentence about the whole exchange.
        g.lines.insert(1, say(_("Damage dice: %(dice)s."), dice=" ".join(map(str, dice))))

    @answer
    def rolled(self, g: Table, seat: str, dice: int) -> None:
        blow = _due(g)
        own, unit, level = fighters(g)[blow.by], fighters(g)[blow.to], _level(g, blow)
        more = _bonus(g, blow)
        wounds = wounds_and_ki.wounds_for(level, dice + more) // _divides(blow)
        wounds = max(0, wounds - max(0, unit.tough - own.fights(SHARP)))
        wounds = min(wounds, 1) if unit.fights(DURABLE) else wounds
        _resolve(g, blow, wounds)
        g.say(_("Success level %(level)s, dice %(dice)s."), level=level, dice=_sum(dice, more))
        wounds_and_ki.suffer(g, unit, wounds)

    @answer
    def equal(self, g: Table, seat: str) -> None:
        blow = _due(g)
        unit = fighters(g)[blow.to]
        _resolve(g, blow, unit.wounds)
        wounds_and_ki.kill(g, unit)

    @answer
    def go_on(self, g: Table, seat: str) -> None:
        if due(g) is None:
            _tell(g, _open(g))
            g.say(_("No one hits."))
            self.run(g)
        else:
            _resolve(g, _due(g), 0)

    def run(self, g: Table) -> None:
        close(g)
        g.fought |= {RESOLVED}

    def asking(self, g: Table, seat: str | None) -> Line:
        blow = due(g) if current(g) else None
        if blow is None:
            return Line(_("No one hits"))
        own, unit = fighters(g)[blow.by].name, fighters(g)[blow.to].name
        if not _divides(blow):
            assert blow.special is not None  # all others make damage rolls
            return say(_("%(model)s succeeds: %(special)s"), model=own, special=Term(blow.special.name))
        line = _("%(model)s hits %(enemy)s, success level %(level)s: how many wounds?")
        return say(line, model=own, enemy=unit, level=_level(g, blow))

    def helping(self, g: Table, seat: str | None) -> Line:
        blow = due(g) if current(g) else None
        if blow is None or not _divides(blow):
            return Line("")
        more = _bonus(g, blow)
        return say(_("%(bonus)s on the dice. %(help)s"), bonus=f"{more:+d}", help=Term(self.help)) if more \
            else Line(self.help)  # fmt: skip


def _due(g: Table) -> Blow:
    blow = due(g)
    assert blow is not None  # what is offered is due
    return blow


def _divides(blow: Blow) -> int:
    return blow.special.divides if blow.special else 1


def _levels(blow: Blow) -> tuple[int, ...]:
    """BUSH-41: the success levels of its damage rolls; a Combo Attack makes more of them."""
    if blow.special is not ATTACKS[COMBO]:
        return (blow.level,)
    return tuple(range(blow.level, -1, -2)) if blow.level > 1 else (blow.level, 0)


def _level(g: Table, blow: Blow) -> int:
    return _levels(blow)[_open(g).damages]


def _bonus(g: Table, blow: Blow) -> int:
    """BUSH-40: what is added to the damage dice."""
    own, unit = fighters(g)[blow.by], fighters(g)[blow.to]
    is_first = blow.by not in dict(_open(g).told)
    charges = CHARGED in g.fought and own.key == g.acting and is_first
    powerful = blow.special is ATTACKS[POWERFUL]
    return (
        own.fights(STRENGTH) + 2 * charges + 3 * powerful - max(0, unit.fights(ARMOUR) - own.fights(PIERCE))
    )


def _sum(dice: int, more: int) -> str:
    return f"{dice}{more:+d}" if more else str(dice)


def _resolve(g: Table, blow: Blow, wounds: int) -> None:
    """A damage roll is made, or none is due: on to the next, or to the other side's attack."""
    exchange = _open(g)
    exchange = exchange._replace(told=(*exchange.told, (blow.by, wounds)))
    if exchange.damages + 1 < len(_levels(blow)):
        _tell(g, exchange._replace(damages=exchange.damages + 1))
        return
    is_over = blow.at == 1 or bool(blow.special and blow.special.parts)
    _tell(g, exchange._replace(at=2 if is_over else 1, damages=0))
    unit = fighters(g)[blow.to]
    if blow.special and blow.special.state and unit.can_gain(blow.special.state):
        unit.add_marker(blow.special.state, 1)
        line, state = _("%(model)s: %(state)s."), STATES[blow.special.state].title
        g.say(line, model=unit.name, state=Term(state))


def close(g: Table) -> None:
    """The exchange is over: nothing of it stays hidden, and its question is no longer asked."""
    for seat in g.seats:
        if SPLIT in g.armies[seat].hidden:
            g.withdraw(seat, SPLIT)
    if len(g.exchange) > 1 and g.exchange[1]:
        g.exchange = tuple(Exchange(*g.exchange)._replace(is_open=False))
    g.end()


def _tell(g: Table, exchange: Exchange) -> None:
    """Keep the exchange as it is now, and say in one sentence what has come of it so far."""
    g.exchange = tuple(exchange)
    model, enemy = (g.units[key or ""].name for key in (g.acting, g.target))
    steps = tuple(
        say_count("%(model)s hits, %(count)s wound", "%(model)s hits, %(count)s wounds", wounds,
                  model=fighters(g)[seat].name)
        for seat, wounds in exchange.told
    )  # fmt: skip
    if steps:
        g.say(_("%(model)s fights %(enemy)s: %(steps)s."), model=model, enemy=enemy, steps=steps)
    else:
        g.say(_("Melee Exchange: %(model)s and %(enemy)s."), model=model, enemy=enemy)


# --- corrections ---------------------------------------------------------------------------------------


def may_cover(g: Table) -> bool:
    """Whether a question is open that a fight may cover."""
    step = step_of(g)
    return step is not None and not isinstance(step, SplitDice | Blows | wounds_and_ki.WoundTest | Closing)


def can_begin(g: Table, _table: Any = None) -> bool:
    """Whether the dice of the fight may be split here."""
    return bool(g.round and fighters(g)) and RESOLVED not in g.fought and may_cover(g)


def _begin(g: Table, _table: Table) -> None:
    _tell(g, Exchange(g.exchange[0] + 1 if g.exchange else 1))
    g.call(SplitDice)


def _end(g: Table, _table: Table) -> None:
    close(g)
    g.say(_("The exchange continues at the table."))


def is_splitting(g: Table, _piece: Any = None) -> bool:
    return isinstance(step_of(g), SplitDice) and current(g) is not None


def can_reroll(g: Table, _piece: Any = None) -> bool:
    """BUSH-42: whether dice may be rolled again: they lie there, and no damage roll is made yet."""
    exchange = current(g)
    return bool(exchange and exchange.rolled and not exchange.told and isinstance(step_of(g), Blows))


def _swap(g: Table, _table: Table) -> None:
    _tell(g, _open(g)._replace(is_swapped=not _open(g).is_swapped))
    g.say(_("%(model)s attacks first."), model=fighters(g)[order(g)[0]].name)


def dice(g: Table) -> list[int]:
    """All dice that lie there, in the order in which they are rolled again."""
    return [face for pair in _open(g).rolled for pile in pair for face in pile]


def _again(g: Table, _table: Table, place: int) -> None:
    faces = dice(g)
    faces[place - 1] = g.die()
    left_over = iter(faces)
    rolled = tuple(
        (tuple(next(left_over) for _die in own), tuple(next(left_over) for _die in its))
        for own, its in _open(g).rolled
    )
    _lie(g, _open(g)._replace(rolled=rolled))


def _seat_of(g: Table, unit: Unit) -> str:
    return next((seat for seat, each in fighters(g).items() if each is unit), "")


def _add_dice(g: Table, unit: Unit, change: int) -> None:
    """BUSH-40: dice that only the players know of: boosts, assistance, a run."""
    exchange, seat = _open(g), _seat_of(g, unit)
    more = {**dict(exchange.more), seat: dict(exchange.more).get(seat, 0) + change}
    _tell(g, exchange._replace(more=tuple(more.items())))
    g.say(_("%(model)s: %(what)s %(now)s."), model=unit.name, what=Term(MELEE_DICE), now=pools(g)[seat])


MELEE_DICE = _("Melee dice this time")


def _write(unit: Unit, name: str, number: int) -> None:
    others = tuple(each for each in unit.melee if each[0] != name)
    unit.melee = tuple(sorted((*others, (name, number)))) if number else others


def _number(verb: str, label: str, low: int, high: int, when: Any = None) -> Counter:
    """A number of a model's card that counts in its exchanges; 0: its card has none."""
    return Counter(
        verb, label, low, high, _("%(model)s: %(what)s %(now)s."),
        value=lambda g, unit: unit.fights(verb),
        write=lambda g, unit, change: _write(unit, verb, unit.fights(verb) + change),
        when=when,
    )  # fmt: skip


def _traits(_g: Table, _unit: Unit) -> Iterator[tuple[str, Line]]:
    """What a card has or has not; a special attack or defence costs a die, unless its number says more."""
    return ((name, Line(title)) for name, title in NAMES.items())


def _learn(is_on: bool) -> Callable[[Table, Unit, str], None]:
    def write(g: Table, unit: Unit, name: str) -> None:
        _write(unit, name, int(is_on))
        line = (
            _("%(model)s: %(trait)s is on its card.")
            if is_on
            else _("%(model)s: %(trait)s is not on its card.")
        )
        g.say(line, model=unit.name, trait=Term(NAMES[name]))

    return write


# fmt: off
OF_UNIT: dict[str, tuple[Any, ...]] = {
    MELEE: (
        Counter("melee-dice", MELEE_DICE, 1, MOST_DICE, value=lambda g, unit: pools(g)[_seat_of(g, unit)],
                write=_add_dice,
                when=lambda g, unit: is_splitting(g) and bool(_seat_of(g, unit) and unit.fights(POOL))),
    ),
    OF_CARD: (
        *(_number(verb, label, low, MOST_DICE if verb == POOL else MOST_NUMBER)
          for verb, (label, low) in NUMBERS.items()),
        Switches("has", "lacks", _traits,
                 is_on=lambda g, unit, name: bool(unit.fights(name)), put=_learn(True), take=_learn(False)),
        *(_number(verb, special.name, 1, MOST_COST, lambda _g, unit, verb=verb: bool(unit.fights(verb)))
          for verb, special in SPECIALS.items()),
    ),
}
OF_TABLE: dict[str, tuple[Any, ...]] = {
    MELEE: (
        Button("begin-exchange", _("Split and roll the dice here"), _begin, when=can_begin),
        Button("again", _("Roll one of the dice again"), _again, low=1, high=lambda g, _table: len(dice(g)),
               when=can_reroll),
        Button("swap-order", _("The other model attacks first"), _swap, when=is_splitting),
        Button("end-exchange", _("Use real dice instead"), _end, style="quiet",
               when=lambda g, _table: isinstance(step_of(g), SplitDice | Blows)),
    ),
}
# fmt: on
