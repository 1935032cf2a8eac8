"""A warband takes its seat: models from plain lines, one a line, `name;rice;ki/cap;wounds;count`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from games.core import facts
from games.core.gates import PIECE_GRAPHEMES, Unreadable, clean_name
from games.core.state import State
from games.core.system import Refusal, Roster, RosterRow
from games.core.words import Line, say, say_count
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import KAMI, UNPLACED, Table, Unit

MOST_MODELS = 60
"""More models than any table holds: a text with more is no warband."""

_PACKAGE = "games.systems.bushido"
_KI = re.compile(r"([0-9]{1,2}|X)/([0-9]{1,2}|\*|∞)")
_WOUNDS = re.compile(rf"[0-9]{{1,2}}|Special|{KAMI}")
_RICE = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Profile:
    """One line of a warband as it was read."""

    name: str
    rice: int = 0
    ki: str = "0"
    cap: str = "0"
    wounds: str = "1"
    count: int = 1


def bring_text(g: Table, seat: str, text: str) -> None:
    """Bring a pasted warband; refuses only what is no list at all."""
    refuse_late(g, seat)
    profiles, warnings = _read(text)
    bring(g, seat, profiles, text, warnings)


def bring_demo(g: Table, seat: str, slug: str) -> None:
    """Bring one of the warbands that come with the game."""
    profiles, warnings = _read(demo_text(slug))
    bring(g, seat, profiles, demo_text(slug), warnings)
    g.armies[seat].faction = demo_armies()[slug]


def refuse_late(g: Table, seat: str) -> None:
    """Refuse a warband that comes after its player was ready."""
    if not g.flow or g.question.step != "muster" or g.armies[seat].ready:
        raise Refusal(Line(_("A warband can be brought only until you are ready.")), "BUSH-26")


def bring(
    g: Table,
    seat: str,
    profiles: Iterable[Profile],
    text: str = "",
    warnings: Iterable[tuple[int, Line]] = (),
) -> None:
    """Put these models in place of whatever this seat has brought before."""
    dismiss(g, seat)
    for profile in profiles:
        for _copy in range(profile.count):
            enlist(g, seat, profile)
    side = g.armies[seat]
    side.roster = text
    side.limit = g.rules["points"]
    side.rice = sum(unit.cost for unit in g.units_of(seat))
    found = [*warnings, *_over(g, seat)]
    side.warnings = tuple((number, line.to_json()) for number, line in found)
    line = say_count(
        "%(player)s brings %(count)s model: %(rice)s rice.",
        "%(player)s brings %(count)s models: %(rice)s rice.",
        sum(1 for _unit in g.units_of(seat)),
        player=side.name,
        rice=side.rice,
    )
    g.lines.append(line)


def dismiss(g: Table, seat: str) -> None:
    """Forget the models that this seat has brought."""
    g.units = {key: unit for key, unit in g.units.items() if unit.army != seat}


def send_home(g: Table, seat: str) -> None:
    """Forget the warband that this seat has brought, so that it can bring another."""
    dismiss(g, seat)
    side = g.armies[seat]
    side.faction = side.theme = side.roster = ""
    side.cards, side.warnings, side.rice = (), (), 0
    g.say(_("%(player)s brings another warband."), player=side.name)


def enlist(g: Table, seat: str, profile: Profile) -> Unit:
    """Add one model to a warband; it has yet to come to the table."""
    wounds = int(profile.wounds) if profile.wounds.isdigit() else 0
    unit = Unit(
        key_of(profile.name, g.units),
        seat,
        told_apart(g, seat, profile.name),
        kind="model",
        order=sum(1 for _unit in g.units_of(seat)),
        cost=profile.rice,
        place=UNPLACED,
        wounds=wounds,
        wounds_total=wounds,
        wounds_stat=profile.wounds,
        ki_stat=profile.ki,
        ki_cap=profile.cap,
    )
    if unit.is_kami:
        unit.ki = unit.cap or 0
    g.units[unit.key] = unit
    return unit


def key_of(name: str, taken: Iterable[str]) -> str:
    """A key for a new model: its name in small letters and hyphens, numbered where it is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")[:40].strip("-")
    stem = plain if plain[:1].isalpha() else f"model-{plain}".strip("-")
    known = set(taken)
    numbers = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(known) + 2))
    return next(key for key in numbers if key not in known)


def told_apart(g: Table, seat: str, name: str) -> str:
    """A model's name, numbered where its warband has another of it, so that the log can tell them apart."""
    known = {unit.name for unit in g.units_of(seat)}
    names = (name if number == 1 else f"{name} {number}" for number in range(1, len(known) + 2))
    return next(called for called in names if called not in known)


