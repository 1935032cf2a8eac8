"""Corrections of the states that a model is in."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.steps import Corrections, Offer, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.corrections.headings import NEW_STATES, STATES
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import model_actions, states


class StateCorrections(Corrections[Table]):
    """BUSH-33: markers of states are put on models and taken off."""

    def states_of(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """The markers that may come off a model, and those that may be put on it."""
        for name in sorted({name for name, _value in unit.markers}):
            found = states.STATES.get(name)
            if found is None:
                continue
            shown = ", ".join(map(str, unit.values(name))) if found.has_value else len(unit.values(name))
            label = say(_("Remove %(state)s (%(shown)s)"), state=Term(found.title), shown=shown)
            yield Offer(f"take-off:{unit.key}:{name}", label, detail=Line(found.help), group=STATES)
        if len(unit.markers) >= states.MOST_MARKERS:
            return
        for name, found in states.STATES.items():
            if not states.can_gain(unit, name):
                continue
            if found.has_value:
                yield Offer(f"{name}:{unit.key}", Line(found.title), 1, states.MOST_VALUE, group=NEW_STATES)
            else:
                yield Offer(f"put-on:{unit.key}:{name}", Line(found.title), group=NEW_STATES)

    @answer
    def put_on(self, g: Table, seat: str, unit: Unit, state: str) -> None:
        _put(g, unit, state, 1)

    @answer
    def bleeding(self, g: Table, seat: str, unit: Unit, value: int) -> None:
        _put(g, unit, states.BLEEDING, value)

    @answer
    def on_fire(self, g: Table, seat: str, unit: Unit, value: int) -> None:
        _put(g, unit, states.ON_FIRE, value)

    @answer
    def poisoned(self, g: Table, seat: str, unit: Unit, value: int) -> None:
        _put(g, unit, states.POISONED, value)

    @answer
    def disguised(self, g: Table, seat: str, unit: Unit, value: int) -> None:
        _put(g, unit, states.DISGUISED, value)

    @answer
    def take_off(self, g: Table, seat: str, unit: Unit, state: str) -> None:
        states.remove(unit, state)
        g.say(_("%(model)s: remove 1 marker of %(state)s."), model=unit.name, state=_title(state))


def _put(g: Table, unit: Unit, state: str, value: int) -> None:
    model_actions.put_on(g, unit, state, value)
    if states.STATES[state].has_value:
        g.say(_("%(model)s: %(state)s %(value)s."), model=unit.name, state=_title(state), value=value)
    else:
        g.say(_("%(model)s: %(state)s."), model=unit.name, state=_title(state))


def _title(state: str) -> Term:
    return Term(states.STATES[state].title)
