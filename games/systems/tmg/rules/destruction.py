"""Wounds, conditions and counters; what destroys a unit, what that scores, and what brings the unit back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import IllegalAction, Line, Offer, Step, Term, answer, author_of, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import WALL, Table, Unit
from games.systems.tmg.rules import activation_phase, objective_tokens, tactics_cards

CONDITION_NAMES = {
    "panicked": _("Panicked"),
    "vulnerable": _("Vulnerable"),
    "weakened": _("Weakened"),
}
"""The conditions, each on or off (TMG-41)."""

POINT_TOKEN = _("Victory Point token")
COUNTERS = {_("Pillage"): 2, _("Faith"): 20, POINT_TOKEN: 20}
"""Counters that many armies use, and the most of each; players may add any other (TMG-44)."""

COUNTER_LIMIT = 20


STAYS = frozenset({
    "key", "army", "name", "title", "card", "kind", "order", "cost", "place",
    "wounds", "wounds_total", "rank_size", "commander", "attachments", "linked_to", "hand_bonus",
    "never_activates", "cannot_control", "gains_no_conditions", "grants_no_vp", "extra_vp",
    "note", "reminders", "activated", "lent_to", "marked", "falls", "paid", "lost",
})  # fmt: skip
"""What stays with a destroyed unit that comes back: its card and list entry, its players' note, whether it
has activated, its side, its mark, how its destructions scored, which attachments fell for good. All else lay
on its tray and goes (TMG-70)."""


def wound(g: Table, unit: Unit, amount: int, by: str | None = None, *, is_told: bool = True) -> None:
    """Take wounds off a unit, at most those it has; the last one destroys it (TMG-40).

    `by` is the seat that did it, None if nobody did. Without `is_told` only what comes of them is said.
    """
    lost = min(amount, unit.wounds)
    if lost < 1:
        return
    with objective_tokens.watching(g):
        ranks = unit.standing_ranks
        unit.wounds -= lost
        if is_told:
            g.say_count(
                "%(unit)s suffers %(count)s wound.",
                "%(unit)s suffers %(count)s wounds.",
                lost,
                unit=unit.name,
            )
        if unit.wounds == 0:
            _fall(g, unit, by)
        elif unit.standing_ranks < ranks:
            # TMG-39: it loses attack dice, and perhaps a token.
            g.say_count(
                "%(unit)s has %(count)s rank left.",
                "%(unit)s has %(count)s ranks left.",
                unit.standing_ranks,
                unit=unit.name,
            )


def restore(g: Table, unit: Unit, amount: int) -> None:
    """Give wounds back to a unit, at most those it has lost (TMG-40)."""
    gained = min(amount, unit.wounds_total - unit.wounds)
    if gained < 1 or unit.place == "destroyed":
        return
    with objective_tokens.watching(g):
        unit.wounds += gained
        g.say_count(
            "%(unit)s restores %(count)s wound.",
            "%(unit)s restores %(count)s wounds.",
            gained,
            unit=unit.name,
        )


def panic_words(g: Table) -> Line:
    """What a failed panic test costs in this ruleset (TMG-45)."""
    fixed, sides = g.rules["panic_wounds"], g.rules["panic_die"]
    if fixed:
        return say(_("A failed panic test costs %(fixed)s + D%(sides)s wounds."), fixed=fixed, sides=sides)
    return say(_("A failed panic test costs D%(sides)s wounds."), sides=sides)


def gains_none(g: Table, unit: Unit) -> bool:
    """Whether a unit is refused conditions, as war machines are unless the ruleset allows it (TMG-42)."""
    return unit.gains_no_conditions and not g.rules.get("war_machines_gain_conditions")


def gain(g: Table, unit: Unit, condition: str) -> None:
    """Put a condition on a unit; it never has two of the same (TMG-41), and some gain none (TMG-42)."""
    if gains_none(g, unit):
        raise IllegalAction(say(_("%(unit)s cannot gain conditions."), unit=unit.name), "TMG-42")
    if condition in unit.conditions:
        return
    unit.conditions |= {condition}
    called = Term(CONDITION_NAMES[condition])
    g.say(_("%(unit)s becomes %(condition)s."), unit=unit.name, condition=called)


def lose(g: Table, unit: Unit, condition: str) -> None:
    """Take a condition off a unit; until then it stays, from round to round (TMG-41)."""
    if condition not in unit.conditions:
        return
    unit.conditions -= {condition}
    called = Term(CONDITION_NAMES[condition])
    g.say(_("%(unit)s is no longer %(condition)s."), unit=unit.name, condition=called)


def count(g: Table, unit: Unit, called: str, change: int) -> None:
    """Change a counter on a unit; one that reaches 0 is removed (TMG-44)."""
    number = counted(unit, called) + change
    others = tuple(counter for counter in unit.counters if counter[0] != called)
    unit.counters = others if number < 1 else tuple(sorted((*others, (called, number))))
    line = _("%(unit)s: %(counter)s %(number)s.")
    g.say(line, unit=unit.name, counter=Term(called), number=max(number, 0))


def counted(unit: Unit, called: str) -> int:
    return next((number for name, number in unit.counters if name == called), 0)


# --- destroyed, and back again -------------------------------------------------------------------------


def destroy(g: Table, unit: Unit, by: str | None = None) -> None:
    """Remove a unit at once, whatever wounds it has; a destroyed one is not destroyed again (TMG-46)."""
    if unit.place == "destroyed":
        return
    with objective_tokens.watching(g):
        _fall(g, unit, by)


def _fall(g: Table, unit: Unit, by: str | None) -> None:
    """Take a destroyed unit off the table with everything on it or attached to it; a companion stays."""
    unit.place, unit.wounds, unit.conditions = "destroyed", 0, frozenset()
    unit.influences, unit.kept = None, False
    unit.falls += 1
    fought, question = bool(unit.engaged_with), objective_tokens.falling(g, unit)
    objective_tokens.withdraw(g, unit)
    for other in g.units.values():
        if other.influences == unit.key:
            other.influences = None
    g.say(_("%(unit)s is destroyed."), unit=unit.name)
    tactics_cards.fall(g, unit)
    _score(g, unit, by)
    if question is not None:
        g.call(question)
    objective_tokens.leave_pile(g, unit)
    if by is not None and by != unit.army:
        if fought and g.rules.get("surge_forth"):
            g.say(
                _("If destroyed in melee: its attacker may maneuver; other units engaged with it may pivot.")
            )
        if g.rules.get("marks"):
            _ask_by_whom(g, unit, by)
    if unit.is_combat and activation_phase.has_reserve(g):
        _to_reserve(g, unit)


def _to_reserve(g: Table, unit: Unit) -> None:
    """TMG-70: where a Reserve is played, a destroyed unit returns to it whole, attachments included.

    Whatever lay on its tray is gone.
    """
    unit.place, unit.wounds = "reserve", unit.wounds_total
    _clear_tray(unit)
    g.armies[unit.army].passed = False
    if activation_phase.has_to_wait(g, unit):
        g.say(_("%(unit)s returns to the Reserve and may deploy next round."), unit=unit.name)
    else:
        g.say(_("%(unit)s returns to the Reserve."), unit=unit.name)


def _clear_tray(unit: Unit) -> None:
    """Take everything off a destroyed unit's tray that does not stay with it."""
    empty = Unit(unit.key, unit.army)
    for name in Unit.field_names():
        if name not in STAYS:
            setattr(unit, name, getattr(empty, name))


