"""The scenarios: what each lays on the table, when it scores, and the entries in which organisers edit that;
its objectives and zones, their alignments, and what a prayer or a zone is worth.

A scenario is a row of text facts. A match copies the rows when it is opened and keeps the one
that is chosen, so that no later edit changes a match in play.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache

from games.core import (
    PIECE_GRAPHEMES,
    Argument,
    Cell,
    Entries,
    EntryKind,
    Facts,
    Line,
    Term,
    Unreadable,
    clean_int,
    clean_name,
    read_text,
    say,
    say_count,
)
from games.core import gettext_noop as _
from games.systems.bushido.pieces import Objective, Table, Unit

SCENARIO = "scenario"
RULEBOOK, BASIC, ADVANCED, OTHER = "rulebook", "basic", "advanced", "other"
COMPLEXITIES = {
    RULEBOOK: _("From the rulebook"),
    BASIC: _("Basic"),
    ADVANCED: _("Advanced"),
    OTHER: _("Other"),
}
POINTS, FRIENDLY = "points", "friendly"
EDGE, NEAR_OBJECTIVE, CENTRE, SLAIN = "vim-edge", "vim-objective", "vim-centre", "vim-slain"
CHECKS = {
    POINTS: _("most Scenario Points"),
    FRIENDLY: _("most friendly objectives"),
    EDGE: _("own VIM nearest the enemy battlefield edge"),
    NEAR_OBJECTIVE: _("own VIM nearest an objective"),
    CENTRE: _("own VIM nearest the centre of the battlefield"),
    SLAIN: _("the enemy VIM is slain"),
}
"""What a Victory Point is given for → half a sentence that says so."""

HIDDEN, OPEN, NOMINATED = "hidden", "open", "nominated"
VIMS = {HIDDEN: _("hidden"), OPEN: _("open to all"), NOMINATED: _("named by the opponent")}
SIMPLE, COMPLEX, FIRST_COMPLEX = "simple", "complex", "first-complex"
INFLUENCES = {
    SIMPLE: _("a simple action"),
    COMPLEX: _("a complex action"),
    FIRST_COMPLEX: _("the first of the match is complex"),
}
OTHER_PLAYER, SCORER = "other", "scorer"
DECREASES = {
    OTHER_PLAYER: _("the player who did not score removes one"),
    SCORER: _("one that is friendly to the scorer goes, as the opponent chooses"),
}

MOST_TURNS, MOST_PLACES = 20, 8
_CHECK = re.compile(rf"([1-9][0-9]?|last|any) ({'|'.join(CHECKS)})")
_SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PLACES = re.compile(r"(?:[fne](?: [fne])*)?")
_TURNS = re.compile(r"(?:[1-9][0-9]?(?: [1-9][0-9]?)*)?")


@dataclass(frozen=True, slots=True)
class Check:
    """One Victory Point: the turn whose End phase checks it ("last", "any"), and what it is given for."""

    turn: str
    by: str

    def is_due(self, number: int, *, is_final: bool) -> bool:
        """Whether it is checked in this turn; a last turn's check never comes if the match stops earlier."""
        if self.turn in ("last", "any"):
            return is_final or self.turn == "any"
        return int(self.turn) == number


@dataclass(frozen=True, slots=True)
class Scenario:
    slug: str
    name: str
    complexity: str
    turns: int
    variable_from: int
    checks: tuple[Check, ...]
    reset_points: tuple[int, ...]
    reset_alignment: tuple[int, ...]
    decreasing: str
    prayer: int
    influence: str
    objectives: tuple[str, ...]
    zones: tuple[str, ...]
    zones_follow: bool
    vim: str

    @property
    def kinds(self) -> tuple[str, ...]:
        parts = (("objectives", self.objectives), ("zones", self.zones), ("vim", self.vim))
        return tuple(kind for kind, there in parts if there)

    @property
    def is_duel(self) -> bool:
        """Whether it scores only the death of a VIM: any other end is a loss for both."""
        return all(check.by == SLAIN for check in self.checks)


