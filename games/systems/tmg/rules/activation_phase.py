"""The Activation Phase: who may activate or deploy, and turns that alternate until nobody can.

A Non-Combat Unit's activation asks one more question: which zone of the tactics board it claims, if any.
After an activation the opponent is asked at once for the next one. Until a unit is selected, either player
may say that there is something to add; both then say once that they are done, and play goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from games.core import Action, Line, Offer, Step, Term, answer, name_of, say, step_of, system
from games.core import gettext_noop as _
from games.systems.tmg.pieces import END_OF_TURN, START_OF_ROUND, START_OF_TURN, Place, Table, Unit
from games.systems.tmg.rules import tactics_cards
from games.systems.tmg.rules.moments_of_play import (
    BACK,
    Moment,
    MomentOfAll,
    OfUnit,
    Window,
    in_order,
    registered,
)
from games.systems.tmg.rules.tactics_cards import Hand

SKIPPED = "skipped"
"""The value of `full_board` in rulesets where an NCU cannot activate once every zone is claimed (TMG-30)."""


def acted(g: Table, unit: Unit) -> None:
    """Mark a unit as activated: it acts until the next unit does, for its side until that side's next."""
    unit.activated = True
    g.acting = g.armies[unit.player].acted = unit.key


def companions(g: Table, master: str) -> Iterator[Unit]:
    linked = (unit for unit in g.units.values() if unit.linked_to == master)
    return (unit for unit in linked if _is_fresh(unit) and unit.player == g.turn)


def is_shut_out(g: Table, unit: Unit) -> bool:
    """Whether an NCU finds every zone claimed under rules that then bar it from activating (TMG-30)."""
    return not unit.is_combat and g.rules["full_board"] == SKIPPED and tactics_cards.is_full(g)


def activatable(g: Table, seat: str) -> Iterator[Unit]:
    """The units that this seat may activate now, in the order of its list (TMG-15, TMG-20)."""
    for unit in g.units.values():
        if unit.player == seat and _can_activate(g, unit) and not _awaits_master(g, unit):
            yield unit


def can_act(g: Table, seat: str) -> bool:
    return any(True for _unit in activatable(g, seat))


def somebody_can_act(g: Table) -> bool:
    """Whether the Activation Phase goes on (TMG-19)."""
    return any(can_act(g, seat) or keeps_open(g, seat) for seat in g.armies)


def have_all_activated(g: Table) -> bool:
    """Whether each unit has activated that ever does: those in play, and a Reserve that may deploy (TMG-19).

    Units that are barred, NCUs that find every zone claimed and a Reserve that was passed have not.
    """
    in_play = (unit for unit in g.units.values() if unit.is_on_table and not unit.never_activates)
    in_reserve = (unit for seat in g.seats for unit in deployable(g, seat))
    return all(unit.activated for unit in (*in_play, *in_reserve))


def _is_fresh(unit: Unit) -> bool:
    return unit.is_on_table and not (unit.activated or unit.barred or unit.never_activates)


def _can_activate(g: Table, unit: Unit) -> bool:
    return _is_fresh(unit) and not is_shut_out(g, unit)


def _awaits_master(g: Table, unit: Unit) -> bool:
    """Whether a companion waits for its master; it activates alone only once the master no longer can."""
    master = g.units.get(unit.linked_to or "")
    if master is None or master.linked_to is not None or master.player != unit.player:
        return False
    return _can_activate(g, master)


# --- the Reserve ----------------------------------------------------------------------------------------


def has_reserve(g: Table) -> bool:
    """Whether the mode has a Reserve to which destroyed units return (TMG-70)."""
    return bool(g.rules.get("returns"))


def deployable(g: Table, seat: str) -> list[Unit]:
    """The Reserve that may deploy now (TMG-68): a unit destroyed after activating waits a round (TMG-70).

    Modes name the first round for it. Elsewhere a unit is in Reserve only because a card or a correction put
    it there.
    """
    first = g.rules.get("reserve_from")
    return [unit for unit in g.reserve(seat) if not unit.activated] if first and g.round >= first else []


def has_to_wait(g: Table, unit: Unit) -> bool:
    """Whether a unit in Reserve may deploy in the next round and not in this one; the last has no next."""
    waits = all(other is not unit for other in deployable(g, unit.army))
    return waits and g.round < g.rules["rounds"]


def keeps_open(g: Table, seat: str) -> bool:
    """Whether a side may still deploy and has not passed since the last deployment (TMG-19)."""
    return not g.armies[seat].passed and bool(deployable(g, seat))


