"""The Main phase: which model is activated, and what the one that is chosen does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import Silent
from games.core.steps import Offer, Step, answer
from games.core.system import name_of
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Objective, Table, Unit
from games.systems.bushido.rules import ki, objectives, states
from games.systems.bushido.rules.actions import (
    COMPLEX,
    NAMED_SIMPLE,
    SIMPLE,
    WAYS_OUT,
    able,
    acted,
    activatable,
    activations,
    can_complex,
    counters,
    influence_cost,
    named_actions,
    take_activation,
    unmask_in_melee,
    wait_off,
)
from games.systems.bushido.rules.feats import (
    Activation,
    FeatsAfter,
    FeatsBefore,
    after_action,
    begin_activation,
    close_activation,
    close_last_feats,
    hand_over,
    next_active,
)


class BeginMain(Silent[Table]):
    """BUSH-08: the Main phase starts with the player chosen through the Tactical Test."""

    rule = "BUSH-08"
    title = _("Main Phase")

    def run(self, g: Table) -> None:
        begin_activation(g, first_active(g))


def first_active(g: Table) -> str:
    """BUSH-08: the seat that begins: the one that goes first, or the opponent if only it can activate."""
    rival = g.rival(g.active)
    return rival if able(g, rival) and not able(g, g.active) else g.active


class Turn(Activation):
    """BUSH-10: choose a model of your warband and declare a simple or a complex action for it.

    BUSH-11: or spend a pass token. BUSH-12: with a counter to spend and no token there is no free skip.
    """

    rule = "BUSH-10"
    title = _("Activate a model")
    help = _("Simple: walk, melee, wait · complex: charge, focus · more: by name")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.active,) if able(g, g.active) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in activatable(g, seat):
            simple, complex, named = activations(unit.key, unit.name)
            yield simple
            if can_complex(unit) and not unit.has(states.PRONE):
                yield complex
            yield named
        if g.armies[seat].passes > 0:
            label = say_count("Pass (%(count)s token)", "Pass (%(count)s tokens)", g.armies[seat].passes)
            yield Offer("pass", label, style="quiet")

    @answer
    def simple(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit, SIMPLE)
        if unit.has(states.PRONE):
            _stand_up(g, unit)
        line = _("%(model)s takes a simple action. Counters left: %(left)s.")
        g.say(line, model=unit.name, left=unit.counters)
        after_action(g)

    @answer
    def complex(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit, COMPLEX)
        g.say(_("%(model)s takes a complex action."), model=unit.name)
        after_action(g)

    @answer
    def act(self, g: Table, seat: str, unit: Unit) -> None:
        g.say(_("%(model)s is chosen."), model=unit.name)
        close_last_feats(g)
        g.call(Act(unit.key))

    @answer("pass")
    def spend_token(self, g: Table, seat: str) -> None:
        side = g.armies[seat]
        side.passes -= 1
        take_activation(g, seat)
        g.say(_("%(player)s spends a pass token: %(left)s left."), player=name_of(g, seat), left=side.passes)
        after_action(g)

    def run(self, g: Table) -> None:
        """A correction has taken the last model that could act, so the Active Player has not acted."""
        if following := next_active(g):
            hand_over(g, following)
        else:
            close_activation(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.active:
            is_alone = not able(g, g.rival(seat))
            return Line(_("Activate a model: the opponent has none left") if is_alone else self.title)
        line = _("%(player)s activates a model. Counters left: %(counts)s")
        counts = tuple(
            say("%(player)s %(number)s", player=name_of(g, each), number=counters(g, each))
            for each in g.seats
        )
        return say(line, player=name_of(g, g.active), counts=counts)

    def helping(self, g: Table, seat: str | None) -> Line:
        told = self.help if g.round == 1 else _("Simple: 1 counter · complex: 2 · more: by name")
        if any(unit.has(states.IMPETUOUS) for unit in activatable(g, g.active)):
            told = _("Impetuous models act first. A simple action costs 1 counter, a complex one 2.")
        if seat != g.active:
            return Line(told)
        line = _("%(help)s · counters left: you %(mine)s, opponent %(theirs)s")
        mine, theirs = counters(g, g.active), counters(g, g.rival(g.active))
        return say(line, help=Term(told), mine=mine, theirs=theirs)


class Act(Step[Table]):
    """BUSH-13: the action is named and resolved, then paid: 1 counter if simple, 2 if complex.

    In a Melee Exchange both pay; a charge costs its actor 2 and its target 1. `model` is the key of the
    model that acts.
    """

    model: str

    rule = "BUSH-13"
    title = _("Which action?")
    help = _("A melee or a charge also costs its target a counter. Measure and roll with your own dice.")

    def asked(self, g: Table) -> Iterable[str]:
        is_choice = any(unit.key == self.model for unit in activatable(g, g.active))
        return (g.active,) if is_choice else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from named_actions(g, self._chosen(g))
        yield from WAYS_OUT

    @answer
    def melee(self, g: Table, seat: str, enemy: Unit) -> None:
        unit = self._unmasked(g)
        g.say(_("%(model)s fights %(enemy)s."), model=unit.name, enemy=enemy.name)
        self._finish(g, SIMPLE, enemy)

    @answer
    def charge(self, g: Table, seat: str, enemy: Unit) -> None:
        unit = self._unmasked(g)
        g.say(_("%(model)s charges %(enemy)s."), model=unit.name, enemy=enemy.name)
        self._finish(g, COMPLEX, enemy)

    @answer
    def walk(self, g: Table, seat: str) -> None:
        self._told(g, "walk")

    @answer
    def run_on(self, g: Table, seat: str) -> None:
        self._told(g, "run-on")

    @answer
    def shoot(self, g: Table, seat: str) -> None:
        self._unmasked(g)
        self._told(g, "shoot")

    @answer
    def disengage(self, g: Table, seat: str) -> None:
        states.clear(self._chosen(g), states.HELD)
        unmask_in_melee(self._chosen(g))
        self._told(g, "disengage")

    @answer
    def stay_held(self, g: Table, seat: str) -> None:
        unmask_in_melee(self._chosen(g))
        self._told(g, "stay-held")

    @answer
    def simple_feat(self, g: Table, seat: str) -> None:
        self._told(g, "simple-feat")

    @answer
    def wait(self, g: Table, seat: str, state: str = "", friend: str = "") -> None:
        wait_off(g.units[friend or self.model], state)
        if friend:
            line = _("%(model)s helps %(friend)s against the fire.")
            g.say(line, model=self._chosen(g).name, friend=g.units[friend].name)
        self._told(g, "wait")

    @answer
    def stand_up(self, g: Table, seat: str) -> None:
        _stand_up(g, self._chosen(g))
        self._finish(g, SIMPLE)

    @answer
    def focus(self, g: Table, seat: str) -> None:
        unit = self._chosen(g)
        if unit.is_communal:
            side = g.armies[unit.army]
            side.communal += unit.gain or 0
            g.say(_("%(model)s focuses: %(ki)s shared Ki."), model=unit.name, ki=side.communal)
        elif unit.gain is None:
            g.say(_("%(model)s gains Ki as its card says."), model=unit.name)
        else:
            ki.add(unit, unit.gain)
            g.say(_("%(model)s focuses: %(ki)s Ki."), model=unit.name, ki=unit.ki)
        self._finish(g, COMPLEX)

    @answer
    def complex_feat(self, g: Table, seat: str) -> None:
        g.say(_("%(model)s uses a complex Ki feat."), model=self._chosen(g).name)
        self._finish(g, COMPLEX)

    @answer
    def pray(self, g: Table, seat: str, place: Objective) -> None:
        objectives.pray(g, self._unmasked(g), place)
        self._finish(g, SIMPLE)

    @answer
    def influence(self, g: Table, seat: str, place: Objective) -> None:
        cost = influence_cost(g)
        objectives.influence(g, self._unmasked(g), place)
        self._finish(g, cost)

    @answer
    def cannot(self, g: Table, seat: str) -> None:
        """BUSH-10: a model that cannot act when it is chosen is Exhausted."""
        unit = self._chosen(g)
        g.say(_("%(model)s cannot act and is Exhausted."), model=unit.name)
        self._finish(g, unit.counters)

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        unit = g.units.get(self.model)
        if unit is None:
            return Line(self.title)
        return say(_("What does %(model)s do?"), model=unit.name)

    def _chosen(self, g: Table) -> Unit:
        return g.units[self.model]

    def _unmasked(self, g: Table) -> Unit:
        """The chosen model, unmasked by its action: no longer Disguised."""
        unit = self._chosen(g)
        states.clear(unit, states.DISGUISED)
        return unit

    def _told(self, g: Table, verb: str) -> None:
        g.say(NAMED_SIMPLE[verb][1], model=self._chosen(g).name)
        self._finish(g, SIMPLE)

    def _finish(self, g: Table, cost: int, target: Unit | None = None) -> None:
        """Pay for the action and go on with the Main phase."""
        acted(g, self._chosen(g), cost, target)
        g.end()
        after_action(g)


def _stand_up(g: Table, unit: Unit) -> None:
    states.clear(unit, states.PRONE)
    g.say(_("%(model)s stands up."), model=unit.name)


def is_main(g: Table) -> bool:
    """Whether it is the Main phase, whatever question covers it just now."""
    names = {step.name for step in MAIN}
    return any(question.step in names for question in g.flow)


MAIN: tuple[type[Step[Table]], ...] = (BeginMain, FeatsBefore, Turn, Act, FeatsAfter)
