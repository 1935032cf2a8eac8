"""The Main phase: whose activation it is, which model is activated, what it does, when feats are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Acknowledged, Line, Offer, Silent, Step, Term, answer, name_of, say, say_count, step_of
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    DISGUISED,
    FEATS_AFTER,
    FEATS_BEFORE,
    HELD,
    IMPETUOUS,
    PRONE,
    Objective,
    Table,
    Unit,
)
from games.systems.bushido.rules import model_actions, scenarios, wounds_and_ki
from games.systems.bushido.rules.end_phase import EndEffects
from games.systems.bushido.rules.model_actions import (
    COMPLEX,
    NAMED_SIMPLE,
    SIMPLE,
    able,
    acted,
    activatable,
    can_complex,
    counters,
    influence_cost,
    named_actions,
    take_activation,
    wait_off,
)
from games.systems.bushido.rules.turn_sequence import Window, are_reminded, forget, reminding


class BeginMain(Silent[Table]):
    """BUSH-08: the Main phase starts with the player chosen through the Tactical Test."""

    rule = "BUSH-08"
    title = _("Main Phase")

    def run(self, g: Table) -> None:
        """The opponent begins if only it can activate a model."""
        rival = g.rival(g.active)
        begin_activation(g, rival if able(g, rival) and not able(g, g.active) else g.active)


def begin_activation(g: Table, seat: str) -> None:
    """BUSH-09: this seat is the Active Player, and from now on may use Active feats."""
    g.active = seat
    if are_reminded(g, FEATS_BEFORE, seat):
        forget(g)
        g.goto(FeatsBefore)
    else:
        g.goto(Turn)


class FeatsBefore(Window):
    """BUSH-09: the Active Player may use Active feats from here on; only a reminder makes that a question."""

    rule = "BUSH-09"
    title = _("Active feats before the action")
    help = _("You are the Active Player. Use your reminders, then act.")
    moment = FEATS_BEFORE

    def waits_for(self, g: Table, seat: str) -> bool:
        return seat == g.active and super().waits_for(g, seat)

    @answer
    def resolve(self, g: Table, seat: str, unit: Unit) -> None:
        super().resolve(g, seat, unit)
        close_last_feats(g)

    def go_on(self, g: Table) -> None:
        g.goto(Turn)


def close_last_feats(g: Table) -> None:
    """BUSH-14: once the Active Player has used a feat or named a model, the last feats before are over."""
    g.feats = ""


class Turn(Step[Table]):
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
            key, path = unit.key, f"unit/{unit.key}"
            label = say(_("%(model)s: simple action"), model=unit.name)
            yield Offer(f"simple:{key}", label, about=path, style="main")
            if can_complex(unit) and not unit.has(PRONE):
                label = say(_("%(model)s: complex action"), model=unit.name)
                yield Offer(f"complex:{key}", label, about=path)
            yield Offer(f"act:{key}", say(_("%(model)s: which action?"), model=unit.name), about=path)
        if g.armies[seat].passes > 0:
            label = say_count("Pass (%(count)s token)", "Pass (%(count)s tokens)", g.armies[seat].passes)
            yield Offer("pass", label, style="quiet")

    @answer
    def simple(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit, SIMPLE)
        if unit.has(PRONE):
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
        hint = self.help if g.round == 1 else _("Simple: 1 counter · complex: 2 · more: by name")
        if any(unit.has(IMPETUOUS) for unit in activatable(g, g.active)):
            hint = _("Impetuous models act first. A simple action costs 1 counter, a complex one 2.")
        if seat != g.active:
            return Line(hint)
        line = _("%(help)s · counters left: you %(mine)s, opponent %(theirs)s")
        mine, theirs = counters(g, g.active), counters(g, g.rival(g.active))
        return say(line, help=Term(hint), mine=mine, theirs=theirs)


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
        removes = say(_("Removes all its activation counters."))
        yield Offer("cannot", say(_("Cannot act: make it Exhausted")), style="quiet", detail=removes)
        yield Offer("back", say(_("Back")), style="quiet")

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
        self._tell(g, "walk")

    @answer
    def run_on(self, g: Table, seat: str) -> None:
        self._tell(g, "run-on")

    @answer
    def shoot(self, g: Table, seat: str) -> None:
        self._unmasked(g)
        self._tell(g, "shoot")

    @answer
    def disengage(self, g: Table, seat: str) -> None:
        self._unmasked(g).clear_markers(HELD)
        self._tell(g, "disengage")

    @answer
    def stay_held(self, g: Table, seat: str) -> None:
        self._unmasked(g)
        self._tell(g, "stay-held")

    @answer
    def simple_feat(self, g: Table, seat: str) -> None:
        self._tell(g, "simple-feat")

    @answer
    def wait(self, g: Table, seat: str, state: str = "", friend: str = "") -> None:
        wait_off(g.units[friend or self.model], state)
        if friend:
            line = _("%(model)s helps %(friend)s against the fire.")
            g.say(line, model=self._chosen(g).name, friend=g.units[friend].name)
        self._tell(g, "wait")

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
            wounds_and_ki.add_ki(unit, unit.gain)
            g.say(_("%(model)s focuses: %(ki)s Ki."), model=unit.name, ki=unit.ki)
        self._finish(g, COMPLEX)

    @answer
    def complex_feat(self, g: Table, seat: str) -> None:
        g.say(_("%(model)s uses a complex Ki feat."), model=self._chosen(g).name)
        self._finish(g, COMPLEX)

    @answer
    def pray(self, g: Table, seat: str, place: Objective) -> None:
        scenarios.pray(g, self._unmasked(g), place)
        self._finish(g, SIMPLE)

    @answer
    def influence(self, g: Table, seat: str, place: Objective) -> None:
        cost = influence_cost(g)
        scenarios.influence(g, self._unmasked(g), place)
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
        """The chosen model, no longer Disguised: a fight, a shot or a prayer unmasks it (BUSH-33)."""
        unit = self._chosen(g)
        unit.clear_markers(DISGUISED)
        return unit

    def _tell(self, g: Table, verb: str) -> None:
        g.say(NAMED_SIMPLE[verb][1], model=self._chosen(g).name)
        self._finish(g, SIMPLE)

    def _finish(self, g: Table, cost: int, target: Unit | None = None) -> None:
        acted(g, self._chosen(g), cost, target)
        g.end()
        after_action(g)


Act.completes = frozenset(Act.answers) - {"back"}


def _stand_up(g: Table, unit: Unit) -> None:
    unit.clear_markers(PRONE)
    g.say(_("%(model)s stands up."), model=unit.name)


# --- the end of an activation ------------------------------------------------------------------------


def after_action(g: Table) -> None:
    """What follows an action: the last window if it is needed, else the next Active Player."""
    if not are_reminded(g, FEATS_AFTER, g.active) and (following := next_active(g)):
        hand_over(g, following)
    else:
        forget(g)
        g.goto(FeatsAfter)


def close_activation(g: Table) -> None:
    """BUSH-14: the last window is for whoever acted last; its notes were asked for after the action."""
    g.active = g.actor or g.active
    forget(g)
    notes = reminding(g, FEATS_AFTER, g.active)
    g.armies[g.active].resolved = frozenset(unit.key for unit in notes)
    g.goto(FeatsAfter)


class FeatsAfter(Window, Acknowledged[Table]):
    """BUSH-14: the Active Player may use Active feats for the last time this activation.

    It costs a tap only for a reminder, and after the last activation of the turn, so that its
    wounds and feats come before the End phase. They are over as soon as the opponent, who is active next,
    uses a feat or names its model. A warband without a model on the battlefield has none.
    """

    rule = "BUSH-14"
    title = _("Last chance for Active feats")
    help = _("Enter wounds, Ki and feats of this activation now.")
    moment = FEATS_AFTER

    def waits_for(self, g: Table, seat: str) -> bool:
        if seat != _closing(g):
            return False
        return super().waits_for(g, seat) or (_is_last(g) and not g.has_answered(seat))

    def effects(self, g: Table, seat: str) -> Iterator[Unit]:
        return super().effects(g, seat) if seat == g.active else iter(())

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        if _is_last(g) and not any(self.effects(g, seat)):
            yield self.yes

    def go_on(self, g: Table) -> None:
        hand_over(g, next_active(g))

    def helping(self, g: Table, seat: str | None) -> Line:
        last = _("No model can act any more. Enter the last wounds and feats: the End Phase is next.")
        return Line(last if _is_last(g) else self.help)


def _closing(g: Table) -> str:
    """Who closes the last window: who acted, or the opponent if only it has models on the battlefield."""
    left = [seat for seat in (g.active, g.rival(g.active)) if any(g.on_table(seat))]
    return left[0] if left else ""


def _is_last(g: Table) -> bool:
    return not next_active(g)


def next_active(g: Table) -> str:
    """BUSH-15: who is active after this: the opponent, the same player if it cannot, "" once neither can."""
    rival = g.rival(g.active)
    return rival if able(g, rival) else g.active if able(g, g.active) else ""


def hand_over(g: Table, following: str) -> None:
    """BUSH-15: the next player is active. BUSH-16: if nobody can activate, the End phase begins."""
    if following and following == g.active:
        line = _("%(player)s activates again: the opponent has no model left to activate.")
        g.say(line, player=name_of(g, following))
    if following:
        begin_activation(g, following)
    else:
        g.acting, g.target, g.actor, g.feats = None, None, "", ""
        g.say(_("No model can act any more. The End Phase begins."))
        g.goto(EndEffects)


# --- the clock of an activation ----------------------------------------------------------------------


def is_late(g: Table, unit: Unit) -> bool:
    """Whether a model may be said to be late: the chosen one, or any of the Active Player's."""
    if not (g.rules["activation"] and unit.counters and unit.is_on_table):
        return False
    step = step_of(g)
    if isinstance(step, Act):
        return step.model == unit.key
    return isinstance(step, FeatsBefore | Turn) and unit.player == g.active


def lose_time(g: Table, unit: Unit) -> None:
    """A model loses a counter to the clock; its player has not acted, and the opponent is active next."""
    step = step_of(g)
    model_actions.spend(unit, 1)
    g.say(_("%(model)s loses a counter: the time for its activation is up."), model=unit.name)
    if isinstance(step, Act):
        g.end()
    model_actions.take_activation(g, g.active)
    # A late player's own notes keep nobody waiting, except for the End Phase.
    if following := next_active(g):
        hand_over(g, following)
    else:
        after_action(g)


MAIN: tuple[type[Step[Table]], ...] = (BeginMain, FeatsBefore, Turn, Act, FeatsAfter)


def is_main(g: Table) -> bool:
    """Whether it is the Main phase, whatever question covers it just now."""
    names = {step.name for step in MAIN}
    return any(question.step in names for question in g.flow)
