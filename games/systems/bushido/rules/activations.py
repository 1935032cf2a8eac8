"""The Main phase: whose turn it is, who can be activated, what an action costs, when nobody can any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.system import name_of
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import states
from games.systems.bushido.rules.windows import (
    DONE,
    FEATS_AFTER,
    FEATS_BEFORE,
    Silent,
    Window,
    forget,
    reminding,
)

SIMPLE, COMPLEX, MELEE = 1, 2, 1
"""Activation counters that an action costs, and a Melee Exchange its target."""


def is_ready(unit: Unit) -> bool:
    """Whether a model could be chosen: on the table, with a counter left."""
    return unit.is_on_table and unit.counters > 0


def is_hasty(unit: Unit) -> bool:
    """Whether a model has to act before others of its warband."""
    return unit.has(states.IMPETUOUS) or unit.has(states.BERSERK)


def activatable(g: Table, seat: str) -> list[Unit]:
    """BUSH-10: the models that a seat may choose: those with counters, the Impetuous ones first."""
    ready = [unit for unit in g.on_table(seat) if unit.counters > 0]
    return [unit for unit in ready if is_hasty(unit)] or ready


def able(g: Table, seat: str) -> bool:
    """Whether a seat can activate a model. Pass tokens alone are not able to (BUSH-15)."""
    return any(is_ready(unit) for unit in g.on_table(seat))


def counters(g: Table, seat: str) -> int:
    """The activation counters that a seat has left on the table."""
    return sum(unit.counters for unit in g.on_table(seat))


def can_complex(unit: Unit) -> bool:
    """Whether a model may take a complex action: two counters, and not the last marker of its control."""
    return unit.counters >= COMPLEX and len(unit.values(states.CONTROLLED)) != 1


def spend(unit: Unit, cost: int) -> None:
    """Take counters off a model; a marker of its control goes with each."""
    paid = min(cost, unit.counters)
    unit.counters -= paid
    unit.activated = not unit.counters
    for _counter in range(paid):
        states.remove(unit, states.CONTROLLED)


def hit_back(g: Table, target: Unit) -> None:
    """BUSH-13: in a Melee Exchange the target pays a counter too, if it has one; a tireless one does not.

    Whoever is drawn into one is no longer Disguised.
    """
    states.clear(target, states.DISGUISED)
    if target.tireless or not target.counters:
        g.say(_("%(model)s has no counter to pay for its part."), model=target.name)
        return
    spend(target, MELEE)
    g.say(_("%(model)s fights back: %(left)s left."), model=target.name, left=target.counters)


def acted(g: Table, unit: Unit, cost: int, target: Unit | None = None) -> None:
    """An action is resolved: its counters go, and its player's last Active feats are open."""
    g.acting, g.feats = unit.key, unit.player
    if unit.counters:
        states.remove(unit, states.IMPETUOUS)
    spend(unit, cost)
    g.target = target.key if target else None
    if target is not None:
        hit_back(g, target)


class BeginMain(Silent):
    """BUSH-08: the Main phase starts with the player chosen through the Tactical Test."""

    rule = "BUSH-08"
    title = _("Main Phase")

    def run(self, g: Table) -> None:
        if able(g, g.active) or not able(g, g.rival(g.active)):
            begin_activation(g, g.active)
        else:
            begin_activation(g, g.rival(g.active))


def begin_activation(g: Table, seat: str) -> None:
    """BUSH-09: this seat is the Active Player, and from now on may use Active feats."""
    g.active = seat
    forget(g)
    g.goto(FeatsBefore if any(reminding(g, FEATS_BEFORE, seat)) else Turn)


class FeatsBefore(Window):
    """BUSH-09: the Active Player may use Active feats from here on; only a note makes that a question."""

    rule = "BUSH-09"
    title = _("Active feats before your action")
    help = _("You are the Active Player. Use your reminders, then act.")
    moment = FEATS_BEFORE

    def waits_for(self, g: Table, seat: str) -> bool:
        return seat == g.active and super().waits_for(g, seat)

    def go_on(self, g: Table) -> None:
        g.goto(Turn)


