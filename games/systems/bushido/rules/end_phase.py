"""The End phase before and after the scenario: effects, states that wound, what expires, pass tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import Together
from games.core.steps import Offer, Step, answer
from games.core.words import Argument, Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import states, wounds
from games.systems.bushido.rules.ending import wiped_out
from games.systems.bushido.rules.scoring import ScoreZones, open_tally
from games.systems.bushido.rules.windows import END, END_ADVERSE, EXPIRES, Window


class EndEffects(Window):
    """BUSH-17: effects of the End phase that belong to no other step, both players' adverse ones first.

    BUSH-23: a warband without a model on the battlefield is asked for none, so that nobody waits for it.
    """

    rule = "BUSH-17"
    title = _("End Phase: adverse effects")
    help = _("Tap each when you have resolved it. Adverse effects come first.")
    moment = END_ADVERSE

    def order(self, g: Table) -> Iterable[str]:
        return _on_battlefield(g)

    def go_on(self, g: Table) -> None:
        g.goto(OtherEffects)


class OtherEffects(Window):
    """BUSH-17: then the other effects; models that regenerate heal, and any healing ends bleeding."""

    rule = "BUSH-17"
    title = _("End Phase: other effects")
    help = _("Tap each when you have resolved it.")
    moment = END

    def order(self, g: Table) -> Iterable[str]:
        return _on_battlefield(g)

    def go_on(self, g: Table) -> None:
        for unit in _affected(g):
            if unit.regenerate and unit.tracks_wounds and unit.wounds < unit.wounds_total:
                wounds.heal(g, unit, min(unit.regenerate, unit.wounds_total - unit.wounds))
        g.goto(DamageStates)


def _on_battlefield(g: Table) -> list[str]:
    """BUSH-23: the seats that are asked about effects, the Active Player first: those with models there."""
    gone = wiped_out(g)
    return [seat for seat in g.in_order() if seat not in gone]


def _affected(g: Table) -> list[Unit]:
    """The models on which traits and states work: those in play, Elsewhere too."""
    return [unit for unit in g.units.values() if unit.is_in_play]


class DamageStates(Step[Table]):
    """BUSH-18: On Fire, Bleeding and Poisoned wound: the highest marker of each comes off for its value.

    If three or more are left, this repeats until two are left. Toughness does not help against fire.
    They wound models Elsewhere too. If models may die, the Active Player says in which order.
    """

    rule = "BUSH-18"
    title = _("Fire, bleeding, poison")
    help = _("The order matters only if a death changes something.")

    def asked(self, g: Table) -> Iterable[str]:
        left = _burning(g)
        is_choice = len(left) > 1 and any(_may_die(unit, left) for unit, _state in left)
        return _on_battlefield(g)[:1] if is_choice else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("all", say(_("All, in this order")), style="main", detail=_listed(g))
        for unit, state in _burning(g):
            label = say(
                _("First %(state)s: %(model)s"), state=Term(states.STATES[state].title), model=unit.name
            )
            yield Offer(f"suffer:{unit.key}:{state}", label)

    @answer
    def all(self, g: Table, seat: str) -> None:
        self._all(g)

    @answer
    def suffer(self, g: Table, seat: str, unit: Unit, state: str) -> None:
        _suffer(g, unit, state)

    def run(self, g: Table) -> None:
        self._all(g)

    def _all(self, g: Table) -> None:
        for unit, state in _burning(g):
            if unit.is_in_play:
                _suffer(g, unit, state)
        g.burnt = ()
        g.goto(Expiry)


def _burning(g: Table) -> list[tuple[Unit, str]]:
    """The models and states that have yet to wound in this step."""
    models = (unit for unit in _affected(g) if unit.markers)
    return [
        (unit, state)
        for unit in models
        for state in states.DAMAGING
        if unit.has(state) and (unit.key, state) not in g.burnt
    ]


def _may_die(unit: Unit, burning: list[tuple[Unit, str]]) -> bool:
    """Whether the states that have yet to wound a model kill it, alone or together."""
    left = unit.ki if unit.is_kami else unit.wounds
    suffered = sum(_damage(unit, state) for one, state in burning if one is unit)
    return (unit.tracks_wounds or unit.is_kami) and suffered >= left


def _damage(unit: Unit, state: str) -> int:
    suffered, _left = states.damage(unit.values(state))
    return suffered if state == states.ON_FIRE else max(0, suffered - unit.tough)


def _suffer(g: Table, unit: Unit, state: str) -> None:
    suffered = _damage(unit, state)
    _total, left = states.damage(unit.values(state))
    states.clear(unit, state)
    for value in left:
        states.add(unit, state, value)
    g.say(_("%(model)s: %(state)s."), model=unit.name, state=Term(states.STATES[state].title))
    g.burnt = (*g.burnt, (unit.key, state))
    wounds.suffer(g, unit, suffered)
    unit.flanks = unit.flanks and unit.is_in_play


def _listed(g: Table) -> Line:
    told: tuple[Argument, ...] = tuple(
        say(
            _("%(model)s %(state)s %(count)s"),
            model=unit.name,
            state=Term(states.STATES[state].title),
            count=_damage(unit, state),
        )
        for unit, state in _burning(g)
    )
    return Line("%(wounds)s", {"wounds": told})


class Expiry(Together[Table]):
    """BUSH-19: a Stunned marker, all Blind, all Berserk and notes that say so expire.

    Frightened models test again; one that passes is free of it. BUSH-23: those of a warband that has no
    model on the battlefield stay Frightened.
    """

    rule = "BUSH-19"
    title = _("Fear test")
    help = _("Frightened models test again; a success removes all their markers.")

    def waiting(self, g: Table) -> tuple[str, ...]:
        left = _on_battlefield(g)
        return tuple(seat for seat in g.seats if seat in left and any(_frightened(g, seat)))

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in _frightened(g, seat):
            yield Offer(f"calm:{unit.key}", say(_("%(model)s passes its fear test"), model=unit.name))
            yield Offer(f"afraid:{unit.key}", say(_("%(model)s stays Frightened"), model=unit.name))

    @answer
    def calm(self, g: Table, seat: str, unit: Unit) -> None:
        states.clear(unit, states.FRIGHTENED)
        g.say(_("%(model)s is no longer Frightened."), model=unit.name)

    @answer
    def afraid(self, g: Table, seat: str, unit: Unit) -> None:
        side = g.armies[seat]
        side.resolved |= {unit.key}
        g.say(_("%(model)s stays Frightened."), model=unit.name)

    def go_on(self, g: Table) -> None:
        for unit in g.units.values():
            if unit.is_in_play:
                _expire(g, unit)
        open_tally(g)
        g.goto(ScoreZones)


def _frightened(g: Table, seat: str) -> Iterator[Unit]:
    resolved = g.armies[seat].resolved
    models = (unit for unit in _affected(g) if unit.player == seat)
    return (unit for unit in models if unit.has(states.FRIGHTENED) and unit.key not in resolved)


def _expire(g: Table, unit: Unit) -> None:
    states.remove(unit, states.STUNNED)
    states.clear(unit, states.BLIND)
    states.clear(unit, states.BERSERK)
    if EXPIRES in unit.reminders:
        g.say(_("%(model)s: “%(note)s” expires."), model=unit.name, note=unit.note)
        unit.note, unit.reminders = "", frozenset()


STEPS: tuple[type[Step[Table]], ...] = (EndEffects, OtherEffects, DamageStates, Expiry)
