"""The End phase: effects, states that wound, what expires; then zones and checks score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import TIME_OUT, Argument, Line, Offer, Silent, Step, Term, Together, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    BERSERK,
    BLIND,
    DAMAGING,
    END,
    END_ADVERSE,
    EXPIRES,
    FRIGHTENED,
    ON_FIRE,
    STATES,
    STUNNED,
    Objective,
    Table,
    Unit,
)
from games.systems.bushido.rules import scenarios, victory_and_end, wounds_and_ki
from games.systems.bushido.rules.scenarios import CHECKS, FRIENDLY, POINTS, SLAIN, Check
from games.systems.bushido.rules.turn_sequence import Checks, Window, forget
from games.systems.bushido.rules.victory_and_end import (
    ALL_SCORED,
    BOTH_OUT,
    LAST_TURN,
    NOBODY,
    WIPED_OUT,
    Closing,
    StillLast,
    is_called_off,
    reason,
    wiped_out,
)

# --- effects, wounds and what expires ----------------------------------------------------------------


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
                wounds_and_ki.heal(g, unit, min(unit.regenerate, unit.wounds_total - unit.wounds))
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
            label = say(_("First %(state)s: %(model)s"), state=Term(STATES[state].title), model=unit.name)
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
        for state in DAMAGING
        if unit.has(state) and (unit.key, state) not in g.burnt
    ]


def _may_die(unit: Unit, burning: list[tuple[Unit, str]]) -> bool:
    """Whether the states that have yet to wound a model kill it, alone or together."""
    left = unit.ki if unit.is_kami else unit.wounds
    suffered = sum(_damage(unit, state) for model, state in burning if model is unit)
    return (unit.tracks_wounds or unit.is_kami) and suffered >= left


def _damage(unit: Unit, state: str) -> int:
    suffered, _left = wounds_and_ki.damage(unit.values(state))
    return suffered if state == ON_FIRE else max(0, suffered - unit.tough)


def _suffer(g: Table, unit: Unit, state: str) -> None:
    suffered = _damage(unit, state)
    _total, left = wounds_and_ki.damage(unit.values(state))
    unit.clear_markers(state)
    for value in left:
        unit.add_marker(state, value)
    g.say(_("%(model)s: %(state)s."), model=unit.name, state=Term(STATES[state].title))
    g.burnt = (*g.burnt, (unit.key, state))
    wounds_and_ki.suffer(g, unit, suffered)
    unit.flanks = unit.flanks and unit.is_in_play


def _listed(g: Table) -> Line:
    wounds: tuple[Argument, ...] = tuple(
        say(
            _("%(model)s %(state)s %(count)s"),
            model=unit.name,
            state=Term(STATES[state].title),
            count=_damage(unit, state),
        )
        for unit, state in _burning(g)
    )
    return Line("%(wounds)s", {"wounds": wounds})


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
        unit.clear_markers(FRIGHTENED)
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
    return (unit for unit in models if unit.has(FRIGHTENED) and unit.key not in resolved)


def _expire(g: Table, unit: Unit) -> None:
    unit.remove_marker(STUNNED)
    unit.clear_markers(BLIND)
    unit.clear_markers(BERSERK)
    if EXPIRES in unit.reminders:
        g.say(_("%(model)s: “%(note)s” expires."), model=unit.name, note=unit.note)
        unit.note, unit.reminders = "", frozenset()


# --- the scenario is checked -------------------------------------------------------------------------


class Agreement(Together[Table]):
    """Both players agree to what is counted; a change asks both again.

    BUSH-23: nobody waits for the word of a warband without a model on the battlefield, unless the opponent
    says otherwise than the app counts.
    """

    def tally(self, g: Table) -> str:
        raise NotImplementedError

    def at_stake(self, g: Table) -> str:
        return self.tally(g)

    def waiting(self, g: Table) -> tuple[str, ...]:
        tally = self.tally(g)
        left = tuple(seat for seat in g.seats if g.armies[seat].agreed != tally)
        is_enough = len(left) < len(g.seats) and set(left).issubset(wiped_out(g)) and self.is_counted(g)
        return () if is_enough else left

    def is_counted(self, g: Table) -> bool:
        """Whether the app has counted this itself, and nobody says otherwise."""
        return True

    @answer
    def agree(self, g: Table, seat: str) -> None:
        g.armies[seat].agreed = self.tally(g)
        g.say(_("%(player)s agrees."), player=name_of(g, seat))


class ScoreZones(Agreement):
    """BUSH-28: control of a zone gives Scenario Points by its alignment, before Victory Points are checked.

    It takes strictly more models and strictly more printed rice, all entirely inside.
    """

    rule = "BUSH-28"
    title = _("Who controls the zones?")
    help = _("More models and more rice than the opponent, entirely inside. Both agree.")

    def waiting(self, g: Table) -> tuple[str, ...]:
        return super().waiting(g) if any(g.places(scenarios.ZONE)) else ()

    def tally(self, g: Table) -> str:
        """The turn, who controls which zone, and what it gives."""
        return f"zones-{g.round} {' '.join(_counted(g, zone, holder) for zone, holder in _held(g))}"

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from _agreements(g)

    @answer
    def control(self, g: Table, seat: str, zone: Objective, who: str) -> None:
        decide(g, zone, None if who == NOBODY else who)

    def go_on(self, g: Table) -> None:
        for zone, holder in _held(g):
            if holder is not None:
                points = scenarios.worth(g, zone, holder)
                g.armies[holder].scenario_points += points
                g.say_count(
                    "%(player)s controls %(zone)s: +%(count)s Scenario Point.",
                    "%(player)s controls %(zone)s: +%(count)s Scenario Points.",
                    points,
                    player=name_of(g, holder),
                    zone=Term(zone.name),
                )
        open_tally(g)
        g.goto(RevealVims)


def _counted(g: Table, zone: Objective, holder: str | None) -> str:
    if holder is None:
        return "-"
    return f"{holder}+{scenarios.worth(g, zone, holder)}"


def decide(g: Table, zone: Objective, who: str | None) -> None:
    zone.override, zone.uncontrolled = who, who is None
    if who is None:
        g.say(_("No one controls %(zone)s."), zone=Term(zone.name))
    else:
        g.say(_("%(player)s controls %(zone)s."), player=name_of(g, who), zone=Term(zone.name))


def _held(g: Table) -> list[tuple[Objective, str | None]]:
    return [(zone, scenarios.controller(g, zone)) for zone in g.places(scenarios.ZONE)]


def _agreements(g: Table) -> list[Offer]:
    """What either player may say about the zones: that all is right, or who controls one instead."""
    called = {seat: Line("%(player)s", {"player": _called(g, seat)}) for seat in (*g.seats, NOBODY)}
    zones = Line("%(zones)s", {"zones": tuple(_zone_told(g, zone, holder) for zone, holder in _held(g))})
    return [
        Offer("agree", say(_("Agreed")), detail=zones, style="main"),
        *(
            Offer(f"control:{zone.key}:{who}", label, group=zone.name)
            for zone, holder in _held(g)
            for who, label in called.items()
            if who != (holder or NOBODY)
        ),
    ]


def _zone_told(g: Table, zone: Objective, holder: str | None) -> Line:
    if holder is None:
        return say(_("%(zone)s: %(player)s"), zone=Term(zone.name), player=_called(g, NOBODY))
    points = scenarios.worth(g, zone, holder)
    line = _("%(zone)s: %(player)s +%(points)s")
    return say(line, zone=Term(zone.name), player=name_of(g, holder), points=points)


class RevealVims(Silent[Table]):
    """BUSH-29: hidden VIMs are revealed in the last End phase, before their scoring is checked."""

    rule = "BUSH-29"
    title = _("Hidden VIMs are revealed")

    def run(self, g: Table) -> None:
        if g.is_final:
            victory_and_end.reveal_vims(g)
        g.goto(NextCheck)


class NextCheck(Silent[Table], Checks):
    """BUSH-20: the checks that are due are made one after another."""

    rule = "BUSH-20"
    title = _("Check the scenario")

    def run(self, g: Table) -> None:
        left = _left(g)
        if is_called_off(g):
            forget(g)
            g.goto(StillLast)
            return
        if not left:
            g.goto(Closing)
            return
        if g.is_final:  # A correction may have made it the last turn in the middle of this phase.
            victory_and_end.reveal_vims(g)
        open_tally(g)
        g.checked = (*g.checked, (g.round, left[0]))
        g.goto(Tally(left[0]))


def _left(g: Table) -> list[int]:
    """The checks of this End phase that are still to be made, by their numbers."""
    if victory_and_end.is_all_given(g):
        return []
    return [at for at, _check in victory_and_end.due(g) if (g.round, at) not in g.checked]


class Tally(Agreement):
    """BUSH-20: a check gives its one Victory Point to whoever is ahead. Both agree before it is written.

    If level, nobody gets it. The players say what the table cannot know or an effect changes, such as
    which of two slain VIMs fell first.
    `number` is the place of the check in its scenario.
    """

    number: int

    rule = "BUSH-20"
    title = _("Victory Point")
    help = _("Scenario Points first, then this check. Both agree, or say who gets it.")
    settles_score = True

    def waiting(self, g: Table) -> tuple[str, ...]:
        is_clear = self._check(g).by == SLAIN and not victory_and_end.slain(g)
        return () if is_clear or self._is_off(g) else super().waiting(g)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        proposed = self._proposed(g)
        if proposed:
            label = say(_("Agreed: %(player)s"), player=_called(g, proposed))
            yield Offer("agree", label, style="main")
        for who in (*g.seats, NOBODY):
            if who != proposed:
                yield Offer(f"award:{who}", say(_("It goes to %(player)s"), player=_called(g, who)))

    @answer
    def award(self, g: Table, seat: str, who: str) -> None:
        g.award = who
        g.armies[seat].agreed = self.tally(g)
        line = _("%(player)s says that the Victory Point goes to %(other)s.")
        g.say(line, player=name_of(g, seat), other=_called(g, who))

    def go_on(self, g: Table) -> None:
        winner, given_for = self._proposed(g), CHECKS[self._check(g).by]
        open_tally(g)
        if winner == NOBODY or self._is_off(g):
            if self._check(g).by != SLAIN and self._is_due(g):
                g.say(_("No one scores the Victory Point of turn %(turn)s."), turn=g.round)
            g.goto(NextCheck)
            return
        g.score(winner, 1, given_for)
        g.say(
            _("%(player)s scores 1 Victory Point: %(reason)s."),
            player=name_of(g, winner),
            reason=Term(given_for),
        )
        g.goto(Decrease(winner))

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Victory Point: %(reason)s"), reason=Term(CHECKS[self._check(g).by]))

    def helping(self, g: Table, seat: str | None) -> Line:
        return self._check_line(g)

    def tally(self, g: Table) -> str:
        """The turn, the check, its numbers and who gets the point."""
        by = self._check(g).by
        counted = by in (POINTS, FRIENDLY)
        numbers = " ".join(str(victory_and_end.count(g, seat, by)) for seat in g.seats) if counted else ""
        return f"check-{g.round}-{self.number} {numbers} {self._proposed(g)}"

    def _check(self, g: Table) -> Check:
        return scenarios.of(g).checks[self.number]

    def _is_off(self, g: Table) -> bool:
        """Whether a correction has left nothing to check: no point, or no last turn."""
        return victory_and_end.is_all_given(g) or not self._is_due(g)

    def _is_due(self, g: Table) -> bool:
        return self._check(g).is_due(g.round, is_final=g.is_final)

    def is_counted(self, g: Table) -> bool:
        return g.award is None

    def _proposed(self, g: Table) -> str:
        """Who gets the point as it stands: a seat, "nobody" if level, "" for what only players can see."""
        return victory_and_end.ahead(g, self._check(g).by) if g.award is None else g.award

    def _check_line(self, g: Table) -> Line:
        """The numbers of a check, as shown below its question."""
        by = self._check(g).by
        if by == SLAIN:
            fallen = tuple(g.units[g.armies[seat].vim].name for seat in victory_and_end.slain(g))
            line = _("Out of the match: %(models)s.")
            if scenarios.of(g).is_duel:
                line = _("Out of the match: %(models)s. A VIM that slew the other wins, else both lose.")
            return say(line, models=fallen)
        if by not in (POINTS, FRIENDLY):
            return Line(_("Measure on the battlefield, then choose who is ahead."))
        return victory_and_end.both(g, lambda seat: victory_and_end.count(g, seat, by))


def _called(g: Table, who: str) -> str | Term:
    return Term(_("no one")) if who == NOBODY else name_of(g, who)


def open_tally(g: Table) -> None:
    forget(g)
    g.award = None
    for army in g.armies.values():
        army.agreed = ""


class Decrease(Step[Table]):
    """BUSH-30: in a decreasing scenario an objective may go once a Victory Point is scored.

    The player who did not score chooses it. Where the scenario says "scorer", one that is friendly to
    whoever scored goes in any case. If no check is left, it would change nothing, and nobody is asked; nor
    is anybody once a warband has no model on the battlefield (BUSH-23).
    """

    winner: str

    rule = "BUSH-30"
    title = _("Remove an objective?")
    help = _("After a Victory Point one of you may remove an objective from the battlefield.")

    def asked(self, g: Table) -> Iterable[str]:
        if not self._removable(g) or self._only(g):
            return ()
        is_scorers = scenarios.of(g).decreasing == scenarios.SCORER and not self._must(g)
        return (self.winner if is_scorers else g.rival(self.winner),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for place in self._removable(g):
            yield Offer(f"remove:{place.key}", Line(place.name))
        if not self._must(g):
            yield Offer("keep", say(_("Remove none")), style="quiet")

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(_("Which objective is removed?") if self._must(g) else self.title)

    def helping(self, g: Table, seat: str | None) -> Line:
        if not self._must(g):
            return Line(self.help)
        line = _("%(player)s scored, so one that is friendly to %(player)s is removed.")
        return say(line, player=name_of(g, self.winner))

    @answer
    def remove(self, g: Table, seat: str, place: Objective) -> None:
        scenarios.remove(g, place)
        g.goto(NextCheck)

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s removes no objective."), player=name_of(g, seat))
        g.goto(NextCheck)

    def run(self, g: Table) -> None:
        if place := self._only(g):
            scenarios.remove(g, place)
        g.goto(NextCheck)

    def _must(self, g: Table) -> bool:
        return scenarios.of(g).decreasing == scenarios.SCORER

    def _removable(self, g: Table) -> list[Objective]:
        if not scenarios.of(g).decreasing or _is_decided(g):
            return []
        places = list(g.places(scenarios.OBJECTIVE))
        return [place for place in places if place.aligned == self.winner] if self._must(g) else places

    def _only(self, g: Table) -> Objective | None:
        """The objective that goes without a choice, because no other may."""
        removable = self._removable(g)
        return removable[0] if self._must(g) and len(removable) == 1 else None


def _is_decided(g: Table) -> bool:
    """Whether everything that this match can score has been scored."""
    return not _left(g) and reason(g) in (LAST_TURN, ALL_SCORED, TIME_OUT, WIPED_OUT, BOTH_OUT)


STEPS: tuple[type[Step[Table]], ...] = (
    EndEffects,
    OtherEffects,
    DamageStates,
    Expiry,
    ScoreZones,
    RevealVims,
    NextCheck,
    Tally,
    Decrease,
)