def come_to_table(g: Table, unit: Unit) -> None:
    """A unit comes to the table from wherever it waited; what its last destruction scored stays."""
    unit.place, unit.paid = "table", ()
    reopen_reserve(g)


def reopen_reserve(g: Table) -> None:
    """Somebody deployed, or a round began: players who have passed are asked again."""
    for army in g.armies.values():
        army.passed = False


# --- turns ----------------------------------------------------------------------------------------------


class StartOfRound(Window):
    """TMG-27: effects of the start of a round come before its first turn, the First Player's (TMG-13)."""

    rule = "TMG-27"
    title = _("Start of the round")
    help = _("Resolve what happens at the start of the round.")
    moment = START_OF_ROUND

    def go_on(self, g: Table) -> None:
        begin_first_turn(g)


class OpenTurn(Moment):
    """A turn in which no unit has been selected yet.

    `waited` are the seats that have had something to add to the turn before, once each (TMG-14).
    """

    waited: tuple[str, ...] = ()


class StartOfTurn(OpenTurn, Window):
    """TMG-14: effects of the start of a turn, of either player, come before a unit is selected (E20)."""

    rule = "TMG-14"
    title = _("Start of the turn")
    help = _("Resolve what happens at the start of the turn.")
    moment = START_OF_TURN

    def go_on(self, g: Table) -> None:
        g.goto(Turn(self.waited))

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.turn:
            return Line(_("Your turn begins"))
        return say(_("The turn of %(player)s begins"), player=name_of(g, g.turn))