def roster(g: Table, seat: str) -> Roster | None:
    """The warband that this seat has brought, row by row; None before it has."""
    units = list(g.units_of(seat))
    if not units:
        return None
    side = g.armies[seat]
    rows = tuple(
        RosterRow(unit.name, kind="model", cost=unit.cost, wounds=unit.wounds_total) for unit in units
    )
    summary = say_count(
        "%(count)s model, %(rice)s rice", "%(count)s models, %(rice)s rice", len(units), rice=side.rice
    )
    warnings = tuple((number, Line.from_json(stored)) for number, stored in side.warnings)
    return Roster(side.roster, summary, rows, warnings, {"model": _("Model")})


def amend(g: Table, seat: str, rows: list[RosterRow]) -> None:
    """Bring the warband that the corrected rows are; a model keeps what its row does not say."""
    refuse_late(g, seat)
    if not rows:
        raise Refusal(Line(_("A warband needs at least one model.")), "BUSH-26")
    before = {unit.name: unit for unit in g.units_of(seat)}
    profiles = []
    for row in rows:
        was = before.get(row.name)
        ki, cap = (was.ki_stat, was.ki_cap) if was else ("0", "0")
        special = was.wounds_stat if was and not was.tracks_wounds and not row.wounds else ""
        profiles.append(Profile(row.name, row.cost, ki, cap, special or str(row.wounds or 1)))
    bring(g, seat, profiles, g.armies[seat].roster)


# --- reading ---------------------------------------------------------------------------------------


def _read(text: str) -> tuple[list[Profile], list[tuple[int, Line]]]:
    found: list[Profile] = []
    warnings: list[tuple[int, Line]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            found.append(_profile(line, number, warnings))
    models = sum(profile.count for profile in found)
    if not models:
        raise Refusal(Line(_("There is no model in this text.")), "BUSH-26")
    if models > MOST_MODELS:
        line = _("This text holds %(count)s models; a warband here has at most %(most)s.")
        raise Refusal(say(line, count=models, most=MOST_MODELS), "BUSH-26")
    return found, warnings


def _profile(line: str, number: int, warnings: list[tuple[int, Line]]) -> Profile:
    name, rice, ki, wounds, count, *_rest = [*(part.strip() for part in line.split(";")), "", "", "", ""]
    try:
        called = clean_name(name, PIECE_GRAPHEMES)
    except Unreadable as unreadable:
        raise Refusal(unreadable.line, "BUSH-26") from unreadable
    if not _RICE.fullmatch(rice or "0"):
        warnings.append((number, say(_("“%(text)s” is no number of rice; 0 was taken."), text=rice)))
        rice = ""
    spirit = _KI.fullmatch(ki or "0/0")
    if spirit is None:
        warnings.append((number, say(_("“%(text)s” is no Ki such as 2/6; 0/0 was taken."), text=ki)))
    if not _WOUNDS.fullmatch(wounds or "1") or wounds == "0":
        warnings.append((number, say(_("“%(text)s” is no number of wounds; 1 was taken."), text=wounds)))
        wounds = ""
    if not re.fullmatch("[1-9][0-9]{0,2}", count or "1"):
        warnings.append((number, say(_("“%(text)s” is no number of models; 1 was taken."), text=count)))
        count = ""
    gain, cap = spirit.groups() if spirit else ("0", "0")
    return Profile(called, int(rice or 0), gain, cap, wounds or "1", int(count or 1))


def _over(g: Table, seat: str) -> list[tuple[int, Line]]:
    rice, limit = g.armies[seat].rice, g.rules["points"]
    return (
        []
        if rice <= limit
        else [(0, say(_("%(rice)s rice, in a match of %(limit)s."), rice=rice, limit=limit))]
    )


# --- warbands to start with --------------------------------------------------------------------------


@cache
def demo_armies() -> dict[str, str]:
    """Warbands to start with at once: slug → what their first line calls them."""
    slugs = facts.names(_PACKAGE, "data/warbands", ".txt")
    return {slug: demo_text(slug).splitlines()[0].removeprefix("#").strip() for slug in slugs}


def demo_text(slug: str) -> str:
    """A demo warband as the text that would be pasted."""
    return facts.text(_PACKAGE, f"data/warbands/{slug}.txt")


@cache
def demo_summary(slug: str) -> Line:
    """Size of a demo warband."""
    profiles, _warnings = _read(demo_text(slug))
    models = sum(profile.count for profile in profiles)
    rice = sum(profile.rice * profile.count for profile in profiles)
    return say_count("%(count)s model, %(rice)s rice", "%(count)s models, %(rice)s rice", models, rice=rice)


def is_empty(g: State, seat: str) -> bool:
    """Whether this seat has brought no model yet."""
    return not any(True for _unit in g.units_of(seat))
