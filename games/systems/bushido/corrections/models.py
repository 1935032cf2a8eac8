"""Corrections of one model: wounds, Ki, counters, where it is; with those of its states and its card."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import engine
from games.core.corrections import refuse_same, stepper, switch
from games.core.steps import Offer, answer
from games.core.system import name_of
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.corrections.cards import MOST_KI, CardCorrections
from games.systems.bushido.corrections.headings import (
    ACTIVATION,
    FEAT,
    HIT,
    KI,
    POSITION,
    WOUNDS,
)
from games.systems.bushido.corrections.states import StateCorrections
from games.systems.bushido.pieces import ELSEWHERE, REMOVED, TABLE, Objective, Table, Unit
from games.systems.bushido.rules import (
    main_phase,
    model_actions,
    objectives,
    scenarios,
    victory_and_end,
    wounds_and_ki,
)
from games.systems.bushido.rules.main_phase import close_last_feats, is_late, lose_time
from games.systems.bushido.rules.victory_and_end import Closing
from games.systems.bushido.rules.wounds_and_ki import WoundTest

MOST_SHARED_KI = 60
MOST_COUNTERS, MOST_LEVEL, FEAT_PRICE = 4, 11, 8


class ModelCorrections(StateCorrections, CardCorrections):
    """What may be corrected on a model."""

    def of_model(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """All corrections of one model."""
        if g.round and unit.is_in_play:
            yield from wounds_of(g, unit)
            yield from ki_of(g, unit)
            yield from counters_of(unit)
            if is_late(g, unit):
                label = say(_("Its time is up: remove 1 counter"))
                yield Offer(f"overtime:{unit.key}", label, group=ACTIVATION)
            yield from self.states_of(g, unit)
        yield from self._position(g, unit)
        yield from self.note_of(g, unit)
        yield from self.figures_of(unit)

    def _position(self, g: Table, unit: Unit) -> Iterator[Offer]:
        for place, called in PLACES.items():
            # A flanking model arrives when its player reveals its flank.
            arrives = unit.is_flanking and PLACE_OF[place] == TABLE
            if g.round and unit.place != PLACE_OF[place] and not arrives:
                yield Offer(f"{place}:{unit.key}", Line(called), group=POSITION)
        if g.round and scenarios.of(g).vim and victory_and_end.known_vim(g, unit.army) not in ("?", unit.key):
            yield Offer(f"vim:{unit.key}", say(_("Make it the VIM")), group=POSITION)
        if unit.is_on_table:
            for zone in g.places(objectives.ZONE):
                label = say(_("Entirely inside %(zone)s"), zone=Term(zone.name))
                on, off = f"inside:{unit.key}:{zone.key}", f"outside:{unit.key}:{zone.key}"
                yield switch(unit.zone == zone.key, on, off, label, POSITION)

    # --- wounds and Ki -------------------------------------------------------------------------------

    @answer
    def wounds(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        if change < 0:
            wounds_and_ki.suffer(g, unit, -change)
        else:
            unit.wounds += change
            line = _("%(model)s: %(left)s of %(total)s wounds left.")
            g.say(line, model=unit.name, left=unit.wounds, total=unit.wounds_total)

    @answer
    def heal(self, g: Table, seat: str, unit: Unit, count: int) -> None:
        wounds_and_ki.heal(g, unit, count)

    @answer
    def hit(self, g: Table, seat: str, unit: Unit, level: int) -> None:
        """BUSH-34: a success level and two dice give the wounds."""
        g.say(_("%(model)s is hit with success level %(level)s."), model=unit.name, level=level)
        g.call(WoundTest(unit.key, level))

    @answer
    def ki(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        left = wounds_and_ki.change_ki(g, unit, change)
        if unit.is_communal:
            line = _("%(player)s: %(what)s %(now)s.")
            g.say(line, player=name_of(g, unit.army), what=Term(_("Shared Ki")), now=left)
        else:
            g.say(_("%(model)s: %(ki)s Ki."), model=unit.name, ki=left)
        if not left and wounds_and_ki.lives_on_ki(unit):
            wounds_and_ki.kill(g, unit)

    @answer
    def feat(self, g: Table, seat: str, unit: Unit, price: int) -> None:
        """BUSH-09, BUSH-14: Active feats are the Active Player's, the last ones until the rival begins."""
        player = _feats_of(g, unit)
        left = wounds_and_ki.change_ki(g, unit, -price)
        is_after = player == g.feats
        if not is_after:
            close_last_feats(g)
        line = (
            _("%(model)s uses a feat after the action: %(price)s Ki, %(left)s left.")
            if is_after
            else _("%(model)s uses a feat before the action: %(price)s Ki, %(left)s left.")
        )
        g.say(line, model=unit.name, price=price, left=left)

    # --- counters ------------------------------------------------------------------------------------

    @answer
    def counters(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        unit.counters += change
        unit.activated = not unit.counters
        g.say_count(
            "%(model)s: %(count)s activation counter.",
            "%(model)s: %(count)s activation counters.",
            unit.counters,
            model=unit.name,
        )

    @answer
    def overtime(self, g: Table, seat: str, unit: Unit) -> None:
        """BUSH-35: an activation that takes longer than it may loses a counter, and play passes on."""
        lose_time(g, unit)

    @answer
    def fights_back(self, g: Table, seat: str, unit: Unit) -> None:
        """BUSH-13: the target of a melee pays a counter."""
        model_actions.unmask(g, unit)
        model_actions.hit_back(g, unit)
        g.target = unit.key

    # --- position ------------------------------------------------------------------------------------

    @answer
    def on_table(self, g: Table, seat: str, unit: Unit) -> None:
        wounds_and_ki.revive(g, unit)

    @answer
    def elsewhere(self, g: Table, seat: str, unit: Unit) -> None:
        wounds_and_ki.take_back(g, unit)
        unit.place, unit.zone = ELSEWHERE, None
        g.say(_("%(model)s is Elsewhere."), model=unit.name)

    @answer
    def removed(self, g: Table, seat: str, unit: Unit) -> None:
        unit.flanks = False
        wounds_and_ki.kill(g, unit)

    @answer
    def vim(self, g: Table, seat: str, unit: Unit) -> None:
        """BUSH-29: an open VIM that was named wrongly; a hidden one can be named again only by undo."""
        g.armies[unit.army].vim = unit.key
        if wounds_and_ki.has_returned(g, unit):
            wounds_and_ki.forget_fall(g, unit)
        g.say(_("%(model)s is a VIM."), model=unit.name)

    @answer
    def inside(self, g: Table, seat: str, unit: Unit, zone: Objective) -> None:
        unit.zone = zone.key
        g.say(_("%(model)s stands inside %(zone)s."), model=unit.name, zone=Term(zone.name))

    @answer
    def outside(self, g: Table, seat: str, unit: Unit, zone: Objective) -> None:
        unit.zone = None
        g.say(_("%(model)s left %(zone)s."), model=unit.name, zone=Term(zone.name))


PLACES = {
    "on-table": _("On the battlefield"),
    "elsewhere": _("Elsewhere"),
    "removed": _("Out of the match"),
}
PLACE_OF = {"on-table": TABLE, "elsewhere": ELSEWHERE, "removed": REMOVED}


def wounds_of(g: Table, unit: Unit) -> Iterator[Offer]:
    """Wounds of a model, by hand or by a success level."""
    if unit.tracks_wounds:
        label = say(_("Wounds left"))
        yield from stepper(f"wounds:{unit.key}", label, unit.wounds, 0, unit.wounds_total, WOUNDS)
        if unit.wounds < unit.wounds_total:
            missing = unit.wounds_total - unit.wounds
            yield Offer(f"heal:{unit.key}", say(_("Heal")), 1, missing, group=WOUNDS)
    if unit.is_on_table and not _is_testing(g):
        yield Offer(f"hit:{unit.key}", Line(HIT), 0, MOST_LEVEL, group=HIT)


def _is_testing(g: Table) -> bool:
    """Whether a question is open that no further one should cover."""
    step = engine.step_of(g)
    return step is None or isinstance(step, WoundTest | Closing)


def ki_of(g: Table, unit: Unit) -> Iterator[Offer]:
    """Ki of a model, its own or its warband's, and what a feat costs it."""
    held = wounds_and_ki.ki_held(g, unit)
    label = say(_("Shared Ki")) if unit.is_communal else say(_("Ki"))
    most = MOST_SHARED_KI if unit.is_communal else MOST_KI if unit.cap is None else unit.cap
    yield from stepper(f"ki:{unit.key}", label, held, 0, max(most, held), KI)
    # An Instant feat is paid for by the Ki above, at any time.
    if main_phase.is_main(g) and _feats_of(g, unit) in (g.active, g.feats):
        yield Offer(
            f"feat:{unit.key}",
            Line(FEAT),
            0,
            min(wounds_and_ki.spendable_ki(g, unit), FEAT_PRICE),
            group=FEAT,
        )


def _feats_of(g: Table, unit: Unit) -> str:
    """Whose feats a model uses: its last counter may have ended the control of whoever had it act."""
    return g.actor if g.actor and unit.key == g.acting else unit.player


def counters_of(unit: Unit) -> Iterator[Offer]:
    """Activation counters of a model."""
    label = say(_("Activation counters"))
    yield from stepper(f"counters:{unit.key}", label, unit.counters, 0, MOST_COUNTERS, ACTIVATION)
    if unit.counters and unit.is_on_table:
        yield Offer(f"fights-back:{unit.key}", say(_("Fights back: remove 1 counter")), group=ACTIVATION)