def can_be_given_back(unit: Unit) -> bool:
    """Whether a unit's destruction may be undone: it is destroyed, or in Reserve because of it (TMG-70)."""
    return unit.place == "destroyed" or (unit.place == "reserve" and bool(unit.paid))


def give_back(g: Table, unit: Unit, wounds: int) -> None:
    """The unit was not destroyed after all: it is back, and what its destruction scored is taken back."""
    with objective_tokens.watching(g):
        _rise(unit, wounds)
        unit.falls = max(0, unit.falls - 1)
        on_battlefield = _("%(unit)s was not destroyed and is back on the battlefield.")
        in_play = _("%(unit)s was not destroyed and is back in play.")
        g.say(on_battlefield if unit.is_combat else in_play, unit=unit.name)
        objective_tokens.clear_pile(g, unit)
        _take_back(g, unit)


def bring_back(g: Table, unit: Unit) -> None:
    """An effect returns a destroyed unit with all its wounds; destroyed again, it scores again (TMG-72)."""
    with objective_tokens.watching(g):
        _rise(unit, unit.wounds_total)
        _clear_tray(unit)
        unit.paid = ()
        on_battlefield, in_play = _("%(unit)s returns to the battlefield."), _("%(unit)s returns to play.")
        g.say(on_battlefield if unit.is_combat else in_play, unit=unit.name)


def _rise(unit: Unit, wounds: int) -> None:
    """Put a unit back on the table, still activated if it was: none activates twice a round (TMG-15)."""
    unit.place = "table"
    unit.wounds = min(max(wounds, 1), unit.wounds_total)


def destroyed_points(g: Table, seat: str) -> int:
    """The army points that this seat has lost, attachments included, as often as they were lost (TMG-50)."""
    lost = ((unit, losses(unit)) for unit in g.units.values())
    in_play = sum(unit.worth_to(seat) * times for unit, times in lost if times)
    for_good: int = sum(
        cost for unit in g.units.values() for _n, _t, cost, owner in unit.lost if owner == seat
    )
    return in_play + for_good


def losses(unit: Unit) -> int:
    """How often a unit was destroyed: at least once if it is destroyed now, however that came about."""
    return max(unit.falls, int(unit.place == "destroyed"))


# --- what a destruction scores -------------------------------------------------------------------------


