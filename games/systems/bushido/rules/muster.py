"""How a warband takes its seat: its models with their figures, and its other cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from games.core import facts, validation
from games.core.army_lists import Listed, key_of
from games.core.system import name_of
from games.core.validation import Unreadable
from games.core.words import Line, Term, say_count
from games.core.words import gettext_noop as _
from games.systems.bushido.lists import MAX_MODELS, OVER, Model, Warband, over, read, read_each
from games.systems.bushido.lists.catalogue import PACKAGE, catalogue
from games.systems.bushido.pieces import UNPLACED, Table, Unit

MOST_MODELS = MAX_MODELS
"""More models than any table holds."""


def listed(g: Table, text: str) -> tuple[Listed, ...]:
    """The warbands of a pasted text, each by its own name, its theme or its first model."""
    try:
        found = read_each(text, catalogue(g.entries))
    except Unreadable:
        return ()
    return tuple(
        Listed(part, one.name or one.theme or one.models[0].name, summary(one.faction, one.rice, one.size))
        for part, one in found
    )


def bring_demo(g: Table, seat: str, slug: str) -> None:
    """Bring one of the warbands that come with the game."""
    bring(g, seat, demo(slug), demo_text(slug))


def bring(g: Table, seat: str, warband: Warband, text: str = "") -> None:
    """Replace whatever this seat has brought before with a warband, and keep the remarks on it."""
    dismiss(g, seat)
    cards = [tuple(enlist(g, seat, one).key for one in _each(model)) for model in warband.models]
    g.shared = (*g.shared, *(keys for keys in cards if len(keys) > 1))
    side = g.armies[seat]
    side.faction, side.theme, side.roster = warband.faction, warband.theme, text
    side.cards = tuple((card.name, card.kind, card.rice, card.bearer) for card in warband.held)
    side.rice, side.limit = warband.rice, g.rules["points"]
    found = (*warband.warnings, *over(side.rice, side.limit))
    side.warnings = tuple((number, line.to_json()) for number, line in found)
    g.say_count(
        "%(player)s uses %(count)s model: %(rice)s rice.",
        "%(player)s uses %(count)s models: %(rice)s rice.",
        sum(1 for _unit in g.units_of(seat)),
        player=name_of(g, seat),
        rice=side.rice,
    )


def recount(g: Table, seat: str) -> None:
    """Count again what a warband costs once its models have been corrected; summoned ones cost nothing."""
    side, limit = g.armies[seat], g.rules["points"]
    side.rice = sum(unit.cost for unit in g.units_of(seat) if not unit.summoned)
    side.rice += sum(rice for _name, _kind, rice, _bearer in side.cards)
    kept = ((number, line) for number, line in side.warnings if Line.from_json(line).message != OVER)
    found = ((number, line.to_json()) for number, line in over(side.rice, limit))
    side.warnings = (*kept, *found)


def _each(model: Model) -> Iterable[Model]:
    """The models that a card stands for, which share its cost."""
    share, rest = divmod(model.rice, model.count)
    return (replace(model, rice=share + (number < rest), count=1) for number in range(model.count))


def dismiss(g: Table, seat: str) -> None:
    """Forget the models that this seat has brought."""
    g.units = {key: unit for key, unit in g.units.items() if unit.army != seat}
    g.shared = tuple(keys for keys in g.shared if g.units.keys() >= set(keys))


def send_home(g: Table, seat: str) -> None:
    """Forget the warband that this seat has brought, so that it can bring another."""
    dismiss(g, seat)
    side = g.armies[seat]
    side.faction = side.theme = side.roster = ""
    side.cards, side.warnings, side.rice = (), (), 0
    g.say(_("%(player)s uses another warband."), player=name_of(g, seat))


def enlist(g: Table, seat: str, model: Model) -> Unit:
    """Add one model to a warband; it has yet to come to the table."""
    wounds = int(model.wounds) if model.wounds.isdecimal() else 0
    unit = Unit(
        key_of(model.name, g.units),
        seat,
        told_apart(g, seat, model.name),
        kind="model",
        order=sum(1 for _unit in g.units_of(seat)),
        cost=model.rice,
        place=UNPLACED,
        wounds=wounds,
        wounds_total=wounds,
        wounds_stat=model.wounds,
        ki_stat=model.ki,
        ki_cap=model.cap,
    )
    if unit.is_kami:
        unit.ki = unit.cap or 0
    g.units[unit.key] = unit
    return unit


def told_apart(g: Table, seat: str, name: str) -> str:
    """A model's name, numbered if its warband has a namesake, so that the log can tell them apart."""
    known = {unit.name for unit in g.units_of(seat)}
    numbered = (validation.told_apart(name, f" {number}") for number in range(2, len(known) + 2))
    return next(called for called in (name, *numbered) if called not in known)


def summoned(g: Table, name: str) -> Model:
    """The catalogue's model of this name; a plain one with one wound if it has none."""
    found = catalogue(g.entries).find(name)
    if found is None or found.guessed:
        return Model(name, 0, "0", "0", "1", 1, 0)
    card = found.profile
    return Model(name, card.rice, card.ki, card.cap, card.wounds, 1, 0)


def summary(faction: str, rice: int, models: int) -> Line:
    """A warband in a few words."""
    return say_count(
        "%(faction)s, %(rice)s rice, %(count)s model",
        "%(faction)s, %(rice)s rice, %(count)s models",
        models,
        faction=Term(faction or _("No faction")),
        rice=rice,
    )


# --- warbands to start with --------------------------------------------------------------------------


@cache
def demo_armies() -> dict[str, str]:
    """Warbands to start with at once: slug → faction."""
    return {slug: demo(slug).faction for slug in facts.names(PACKAGE, "seeds/armies", ".txt")}


def demo_text(slug: str) -> str:
    """A demo warband as the text that would be pasted."""
    return facts.text(PACKAGE, f"seeds/armies/{slug}.txt")


@cache
def demo(slug: str) -> Warband:
    """A demo warband, read."""
    return read(demo_text(slug), catalogue())


def demo_summary(slug: str) -> Line:
    """Size of a demo warband."""
    warband = demo(slug)
    return say_count(
        "%(count)s model, %(rice)s rice", "%(count)s models, %(rice)s rice", warband.size, rice=warband.rice
    )
