"""What may be noted about the models that act and fight, beside the rows of their warbands."""

from __future__ import annotations

from collections.abc import Iterator

from games import view_models
from games.core.steps import Offer
from games.core.words import gettext_noop as _
from games.systems.bushido.bushido_corrections import FEAT, HIT, BushidoCorrections
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import actions, activations
from games.view_models.game_page import Page

BEFORE = {
    "opponent": _("Last chance to enter its feats, wounds and Ki before the opponent activates."),
    "again": _("Last chance to enter its feats, wounds and Ki before you activate again."),
    "end": _("Last chance to enter its feats, wounds and Ki before the End Phase."),
}
"""What to note by when, by what comes next."""
FEATS_OVER = _("The opponent has begun to act: no more Active feats, but wounds and Ki can be entered.")
BESIDE = {"wounds": (-3, -2, -1), "ki": (-2, -1, 1)}
"""Wounds and Ki that are noted with one tap while a model acts."""

UNNAMED = {"simple", "complex", "disengage", "stay-held", "stand-up"}
"""The verbs that leave open whether a model fought: mere costs, and what is a melee in contact."""
NAMED = {*activations.Act.answers, "fights-back"} - {"back"} - UNNAMED
"""The verbs that say whether it did, and whom."""


class FightPage(Page):
    """The model that acted, and the one that it fights."""

    g: Table

    def acting(self) -> view_models.Acting | None:
        unit = self.g.units.get(self.g.acting or "")
        if unit is None or self.g.result is not None:
            return None
        title, doer = self.t(_("Acted: %(model)s"), model=unit.name), self.doer(unit)
        if doer != self.seat:
            return view_models.Acting(title, self.marks[doer])
        hint = self.t(BEFORE[self.coming(doer)] if self.uses_feats(doer) else FEATS_OVER)
        return view_models.Acting(title, self.marks[doer], hint, tuple(self.noted(unit)))

    def coming(self, doer: str) -> str:
        """What comes after an activation: the opponent's, the same player's next, or the End phase."""
        if actions.able(self.g, self.g.rival(doer)):
            return "opponent"
        return "again" if actions.able(self.g, doer) else "end"

    def doer(self, unit: Unit) -> str:
        """Who had the model act; its last counter may have ended that player's control of it."""
        return self.g.actor or unit.player

    def uses_feats(self, doer: str) -> bool:
        """Whether whoever acted may still use Active feats, or already may again."""
        return doer in (self.g.feats, self.g.active)

    def fight(self, key: str) -> view_models.Acting | None:
        """What the side under attack may note about its model."""
        unit = self.g.units.get(self.g.target or "")
        if unit is None or unit.player != key or key != self.seat or not unit.is_in_play:
            return None
        title = self.t(_("In the fight: %(model)s"), model=unit.name)
        return view_models.Acting(title, self.marks[key], "", (self.group_of(unit),))

    def noted(self, unit: Unit) -> Iterator[view_models.OfferGroup]:
        """Its own Ki and wounds; those of the enemy that it fights, or who fights back if that is open."""
        if unit.is_in_play:
            yield self.group_of(unit)
            if self.uses_feats(self.doer(unit)):
                yield from self.amounts(unit, "feat", FEAT)
        target = self.g.units.get(self.g.target or "")
        if target is not None and target.is_on_table:
            yield self.group_of(target, named=True)
            yield from self.amounts(target, "hit", HIT)
            return
        if self.is_action_known():
            return
        others = self.g.on_table(self.g.rival(self.doer(unit)))
        enemies = [other for other in others if other.counters and other.key != unit.key]
        back = tuple(
            view_models.Offer(
                f"unit/{other.key} fights-back:{other.key}", other.name, form="adjust", field="change"
            )
            for other in enemies
        )
        if back:
            yield view_models.OfferGroup(back, self.t(_("It was a melee: who fights back?")), folded=True)

    def is_action_known(self) -> bool:
        """Whether the log says what the model did, so that nobody has to say whether and whom it fought."""
        verbs = (action.partition(":")[0] for action, _told in self.recent())
        return next((verb for verb in verbs if verb in NAMED or verb in UNNAMED), "") in NAMED

    def group_of(self, unit: Unit, *, named: bool = False) -> view_models.OfferGroup:
        """Ki and wounds of a model as buttons."""
        path = f"unit/{unit.key}"
        offers = BushidoCorrections().only(self.g, path, "ki", "wounds")
        shown = tuple(self.correction(path, offer) for offer in offers)
        return view_models.OfferGroup(shown, unit.name if named else "")

    def amounts(self, unit: Unit, verb: str, title: str) -> Iterator[view_models.OfferGroup]:
        """A correction with a button for each amount, folded behind its title."""
        path = f"unit/{unit.key}"
        for offer in BushidoCorrections().only(self.g, path, verb):
            yield view_models.OfferGroup((self.every(path, offer),), self.t(title), folded=True)

    def steps_beside(self, offer: Offer) -> tuple[int, ...]:
        return BESIDE[offer.action.partition(":")[0]]

    def every(self, path: str, offer: Offer) -> view_models.Offer:
        """A correction with a button for each number that it takes."""
        numbers = range(offer.minimum or 0, (offer.maximum or 0) + 1)
        choices = tuple(
            view_models.Choice(f"{path} {offer.action}:{number}", str(number)) for number in numbers
        )
        label = self.words(offer.label)
        return view_models.Offer(
            f"{path} {offer.action}", label, choices=choices, form="adjust", field="change"
        )
