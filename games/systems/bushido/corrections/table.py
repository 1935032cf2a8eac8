"""All corrections, open at any time: what the table noted wrongly or a card changed.

A correction is a signed change or a switch, is logged with its author and can be taken
back like any action. It never plays a turn and never ends a match by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import engine
from games.core.corrections import (
    COMPUTED,
    NEEDS_A_REASON,
    EndCorrections,
    chosen_controller,
    controllers,
    give_points,
    points_offer,
    propose,
    reason_for_points,
    refuse_same,
    stepper,
    switch,
    written,
)
from games.core.steps import IllegalAction, Offer, answer
from games.core.system import name_of
from games.core.validation import PIECE_GRAPHEMES
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.corrections.headings import (
    ALIGNMENT,
    CLOCK,
    END,
    ENTRY,
    FEAT,
    FIGURES,
    HEADINGS,
    HIT,
    NEW_STATES,
    NOTE,
    POINTS,
    TOKENS,
    TURN,
)
from games.systems.bushido.corrections.models import MOST_SHARED_KI, ModelCorrections
from games.systems.bushido.pieces import TABLE, UNPLACED, Army, Objective, Table
from games.systems.bushido.rules import (
    activations,
    ending,
    feats,
    muster,
    objectives,
    scenarios,
    scoring,
    setup,
    victory,
    vims,
)
from games.systems.bushido.rules.ending import Closing

LARGEST_SCORE = 3
MOST_POINTS, MOST_TOKENS, MOST_MINUTES = 60, 20, 240
ACTIVATION_SECONDS, DUEL_SECONDS = 120, 30
NEUTRAL = "neutral"


class BushidoCorrections(ModelCorrections, EndCorrections[Table]):
    """Corrections of Bushido."""

    headings = HEADINGS
    end_heading = END
    no_winner = "drawn"
    folded = frozenset({HIT, FEAT, NEW_STATES, NOTE, FIGURES, TURN, ENTRY, END})

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        if path == "table":
            yield from self._table(g)
        elif kind == "army" and key in g.armies:
            yield from self._army(g, g.armies[key])
        elif kind == "unit" and key in g.units:
            yield from self.of_model(g, g.units[key])
        elif kind == "objective" and key in g.objectives:
            yield from self._place(g, g.objectives[key])

    # --- a side ----------------------------------------------------------------------------------------

    def _army(self, g: Table, side: Army) -> Iterator[Offer]:
        key = side.key
        if g.round:
            label, points = say(_("Scenario Points")), side.scenario_points
            yield from stepper(f"scenario-points:{key}", label, points, 0, MOST_POINTS, POINTS)
            most = g.points(key) + victory.available(g) - victory.scored(g)
            yield from points_offer(g, key, 0, most, POINTS)
            if g.points(key) > 0:
                label = say(_("Move a Victory Point to %(player)s"), player=name_of(g, g.rival(key)))
                yield Offer(f"move-point:{key}", label, detail=NEEDS_A_REASON, group=POINTS)
            yield from stepper(f"passes:{key}", say(_("Pass tokens")), side.passes, 0, MOST_TOKENS, TOKENS)
            yield from stepper(
                f"prayers:{key}", say(_("Prayer tokens")), side.prayers, 0, MOST_TOKENS, TOKENS
            )
            label, shared = say(_("Shared Ki")), side.communal
            yield from stepper(f"communal:{key}", label, shared, 0, MOST_SHARED_KI, TOKENS)
            if "vim" in side.hidden:
                yield Offer(f"reveal:{key}", say(_("Reveal the hidden VIM")), group=TOKENS)
        if sum(1 for _unit in g.units_of(key)) < muster.MOST_MODELS:
            detail = say(_("Type its name in the field below; correct its card afterwards."))
            yield Offer(f"summon:{key}", say(_("Add a model")), detail=detail, group=ENTRY)
        if self.can_end(g) and g.rules["death"]:
            yield Offer(f"run-out:{key}", say(_("Its time has run out")), style="apart", group=END)
        yield from self.concession_of(g, key)

    @answer
    def scenario_points(self, g: Table, seat: str, side: Army, change: int) -> None:
        refuse_same(change == 0)
        side.scenario_points += change
        _tell(g, side, _("Scenario Points"), side.scenario_points)

    @answer
    def points(self, g: Table, seat: str, side: Army, change: int) -> None:
        """BUSH-22: Victory Points given by hand need a reason; there are never more than the scenario has."""
        refuse_same(change == 0)
        give_points(g, side.key, change, reason_for_points(g))

    @answer
    def move_point(self, g: Table, seat: str, side: Army) -> None:
        """BUSH-22: in one step, because the match goes on while a point is still to be given."""
        reason = reason_for_points(g)
        give_points(g, side.key, -1, reason)
        give_points(g, g.rival(side.key), 1, reason)

    @answer
    def passes(self, g: Table, seat: str, side: Army, change: int) -> None:
        """BUSH-07: feats add pass tokens, and the count may be corrected."""
        refuse_same(change == 0)
        side.passes += change
        _tell(g, side, _("Pass tokens"), side.passes)

    @answer
    def prayers(self, g: Table, seat: str, side: Army, change: int) -> None:
        refuse_same(change == 0)
        side.prayers += change
        _tell(g, side, _("Prayer tokens"), side.prayers)

    @answer
    def communal(self, g: Table, seat: str, side: Army, change: int) -> None:
        refuse_same(change == 0)
        side.communal += change
        _tell(g, side, _("Shared Ki"), side.communal)

    @answer
    def reveal(self, g: Table, seat: str, side: Army) -> None:
        """BUSH-29: only the player who named a VIM in secret may reveal it."""
        if seat != side.key:
            raise IllegalAction(
                say(_("Only %(player)s can reveal that."), player=name_of(g, side.key)), "BUSH-29"
            )
        vims.reveal_vim(g, side.key)

    @answer
    def summon(self, g: Table, seat: str, side: Army) -> None:
        called = written(g, _("Please type the model's name in the field below."), PIECE_GRAPHEMES)
        unit = muster.enlist(g, side.key, muster.summoned(g, called))
        unit.summoned, unit.place = bool(g.round), TABLE if g.round else UNPLACED
        muster.recount(g, side.key)
        setup.tell_from_enemy(g, unit)
        g.say(_("%(model)s joins %(player)s."), model=unit.name, player=name_of(g, side.key))

    @answer
    def run_out(self, g: Table, seat: str, side: Army) -> None:
        """BUSH-36: the table says whether a player's death clock has run out."""
        g.say(_("The time of %(player)s has run out."), player=name_of(g, side.key))
        propose(g, Closing(ending.CLOCK, side.key))

    # --- objectives and zones ----------------------------------------------------------------------------

    def _place(self, g: Table, place: Objective) -> Iterator[Offer]:
        if place.follows not in g.objectives:
            yield from self._alignment(g, place)
        if place.kind == objectives.ZONE:
            yield from self._zone(g, place)
        yield Offer(f"drop:{place.key}", say(_("Remove it from the battlefield")), style="apart", group=ENTRY)

    def _alignment(self, g: Table, place: Objective) -> Iterator[Offer]:
        for seat in g.rivals(place.aligned) if place.aligned else g.seats:
            label = say(_("Friendly to %(player)s"), player=name_of(g, seat))
            yield Offer(f"align:{place.key}:{seat}", label, group=ALIGNMENT)
        if place.aligned:
            yield Offer(f"align:{place.key}:{NEUTRAL}", say(_("Neutral")), group=ALIGNMENT)

    def _zone(self, g: Table, zone: Objective) -> Iterator[Offer]:
        computed = say(_("Whoever has more inside, as entered"))
        yield from controllers(g, zone, zone.uncontrolled, computed, POINTS)

    @answer
    def align(self, g: Table, seat: str, place: Objective, who: str) -> None:
        aligned = None if who == NEUTRAL else who
        place.aligned = aligned
        if aligned is None:
            g.say(_("%(place)s is neutral."), place=Term(place.name))
        else:
            g.say(
                _("%(place)s is friendly to %(player)s."), place=Term(place.name), player=name_of(g, aligned)
            )

    @answer
    def controller(self, g: Table, seat: str, zone: Objective, who: str) -> None:
        if who == COMPUTED:
            refuse_same(zone.override is None and not zone.uncontrolled)
            zone.override, zone.uncontrolled = None, False
            g.say(_("%(zone)s goes by the models inside."), zone=Term(zone.name))
        else:
            scoring.decide(g, zone, chosen_controller(zone, zone.uncontrolled, who))

    @answer
    def drop(self, g: Table, seat: str, place: Objective) -> None:
        objectives.remove(g, place)

    # --- the table -----------------------------------------------------------------------------------------

    def _table(self, g: Table) -> Iterator[Offer]:
        if "scenario" in g.rules:
            yield from self._of_scenario(g)
        yield from self._of_turn(g) if g.round else self._clocks(g)

    def _of_scenario(self, g: Table) -> Iterator[Offer]:
        """What is laid on the battlefield, and, before the first turn, how VIMs are named."""
        for kind, called in ADDED.items():
            if not objectives.is_full(g, kind):
                yield Offer(f"lay:{kind}", Line(called), group=ENTRY)
        if g.round or not scenarios.of(g).vim or any(army.vim for army in g.armies.values()):
            return
        for how, words in scenarios.VIMS.items():
            if how != vims.kind_of_vim(g):
                yield Offer(f"vims:{how}", say(_("VIMs are %(how)s"), how=Term(words)), group=ENTRY)

    def _clocks(self, g: Table) -> Iterator[Offer]:
        """The limits of time that a table may agree on before the first turn."""
        seconds = g.rules["activation"] or _usual_seconds(g)
        label, detail = say(_("Two minutes for an activation")), say(_("It loses a counter after them."))
        if seconds != ACTIVATION_SECONDS:
            label = say(_("%(seconds)s seconds for an activation"), seconds=seconds)
        is_on = bool(g.rules["activation"])
        yield switch(is_on, "activation-clock", "no-activation-clock", label, CLOCK, detail)
        label, minutes = say(_("Minutes per player in total, 0 without limit")), g.rules["death"]
        yield from stepper("death-clock", label, minutes, 0, MOST_MINUTES, CLOCK)

    def _of_turn(self, g: Table) -> Iterator[Offer]:
        """Whether this is the last turn, who is active in it, and how the match ends otherwise."""
        yield switch(g.is_final, "final", "not-final", say(_("This is the last turn")), TURN)
        if isinstance(engine.step_of(g), activations.Turn):
            rival = g.rival(g.active)
            label = say(_("%(player)s is the Active Player"), player=name_of(g, rival))
            yield Offer(f"active:{rival}", label, group=TURN)
        yield from self.end_on_time(g)
        yield from self.adjudications(g)

    @answer
    def lay(self, g: Table, seat: str, kind: str) -> None:
        place = objectives.add(g, kind)
        g.say(_("%(place)s is laid on the battlefield, neutral."), place=Term(place.name))

    @answer
    def vims(self, g: Table, seat: str, how: str) -> None:
        """BUSH-29: another way to name the VIMs may be agreed on before any is named."""
        g.rules = {**g.rules, "vim": how}
        g.say(_("VIMs are %(how)s."), how=Term(scenarios.VIMS[how]))

    @answer
    def activation_clock(self, g: Table, seat: str) -> None:
        """BUSH-35: a table may play with a limit for each activation."""
        seconds = _usual_seconds(g)
        g.rules = {**g.rules, "activation": seconds}
        if seconds == ACTIVATION_SECONDS:
            g.say(_("Each activation has two minutes."))
        else:
            g.say(_("Each activation has %(seconds)s seconds."), seconds=seconds)

    @answer
    def no_activation_clock(self, g: Table, seat: str) -> None:
        g.rules = {**g.rules, "activation": 0}
        g.say(_("Activations have no limit of time."))

    @answer
    def death_clock(self, g: Table, seat: str, change: int) -> None:
        """BUSH-36: a table may play with a limit on each player's total time."""
        refuse_same(change == 0)
        minutes = g.rules["death"] + change
        g.rules = {**g.rules, "death": minutes}
        if minutes:
            g.say(_("Each player has %(minutes)s minutes in total."), minutes=minutes)
        else:
            g.say(_("The players have no limit of time."))

    @answer
    def final(self, g: Table, seat: str) -> None:
        g.is_final = True
        g.say(_("This is the last turn."))

    @answer
    def not_final(self, g: Table, seat: str) -> None:
        g.is_final = False
        g.say(_("This is not the last turn."))
        victory.take_back_last(g)

    @answer
    def active(self, g: Table, seat: str, side: Army) -> None:
        g.say(_("%(player)s is the Active Player."), player=name_of(g, side.key))
        feats.begin_activation(g, side.key)

    def end_on_time(self, g: Table) -> Iterator[Offer]:
        if not g.time_is_up:
            yield from super().end_on_time(g)

    def proposal(self, how: str, who: str = "") -> Closing:
        return Closing(how, who)

    def can_end(self, g: Table) -> bool:
        return super().can_end(g) and not isinstance(engine.step_of(g), Closing)


ADDED = {objectives.OBJECTIVE: _("Another objective"), objectives.ZONE: _("Another zone")}


def _usual_seconds(g: Table) -> int:
    """BUSH-35: how long an activation may take once the table has a limit; in a duel it is half a minute."""
    is_duel = "scenario" in g.rules and scenarios.of(g).is_duel
    return DUEL_SECONDS if is_duel else ACTIVATION_SECONDS


def _tell(g: Table, side: Army, what: str, now: int) -> None:
    g.say(_("%(player)s: %(what)s %(now)s."), player=name_of(g, side.key), what=Term(what), now=now)