def read(slug: str, stated: Facts) -> Scenario:
    """The scenario that a row states; `Unreadable` says what is wrong with it."""
    if not _SLUG.fullmatch(slug):
        raise Unreadable(say(_("A scenario needs a short name of small letters and hyphens.")))
    row = dict.fromkeys(CELLS, "") | dict(stated)
    unfit = [cell for cell, allowed in _AMONG.items() if row[cell] not in allowed]
    unfit += [cell for cell, form in _FORMS.items() if not form.fullmatch(row[cell])]
    if unfit:
        line = _("“%(text)s” does not fit: %(cell)s.")
        raise Unreadable(say(line, text=row[unfit[0]], cell=_label(unfit[0])))
    turns = clean_int(row["turns"], 1, MOST_TURNS)
    checks = tuple(_check(row[cell]) for cell in ("check1", "check2", "check3") if row[cell])
    if not checks:
        raise Unreadable(say(_("A scenario needs at least one check.")))
    return Scenario(
        slug=slug,
        name=clean_name(row["name"], PIECE_GRAPHEMES),
        complexity=row["complexity"],
        turns=turns,
        variable_from=clean_int(row["variable_from"] or "0", 0, turns),
        checks=checks,
        reset_points=_numbers(row["reset_points"]),
        reset_alignment=_numbers(row["reset_alignment"]),
        decreasing=row["decreasing"],
        prayer=clean_int(row["prayer"] or "0", 0, 20),
        influence=row["influence"],
        objectives=_places(row["objectives"]),
        zones=_places(row["zones"]),
        zones_follow=row["zones_follow"] == "yes",
        vim=row["vim"],
    )


def _label(cell: str) -> Term:
    return Term(CELLS[cell].label)


def _check(text: str) -> Check:
    parts = _CHECK.fullmatch(text)
    if parts is None:
        raise Unreadable(say(_("“%(text)s” is not a check. Enter for example “4 points”."), text=text))
    return Check(*parts.groups())


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _places(text: str) -> tuple[str, ...]:
    places = tuple(text.split())
    if len(places) > MOST_PLACES:
        raise Unreadable(say(_("At most %(most)s objectives or zones fit."), most=MOST_PLACES))
    return places


# --- where they come from --------------------------------------------------------------------------


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    """The scenarios that this package ships: short name, facts."""
    for row in csv.DictReader(read_text("games.systems.bushido", "data/scenarios.csv").splitlines()):
        yield row["id"], {name: row[name] for name in CELLS}


@cache
def _brought() -> dict[str, dict[str, str]]:
    return dict(rows())


@lru_cache(maxsize=4)
def known(entries: Entries) -> dict[str, dict[str, str]]:
    """All scenarios by short name: the package's, replaced or joined by the entries."""
    by_slug = dict(_brought())
    for slug, stated in entries.of(SCENARIO).items():
        with suppress(Unreadable):
            read(slug, stated)
            by_slug[slug] = {name: stated.get(name, "") for name in CELLS}
    return by_slug


@lru_cache(maxsize=256)
def _read_frozen(slug: str, stated: tuple[tuple[str, str], ...]) -> Scenario:
    return read(slug, dict(stated))


def frozen(slug: str, stated: Mapping[str, str]) -> Scenario:
    """A scenario from facts that were checked before."""
    return _read_frozen(slug, tuple(stated.items()))


def offered(g: Table) -> list[Scenario]:
    """The scenarios that may be chosen for this match, the plainest first."""
    order = list(COMPLEXITIES)
    choices = (frozen(slug, stated) for slug, stated in g.rules["scenarios"].items())
    return sorted(choices, key=lambda scenario: order.index(scenario.complexity))


def of(g: Table) -> Scenario:
    chosen = g.rules["scenario"]
    return frozen(chosen["slug"], chosen["facts"])


# --- in a few words ----------------------------------------------------------------------------------


def summary(scenario: Scenario) -> Line:
    """What is on the table, what players do there, when it scores."""
    parts: list[Argument] = []
    if scenario.objectives:
        parts.append(say_count("%(count)s objective", "%(count)s objectives", len(scenario.objectives)))
    if scenario.zones:
        parts.append(say_count("%(count)s zone", "%(count)s zones", len(scenario.zones)))
    if scenario.vim:
        parts.append(Term(_("Very Important Models")))
    if scenario.prayer:
        parts.append(say(_("prayer %(count)s"), count=scenario.prayer))
    if scenario.influence:
        parts.append(Term(_("influence")))
    if scenario.variable_from:
        length = say(_("%(low)s to %(high)s turns"), low=scenario.variable_from, high=scenario.turns)
    else:
        length = say_count("%(count)s turn", "%(count)s turns", scenario.turns)
    return Line("%(parts)s", {"parts": (*parts, length, *_scores(scenario))})


