"""Whose activation it is, when its player may use Active feats, and when nobody can act any more."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.kit import Acknowledged
from games.core.steps import Offer, Step, answer
from games.core.system import name_of
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules.actions import able
from games.systems.bushido.rules.end_phase import EndEffects
from games.systems.bushido.rules.windows import (
    FEATS_AFTER,
    FEATS_BEFORE,
    Window,
    are_reminded,
    forget,
    reminding,
)


class Activation(Step[Table]):
    """BUSH-10: a model is activated; `activations.Turn`, which needs what is here, is this step."""

    name = "turn"


def begin_activation(g: Table, seat: str) -> None:
    """BUSH-09: this seat is the Active Player, and from now on may use Active feats."""
    g.active = seat
    if are_reminded(g, FEATS_BEFORE, seat):
        forget(g)
        g.goto(FeatsBefore)
    else:
        g.goto(Activation)


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
        g.goto(Activation)


def close_last_feats(g: Table) -> None:
    """BUSH-14: once the Active Player has used a feat or named a model, the last feats before are over."""
    g.feats = ""


def after_action(g: Table) -> None:
    """What follows an action: the last window if it is needed, else the next Active Player."""
    if following := _follows_at_once(g):
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


def _follows_at_once(g: Table) -> str:
    """Who is active next; "" if this activation's last window is needed first."""
    return "" if are_reminded(g, FEATS_AFTER, g.active) else next_active(g)


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
    """Whether nobody can activate a model any more."""
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