def _score(g: Table, unit: Unit, by: str | None) -> None:
    """TMG-46, TMG-47: its enemy scores, or each opponent if its own side or nobody destroyed it.

    TMG-37: an NCU scores nothing. TMG-49: some score more; so does a unit that grants no points
    itself, through such an attachment (TMG-48). Where destroyed units return, only the first time.
    """
    if not unit.is_combat:
        return
    seats: tuple[str, ...]
    if by is not None and by != unit.army:
        seats, reason = (by,), _("unit destroyed")
    else:
        seats, reason = g.rivals(unit.army), _("unit not destroyed by an enemy")
    extra = 0 if activation_phase.has_reserve(g) and unit.falls > 1 else unit.extra_vp
    worth = _("Castle Wall destroyed") if unit.kind == WALL else _("its destruction scores more")
    parts = [(0 if unit.grants_no_vp else 1, reason), (extra, worth)]
    if by is not None and by != unit.army and g.rules.get("marks"):
        parts += _mark_parts(unit)
    unit.paid = ()
    for seat in seats:
        _give(g, unit, seat, parts)


def _give(g: Table, unit: Unit, seat: str, parts: Iterable[tuple[int, str]]) -> None:
    """Give a seat points for a destroyed unit: a row for each part (points, reason) that gives any.

    A destruction that gave none is noted too: in Reserve the unit must still count as destroyed (TMG-70).
    TMG-99: in a siege the Defender gets none.
    """
    given = [(points, reason) for points, reason in parts if points and seat != g.defender]
    for points, reason in given:
        g.score(seat, points, reason, unit.name, author_of(g))
    total = sum(points for points, _reason in given)
    if given:
        _tell(g, seat, total, unit)
    unit.paid = (*unit.paid, (seat, total))


def _take_back(g: Table, unit: Unit) -> None:
    """The unit was not destroyed after all: each seat loses what it was given, in a row of its own."""
    for seat, points in unit.paid:
        if points:
            g.score(seat, -points, _("destruction undone"), unit.name, author_of(g))
            _tell(g, seat, -points, unit)
    unit.paid = ()


def _tell(g: Table, seat: str, points: int, unit: Unit) -> None:
    g.say_count(
        "%(player)s: %(change)s Victory Point for %(unit)s.",
        "%(player)s: %(change)s Victory Points for %(unit)s.",
        abs(points),
        player=name_of(g, seat),
        change=f"{points:+d}",
        unit=unit.name,
    )


# --- marks (TMG-96) ------------------------------------------------------------------------------------


FOR_A_MARKED_ENEMY = 2


def _mark_parts(unit: Unit) -> Iterator[tuple[int, str]]:
    """What a mark and tokens add for a destroyed enemy: points and reasons (TMG-96)."""
    if unit.marked:
        yield FOR_A_MARKED_ENEMY, _("it was marked")
    if tokens := counted(unit, POINT_TOKEN):
        yield tokens, _("Victory Point tokens on it")


def _ask_by_whom(g: Table, unit: Unit, seat: str) -> None:
    marked = tuple(other.key for other in g.combat_units(seat) if other.marked and other.is_on_table)
    if marked and unit.is_combat:
        g.call(ByWhom(unit.key, seat, marked))


class ByWhom(Step[Table]):
    """TMG-96: an enemy that a marked unit destroyed gives 1 more, even if it grants none itself (TMG-48).

    It is asked even about the last enemy, as its point belongs to the match's final score.
    `fallen` is the key of that enemy, `seat` the side that destroyed it; `units` are the keys of the
    marked units that may have done so, even if they fall before that is answered.
    """

    rule = "TMG-96"
    title = _("Which unit destroyed it?")
    help = _("A marked unit scores 1 more for what it destroys.")

    fallen: str
    seat: str
    units: tuple[str, ...] = ()

    def asked(self, g: Table) -> Iterable[str]:
        is_gone = self.fallen in g.units and not g.units[self.fallen].is_on_table
        return (self.seat,) if is_gone and any(True for _unit in self.candidates(g)) else ()

    def candidates(self, g: Table) -> Iterator[Unit]:
        return (g.units[key] for key in self.units if key in g.units and g.units[key].marked)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.candidates(g):
            yield Offer(f"by:{unit.key}", say(_("%(unit)s, marked"), unit=unit.name))
        yield Offer("by-another", say(_("Another unit")), style="main")

    @answer
    def by(self, g: Table, seat: str, unit: Unit) -> None:
        fallen = g.units[self.fallen]
        g.say(_("%(unit)s destroyed %(rival)s."), unit=unit.name, rival=fallen.name)
        _give(g, fallen, seat, [(1, _("a marked unit destroyed it"))])
        g.end()

    @answer
    def by_another(self, g: Table, seat: str) -> None:
        g.say(_("No marked unit destroyed %(unit)s."), unit=g.units[self.fallen].name)
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which unit destroyed %(unit)s?"), unit=g.units[self.fallen].name)