def _scores(scenario: Scenario) -> Iterator[Line]:
    turns = [check.turn for check in scenario.checks]
    early = " · ".join(turn for turn in turns if turn.isdigit())
    if early and "last" in turns:
        yield say(_("scores in turn %(turns)s and the last"), turns=early)
    elif early:
        yield say(_("scores in turn %(turns)s"), turns=early)
    elif "last" in turns:
        yield Line(_("scores in the last turn"))
    if "any" in turns:
        yield Line(_("ends when a VIM is slain") if scenario.is_duel else _("one point in any turn"))


_CHECKED_IN = {
    **{str(turn): str(turn) for turn in range(1, MOST_TURNS + 1)},
    "last": _("the last turn"),
    "any": _("any turn"),
}
_ALIGNMENTS = {
    "f": _("friendly to the first seat"),
    "n": _("neutral"),
    "e": _("friendly to the opponent of the first seat"),
}
CELLS = {
    "name": Cell(_("Name")),
    "complexity": Cell(_("Complexity"), COMPLEXITIES, is_listed=True),
    "turns": Cell(_("Turns"), None, _("The last turn that there can be."), is_listed=True),
    "variable_from": Cell(
        _("Variable from"), None, _("From this turn on a die of 4 or more makes the turn the last one.")
    ),
    "check1": Cell(
        _("First Victory Point"),
        help=_("The turn whose End Phase checks it, and what it is given for."),
        parts=(_CHECKED_IN, CHECKS),
    ),
    "check2": Cell(_("Second Victory Point"), parts=(_CHECKED_IN, CHECKS)),
    "check3": Cell(_("Third Victory Point"), parts=(_CHECKED_IN, CHECKS)),
    "reset_points": Cell(_("Scenario Points are reset"), None, _("The turns, with spaces between them.")),
    "reset_alignment": Cell(_("Alignments are reset"), None, _("The turns, with spaces between them.")),
    "decreasing": Cell(_("Decreasing"), {"": "—", **DECREASES}),
    "prayer": Cell(_("Prayer tokens a player")),
    "influence": Cell(_("Influence"), {"": "—", **INFLUENCES}),
    "objectives": Cell(_("Objectives"), parts=(_ALIGNMENTS,) * MOST_PLACES),
    "zones": Cell(_("Zones"), parts=(_ALIGNMENTS,) * MOST_PLACES),
    "zones_follow": Cell(
        _("Zones follow their objective"),
        {"": _("No"), "yes": _("Yes")},
        _("A zone has its objective's alignment."),
    ),
    "vim": Cell(_("Very Important Models"), {"": "—", **VIMS}),
}
_AMONG: dict[str, Mapping[str, str]] = {
    name: cell.among for name, cell in CELLS.items() if cell.among is not None
}
_FORMS = {"reset_points": _TURNS, "reset_alignment": _TURNS, "objectives": _PLACES, "zones": _PLACES}
SCENARIOS = EntryKind(_("Bushido: scenarios"), CELLS, read, rows, lambda stated: stated.get("name", ""))


OBJECTIVE, ZONE = "objective", "zone"
NAMES = {
    OBJECTIVE: (
        _("Objective A"), _("Objective B"), _("Objective C"), _("Objective D"),
        _("Objective E"), _("Objective F"), _("Objective G"), _("Objective H"),
    ),
    ZONE: (
        _("Zone A"), _("Zone B"), _("Zone C"), _("Zone D"),
        _("Zone E"), _("Zone F"), _("Zone G"), _("Zone H"),
    ),
}  # fmt: skip
WORTH = {"friendly": 1, "neutral": 2, "enemy": 3}
"""Scenario Points by alignment."""

ALIGNMENTS = {"friendly": _("friendly"), "neutral": _("neutral"), "enemy": _("enemy")}


def lay_out(g: Table) -> None:
    scenario = of(g)
    g.objectives = {}
    for letter in scenario.objectives:
        add(g, OBJECTIVE, _seat(g, letter))
    for letter in scenario.zones:
        add(g, ZONE, _seat(g, letter))
    if scenario.zones_follow:
        for zone, objective in zip(g.places(ZONE), g.places(OBJECTIVE), strict=False):
            zone.follows = objective.key


def _seat(g: Table, letter: str) -> str | None:
    first, second = g.seats
    return {"f": first, "e": second}.get(letter)


def add(g: Table, kind: str, aligned: str | None = None) -> Objective:
    """Add one more objective or zone, with the first free letter."""
    taken = set(g.objectives)
    at = next(n for n in range(len(NAMES[kind])) if f"{kind}-{'abcdefgh'[n]}" not in taken)
    key = f"{kind}-{'abcdefgh'[at]}"
    place = Objective(key, NAMES[kind][at], kind, order=at, aligned=aligned)
    g.objectives = {**g.objectives, key: place}
    return place