class Turn(OpenTurn):
    """TMG-15, TMG-17: select one of your units that has not activated; you may not pass while you have one.

    TMG-18: with no such unit you must pass. TMG-19: when neither side has one, the phase is over.
    TMG-24: a unit may activate outside its turn, too.
    """

    rule = "TMG-17"
    title = _("Activate a unit")
    help = _("Pick one of your units that has not activated this round.")

    def waits_for(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        has_unit = False
        for unit in activatable(g, seat):
            has_unit = True
            yield _activate(unit)
        if not has_unit and somebody_can_act(g):
            yield _PASS

    @answer
    def activate(self, g: Table, seat: str, unit: Unit) -> None:
        if not unit.is_combat and not tactics_cards.is_full(g):
            g.say(_("%(unit)s is about to choose a zone."), unit=unit.name)
            g.call(ClaimZone(unit.key))
            return
        g.say(_("%(unit)s activates."), unit=unit.name)
        acted(g, unit)
        self.follow(g, unit)

    def follow(self, g: Table, unit: Unit) -> None:
        """What comes after a Combat Unit has activated: its companions, then the next turn."""
        g.goto(Companions(unit.key))

    def out_of_turn(self, g: Table, unit: Unit) -> None:
        """TMG-24: a unit activates outside its turn; what it chooses is asked over the open question."""
        if not unit.is_combat and not tactics_cards.is_full(g):
            g.call(ClaimZone(unit.key, OUT_OF_TURN))
        else:
            acted(g, unit)

    @answer("pass")
    def pass_(self, g: Table, seat: str) -> None:
        g.acting = None
        g.say(_("%(player)s has no unit left to activate and passes."), player=name_of(g, seat))
        finish_turn(g)

    def go_on(self, g: Table) -> None:
        """Nobody can act, so nobody takes this turn: if the phase goes on after all, it is still to come."""
        g.turn = g.rival(g.turn)
        g.goto(EndOfTurn)

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        """TMG-17: a player who wants to pass is told what is left to activate."""
        units = tuple(unit.name for unit in activatable(g, seat)) if seat == g.turn else ()
        if action.verb != "pass" or not units:
            return None
        return say(_("You cannot pass while you have units to activate: %(units)s."), units=units)

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line("") if g.acting or not can_act(g, g.turn) else super().helping(g, seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        has_unit = can_act(g, g.turn)
        if seat == g.turn:
            return Line(self.title if has_unit else _("Nothing left to activate: pass"))
        line = _("%(player)s activates a unit") if has_unit else _("It is the turn of %(player)s")
        return say(line, player=name_of(g, g.turn))

    def resting_on(self, g: Table) -> str:
        return "TMG-15" if can_act(g, g.turn) else "TMG-18"


OUT_OF_TURN = "out-of-turn"
"""Marks a unit's question after which the turn goes on where it was (TMG-24)."""


class ClaimZone(OfUnit):
    """TMG-28: an NCU that activates claims one empty zone. TMG-31: while one is open it may claim none.

    `unit` is the NCU's key; `out_of_turn` is `OUT_OF_TURN` if it is not its player's turn (TMG-24).
    In a turn it must be its player's own: an NCU that changes sides meanwhile does not activate (TMG-38).
    """

    rule = "TMG-28"
    title = _("Which zone?")
    help = _("The zone works at once and is yours until the Clean-Up Phase.")
    asks = _("Which zone does %(unit)s claim?")
    completes = frozenset({"claim", "decline", "swap"})

    out_of_turn: str = ""

    def waits_for(self, g: Table) -> Iterable[str]:
        unit = g.units.get(self.unit)
        if unit is None or unit.is_combat or tactics_cards.is_full(g):
            return ()
        if not self.out_of_turn and unit.player != g.turn:
            return ()
        ready = any(other.key == self.unit for other in activatable(g, unit.player))
        return (unit.player,) if ready else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for zone in tactics_cards.free(g):
            yield Offer(f"claim:{zone.key}", say(_("Claim %(zone)s"), zone=Term(zone.name)))
        if g.rules["may_decline"]:
            yield _DECLINE
        yield BACK

    @answer
    def claim(self, g: Table, seat: str, zone: Place) -> None:
        unit = g.units[self.unit]
        tactics_cards.occupy(g, unit, zone)
        self.activated(g, unit)

    @answer
    def decline(self, g: Table, seat: str) -> None:
        unit = g.units[self.unit]
        g.say(_("%(unit)s activates and claims no zone."), unit=unit.name)
        self.activated(g, unit)

    def activated(self, g: Table, unit: Unit) -> None:
        """The NCU has taken its zone: its companions follow, or the turn that it interrupted goes on."""
        acted(g, unit)
        g.end()
        if not self.out_of_turn:
            g.goto(Companions(unit.key))


class Companions(Moment):
    """TMG-23: a unit that belongs to another may activate right after it, within the same turn.

    `master` is the key of the unit that it belongs to.
    """

    rule = "TMG-23"
    title = _("Activate the linked unit?")
    help = _("A linked unit activates right after the unit it belongs to, in the same turn.")

    master: str

    def waits_for(self, g: Table) -> Iterable[str]:
        return (g.turn,) if any(companions(g, self.master)) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in companions(g, self.master):
            yield _activate(unit)
        yield _NOT_NOW

    @answer
    def activate(self, g: Table, seat: str, unit: Unit) -> None:
        acted(g, unit)
        g.say(_("%(unit)s activates in the same turn."), unit=unit.name)

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s activates no linked unit."), player=name_of(g, seat))
        finish_turn(g)

    def go_on(self, g: Table) -> None:
        finish_turn(g)


class EndOfTurn(Window):
    """TMG-14: all players have one more opportunity, then the turn passes to the opponent (TMG-16).

    TMG-19: after the last turn of the round its clean-up begins.

    It is asked only of seats with something registered; whoever else has something to add says so
    (`Interruptions`). After the last turn of a round it is asked of everybody, so that wounds and
    claims are entered before the clean-up, unless everybody is asked about the round's points next.
    """

    rule = "TMG-14"
    title = _("Last chance before the turn ends")
    help = _("Cards and abilities of both players; then the turn is over.")
    moment = END_OF_TURN

    def concerned(self, g: Table) -> Iterable[str]:
        return in_order(g) if self.is_for_everybody(g) else registered(g, END_OF_TURN)

    def is_for_everybody(self, g: Table) -> bool:
        """Whether this is the last thing asked of all players before the clean-up clears the board."""
        # The score of the match's mode knows whether it is agreed on.
        score = cast("type[Moment]", system(g.system).step_named(g, "score-points"))
        return not somebody_can_act(g) and not score().is_confirmed(g)

    def go_on(self, g: Table) -> None:
        if somebody_can_act(g):
            pass_on(g)
        else:
            tactics_cards.expire(g, tactics_cards.TURN)
            all_have = _("All units have activated. The Clean-Up Phase begins.")
            none_can = _("No unit can activate any more. The Clean-Up Phase begins.")
            g.say(all_have if have_all_activated(g) else none_can)
            g.goto(system(g.system).step_named(g, "end-of-round"))

    def helping(self, g: Table, seat: str | None) -> Line:
        if somebody_can_act(g):
            return super().helping(g, seat)
        last = Line(_("Enter the last wounds and claims. The Clean-Up Phase comes next."))
        reminder = self.reminder(g, seat)
        return say(_("%(first)s %(then)s"), first=last, then=reminder) if reminder else last


def _activate(unit: Unit) -> Offer:
    label = say(_("Activate %(unit)s"), unit=unit.name)
    return Offer(f"activate:{unit.key}", label, about=f"unit/{unit.key}", style="main")


_PASS = Offer("pass", say(_("Pass")), style="main")
_NOT_NOW = Offer("leave", say(_("Skip")))
_DECLINE = Offer("decline", say(_("Claim no zone")), style="quiet")


def is_turn_open(g: Table) -> bool:
    """Whether a turn has begun in which no unit has been selected yet."""
    return isinstance(step_of(g), OpenTurn)


FIRST_TURN = "first-turn"
"""The fact of a match that says in which round the first turn was last over."""


def is_first_turn(g: Table) -> bool:
    """Whether the round's first turn has yet to be taken: it is the First Player's.

    A unit may activate out of turn before it (TMG-24), and one that deploys instead does not (TMG-69).
    """
    return is_turn_open(g) and g.facts.get(FIRST_TURN) != g.round


def begin_first_turn(g: Table) -> None:
    """Begin the round's first turn: it is the First Player's (TMG-13)."""
    note_first(g)
    begin_turn(g, g.first)


def note_first(g: Table) -> None:
    """Note in the round's row who leads it: an effect may have named somebody since it began (TMG-80)."""
    row = g.rounds.get(str(g.round))
    if row is not None and row.first != g.first:
        g.rounds = {**g.rounds, row.key: replace(row, first=g.first)}


def finish_turn(g: Table) -> None:
    """End the turn: by way of its last window if somebody needs it, else the opponent is next (TMG-16)."""
    if g.facts.get(FIRST_TURN) != g.round:
        g.facts = {**g.facts, FIRST_TURN: g.round}
    if registered(g, END_OF_TURN) or not somebody_can_act(g):
        g.goto(EndOfTurn)
    else:
        pass_on(g)


def pass_on(g: Table) -> None:
    """End the turn and the cards that stayed for it (TMG-90), and begin the opponent's."""
    tactics_cards.expire(g, tactics_cards.TURN)
    begin_turn(g, g.rival(g.turn))


def resume(g: Table) -> None:
    """A unit can activate after all: the phase goes on with the turn that is still to come (TMG-19)."""
    for army in g.armies.values():
        army.agreed = ""
    g.say(_("A unit can still activate. The Activation Phase continues."))
    begin_turn(g, g.rival(g.turn))


def begin_turn(g: Table, seat: str) -> None:
    """Begin a seat's turn: by way of its first window if anybody has something registered there."""
    g.turn = seat
    g.goto(StartOfTurn if registered(g, START_OF_TURN) else Turn)


# --- the last opportunity of a turn, although the next one has begun ------------------------------------


class LastChance(MomentOfAll):
    """TMG-14: somebody has something to add to the turn before; all say once that they are done.

    `seat` is whose wish it was.
    """

    rule = "TMG-14"
    title = EndOfTurn.title
    help = _("Cards and abilities of both players. Then play continues where it was.")

    seat: str

    def go_on(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == self.seat:
            return Line(self.title)
        return say(_("%(player)s has something to add"), player=name_of(g, self.seat))


class Interruptions(Hand):
    """TMG-14: until the next unit is selected, each player may once ask for the last opportunity of a turn.

    Nobody is asked and it costs no tap unless somebody wants it. It stands beside the cards of a hand
    (TMG-89), which may be played at any time.
    """

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if may_wait(g, seat):
            yield _WAIT
        yield from super().offers(g, seat)

    @answer
    def wait(self, g: Table, seat: str) -> None:
        step = step_of(g)
        if isinstance(step, OpenTurn):
            g.goto(replace(step, waited=(*step.waited, seat)))
        g.say(_("%(player)s has something to add before play continues."), player=name_of(g, seat))
        g.call(LastChance(seat))


def may_wait(g: Table, seat: str) -> bool:
    """Whether a seat may still add something: a turn has ended, or a unit has acted outside one (TMG-24)."""
    step = step_of(g)
    if not isinstance(step, OpenTurn) or seat in step.waited:
        return False
    return g.acting is not None or not is_first_turn(g)


_WAIT = Offer("wait", say(_("Wait, I have something")), style="quiet")


STEPS: tuple[type[Step[Table]], ...] = (
    StartOfRound,
    StartOfTurn,
    Turn,
    ClaimZone,
    Companions,
    EndOfTurn,
    LastChance,
)