class Turn(Step):
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
            path = f"unit/{unit.key}"
            label = say(_("%(model)s: simple action"), model=unit.name)
            yield Offer(f"simple:{unit.key}", label, about=path, style="main")
            if can_complex(unit):
                label = say(_("%(model)s: complex action"), model=unit.name)
                yield Offer(f"complex:{unit.key}", label, about=path)
            label = say(_("%(model)s: which action?"), model=unit.name)
            yield Offer(f"act:{unit.key}", label, about=path)
        if g.armies[seat].passes > 0:
            label = say_count("Pass (%(count)s token)", "Pass (%(count)s tokens)", g.armies[seat].passes)
            yield Offer("pass", label, style="quiet")

    @answer
    def simple(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit, SIMPLE)
        g.say(_("%(model)s takes a simple action: %(left)s left."), model=unit.name, left=unit.counters)
        after_action(g)

    @answer
    def complex(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit, COMPLEX)
        g.say(_("%(model)s takes a complex action."), model=unit.name)
        after_action(g)

    @answer
    def act(self, g: Table, seat: str, unit: Unit) -> None:
        g.say(_("%(model)s is chosen."), model=unit.name)
        g.call("act", unit.key)

    @answer("pass")
    def spend_token(self, g: Table, seat: str) -> None:
        side = g.armies[seat]
        side.passes -= 1
        g.acting, g.target, g.feats = None, None, seat
        g.say(_("%(player)s spends a pass token: %(left)s left."), player=name_of(g, seat), left=side.passes)
        after_action(g)

    def run(self, g: Table) -> None:
        after_action(g)

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
        if any(is_hasty(unit) for unit in activatable(g, g.active)):
            told = _("Impetuous models act first. A simple action costs 1 counter, a complex one 2.")
        line = _("%(help)s · counters left: you %(mine)s, opponent %(theirs)s")
        mine, theirs = counters(g, g.active), counters(g, g.rival(g.active))
        return say(line, help=Term(told), mine=mine, theirs=theirs)


def after_action(g: Table) -> None:
    """What follows an action: the last window where it is needed, else the next Active Player."""
    if any(reminding(g, FEATS_AFTER, g.active)) or not any(able(g, seat) for seat in g.seats):
        forget(g)
        g.goto(FeatsAfter)
    else:
        hand_over(g)


class FeatsAfter(Window):
    """BUSH-14: the Active Player may use Active feats for the last time this activation.

    It costs a tap only for a note, and after the last activation of the turn, so that its wounds
    and feats come before the End phase.
    """

    rule = "BUSH-14"
    title = _("Last chance for Active feats")
    help = _("Enter wounds, Ki and feats of this activation now.")
    moment = FEATS_AFTER

    def waits_for(self, g: Table, seat: str) -> bool:
        return seat == g.active and (
            super().waits_for(g, seat) or (_is_last(g) and not g.armies[seat].closed)
        )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        if _is_last(g) and not any(self.effects(g, seat)):
            yield DONE

    @answer
    def done(self, g: Table, seat: str) -> None:
        g.armies[seat].closed = True
        g.say(_("%(player)s is done."), player=name_of(g, seat))

    def go_on(self, g: Table) -> None:
        hand_over(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        if _is_last(g):
            return Line(
                _("No model can act any more. Enter the last wounds and feats: the End Phase is next.")
            )
        return Line(self.help)


def _is_last(g: Table) -> bool:
    """Whether nobody can activate a model any more."""
    return not any(able(g, seat) for seat in g.seats)


def hand_over(g: Table) -> None:
    """BUSH-15: the opponent is active; if it cannot activate, the same player goes on.

    BUSH-16: once neither can, the End phase begins.
    """
    rival = g.rival(g.active)
    if able(g, rival):
        begin_activation(g, rival)
    elif able(g, g.active):
        g.say(
            _("%(player)s activates again: the opponent has no model left to activate."),
            player=name_of(g, g.active),
        )
        begin_activation(g, g.active)
    else:
        g.acting, g.target, g.feats = None, None, ""
        g.say(_("No model can act any more. The End Phase begins."))
        g.goto("end-effects")


MAIN: tuple[type[Step], ...] = (BeginMain, FeatsBefore, Turn, FeatsAfter)