def is_full(g: Table, kind: str) -> bool:
    """Whether there is no letter left for another."""
    return sum(1 for _place in g.places(kind)) >= len(NAMES[kind])


def remove(g: Table, place: Objective) -> None:
    """Take an objective or a zone off the table; a zone that followed it keeps the alignment it had."""
    for other in g.objectives.values():
        if other.follows == place.key:
            other.aligned, other.follows = place.aligned, None
    g.objectives = {key: kept for key, kept in g.objectives.items() if key != place.key}
    for unit in g.units.values():
        unit.prayed -= {place.key}
        unit.zone = None if unit.zone == place.key else unit.zone
    g.say(_("%(place)s is removed."), place=Term(place.name))


def aligned_to(g: Table, place: Objective) -> str | None:
    """The seat to which a place is friendly now, None if it is neutral."""
    centre = g.objectives.get(place.follows or "")
    return centre.aligned if centre else place.aligned


def alignment(g: Table, place: Objective, seat: str) -> str:
    whose = aligned_to(g, place)
    return "neutral" if whose is None else "friendly" if whose == seat else "enemy"


def worth(g: Table, place: Objective, seat: str) -> int:
    """The Scenario Points that a prayer at a place, or control of it, gives a seat (BUSH-27)."""
    return WORTH[alignment(g, place, seat)]


def friendly(g: Table, seat: str) -> int:
    return sum(place.aligned == seat for place in g.places(OBJECTIVE))


def can_pray(g: Table, unit: Unit, place: Objective) -> bool:
    """Whether a model may pray at an objective: one token per prayer, one prayer per turn there.

    A Controlled model spends no tokens.
    """
    has_token = g.armies[unit.player].prayers > 0 and unit.controller is None
    return place.kind == OBJECTIVE and has_token and place.key not in unit.prayed


def pray(g: Table, unit: Unit, place: Objective) -> None:
    """Pray: spend a token, gain Scenario Points by the objective's alignment."""
    side, points = g.armies[unit.player], worth(g, place, unit.player)
    side.prayers -= 1
    side.scenario_points += points
    unit.prayed |= {place.key}
    g.say_count(
        "%(model)s prays at %(place)s: +%(count)s Scenario Point. Prayers left: %(left)s.",
        "%(model)s prays at %(place)s: +%(count)s Scenario Points. Prayers left: %(left)s.",
        points,
        model=unit.name,
        place=Term(place.name),
        left=side.prayers,
    )


def influence(g: Table, unit: Unit, place: Objective) -> None:
    """Influence moves an objective one step: enemy to neutral, neutral to friendly."""
    place.aligned = None if alignment(g, place, unit.player) == "enemy" else unit.player
    line = _("%(model)s influences %(place)s: it is %(alignment)s now.")
    now = Term(ALIGNMENTS[alignment(g, place, unit.player)])
    g.say(line, model=unit.name, place=Term(place.name), alignment=now)
    g.influenced = True


def reset_alignment(g: Table) -> None:
    """BUSH-31: all objectives are neutral again."""
    for place in g.places(OBJECTIVE):
        place.aligned = None
    g.say(_("All objectives are neutral again."))


def controller(g: Table, zone: Objective) -> str | None:
    """Who controls a zone: as the players say, else by strictly more models and strictly more rice inside."""
    if zone.override is not None or zone.uncontrolled:
        return zone.override
    inside = {seat: [unit for unit in g.on_table(seat) if unit.zone == zone.key] for seat in g.seats}
    first, second = g.seats
    more = _more(g, inside[first], inside[second])
    return first if more > 0 else second if more < 0 else None


def _more(g: Table, own: list[Unit], other: list[Unit]) -> int:
    """1 if one side is strictly ahead in models and in rice, -1 if the other is, else 0."""
    models = len(own) - len(other)
    rice = _rice(g, own) - _rice(g, other)
    if models > 0 and rice > 0:
        return 1
    return -1 if models < 0 and rice < 0 else 0


def _rice(g: Table, inside: list[Unit]) -> int:
    """The rice of models inside a zone: a card with several counts only if all of them are inside."""
    here = {unit.key for unit in inside}
    split = {key for keys in g.shared for key in keys if not here.issuperset(keys)}
    return sum(unit.cost for unit in inside if unit.key not in split)
