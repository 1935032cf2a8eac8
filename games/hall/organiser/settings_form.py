"""An event's settings as a form: the fields with their current values, and what was sent, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.core import validation
from games.core.system import System, system
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall.rules import drawing, several, standings
from games.hall.rules.pieces import Gathering
from games.hall.rules.scoring import bye_of, ways
from games.hall.rules.settings import NUMBERS, may_change
from games.hall.rules.standings import MOST_CRITERIA
from games.pages import filled
from games.view_models import Option
from games.view_models.organiser import Field, FieldGroup

MIXES = {
    several.TOGETHER: noop("The first six together"),
    several.SPREAD: noop("The first ones spread over the tables"),
}
LABELS = {
    "length": noop("Rounds"),
    "cut": noop("Players in the knock-out after that"),
    "minutes": noop("Minutes of a round"),
    "overtime": noop("Minutes of overtime"),
    "days": noop("Days for each round"),
    "first_table": noop("Number of the first table"),
    "size": noop("Players at a table"),
    "bye": noop("Tournament points for a bye"),
}
"""The label of each number field, also used when its number is refused."""


def groups(g: Gathering) -> tuple[FieldGroup, ...]:
    """The fields that may still change, under their headings."""
    every = (
        FieldGroup(_("The game"), tuple(_of_game(g))),
        FieldGroup(_("Rounds and time"), tuple(_of_time(g))),
        FieldGroup(_("Pairings"), tuple(_of_pairing(g))),
        FieldGroup(_("Ranking"), tuple(_of_ranking(g))),
        FieldGroup(_("Registration"), tuple(_of_registration(g))),
    )
    shown = ((one.title, tuple(f for f in one.fields if may_change(g, f.name))) for one in every)
    return tuple(FieldGroup(title, fields) for title, fields in shown if fields)


def values_of(sent: Mapping[str, Any], g: Gathering) -> dict[str, Any]:
    """The settings that a form of `g` has sent, by name. Raises `Unreadable` for a number that is none.

    What a bye is worth is only set if somebody has typed another number: it follows from the scoring.
    """
    game = system(g.system)
    typed = {name: text for name, text in sent.items() if text.strip()}
    values: dict[str, Any] = {name: sent[name] for name in ("mode", "kind", "scoring", "mix") if name in sent}
    for name, (low, high) in NUMBERS.items():
        if name in typed:
            values[name] = whole(_(LABELS[name]), typed[name], low, high)
    values |= {name: name in sent for name in sent.get("flags", "").split()}
    options = {
        name: whole(_option_label(game, name), typed[f"option-{name}"], low, high)
        for name, (_usual, low, high) in game.options.items()
        if f"option-{name}" in typed
    }
    if options:
        values["options"] = options
    criteria = (f"criterion-{at}" for at in range(1, MOST_CRITERIA + 1))
    if chosen := tuple(typed[name] for name in criteria if name in typed):
        values["criteria"] = chosen
    if "places" in typed:
        values["places"] = _numbers(typed["places"])
    if "bye" in typed:
        points = whole(_(LABELS["bye"]), typed["bye"], 0, 99)
        values |= {} if points == _points_of_a_bye(g) else {"bye": {"points": points}}
    return values


def _points_of_a_bye(g: Gathering) -> int:
    return int(bye_of(g).get("points", 0))


def whole(label: str, typed: str, low: int, high: int) -> int:
    """A whole number from a form. Raises `Unreadable`, naming the field."""
    try:
        return validation.clean_int(typed, low, high)
    except validation.Unreadable as unreadable:
        line = say(noop("%(field)s: %(problem)s"), field=label, problem=unreadable.line)
        raise validation.Unreadable(line, unreadable.status) from None


def _numbers(typed: str) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in typed.replace(",", " ").replace("，", " ").split())
    except ValueError:
        line = noop("Write the points by place as whole numbers, as in “6, 5, 4, 3, 2, 1”.")
        raise validation.Unreadable(say(line)) from None


def _of_game(g: Gathering) -> Iterator[Field]:
    game = system(g.system)
    if len(game.modes) > 1:
        modes = {mode.slug: _(mode.title) for mode in game.modes}
        yield _select("mode", _("Mode"), modes, g.mode, _("Another one may be chosen for each round."))
    yield from _options(game, g)
    low, high = game.seat_range
    if high > 2:
        yield _number("size", g.size, max(low, several.LEAST), high)


def _options(game: System, g: Gathering) -> Iterator[Field]:
    if game.sizes:
        sizes = {size: size for size in game.sizes}
        chosen = str(g.options.get("points", game.options["points"][0]))
        yield _select("option-points", _option_label(game, "points"), sizes, chosen)
    for name, choices in game.choices.items():
        if name in game.options and choices.values:
            told = {str(value): _(title) for value, title in choices.values.items()}
            chosen = str(g.options.get(name, game.options[name][0]))
            yield _select(f"option-{name}", _option_label(game, name), told, chosen)


def _option_label(game: System, name: str) -> str:
    return _(game.choices[name].title if name in game.choices else game.size_words[0])


def _of_time(g: Gathering) -> Iterator[Field]:
    yield _number("length", g.length, *NUMBERS["length"], _("0: by the number of players"))
    yield _number("cut", g.cut, *NUMBERS["cut"])
    yield _number("minutes", g.minutes, *NUMBERS["minutes"])
    yield _number("overtime", g.overtime, *NUMBERS["overtime"])
    days = _("Only for a league; 0: all in one hall")
    yield _number("days", g.days, *NUMBERS["days"], days)
    yield _number("first_table", g.first_table, *NUMBERS["first_table"])


def _of_pairing(g: Gathering) -> Iterator[Field]:
    kinds = {slug: _(title) for slug, title in drawing.KINDS.items()}
    yield _select("kind", _("Kind of pairing"), kinds, g.kind)
    if g.size > 2:
        yield _select("mix", _("Who plays together"), {s: _(t) for s, t in MIXES.items()}, g.mix)
    yield Field("apart", _("Players of one club do not meet in round one"), "check", checked=g.apart)


def _of_ranking(g: Gathering) -> Iterator[Field]:
    scorings = {slug: f"{_(one.title)}: {_(one.summary)}" for slug, one in ways(g.system).items()}
    yield _select("scoring", _("Tournament points"), scorings, g.scoring)
    if g.scoring == "places":
        points = ", ".join(map(str, g.places or (6, 5, 4, 3, 2, 1)))
        yield Field("places", _("Points by place"), value=points, help=_("The winner’s first"))
    yield _number("bye", _points_of_a_bye(g), 0, 99)
    named = {"": "–", **{name: _(title) for name, title in standings.CRITERIA.items()}}
    chosen = [*standings.criteria(g), *[""] * MOST_CRITERIA]
    for at in range(1, MOST_CRITERIA + 1):
        label = _("Decides first") if at == 1 else _("then")
        yield _select(f"criterion-{at}", label, named, chosen[at - 1])


def _of_registration(g: Gathering) -> Iterator[Field]:
    yield Field("is_open", _("Players may register themselves"), "check", checked=g.is_open)
    yield Field("is_listed", _("Shown on the home page"), "check", checked=g.is_listed)


def _select(name: str, label: str, choices: Mapping[str, str], chosen: str, help: str = "") -> Field:
    options = tuple(Option(value, title, value == chosen) for value, title in choices.items())
    return Field(name, label, "select", options=options, help=help)


def _number(name: str, value: int, low: int, high: int, help: str = "") -> Field:
    return Field(name, _(LABELS[name]), "number", str(value), low=low, high=high, help=help)


def refilled(shown: Iterable[FieldGroup], sent: Mapping[str, Any]) -> tuple[FieldGroup, ...]:
    """The same fields filled with what was typed, for a form that is shown again."""
    return tuple(replace(one, fields=tuple(_refilled(field, sent) for field in one.fields)) for one in shown)


def _refilled(field: Field, sent: Mapping[str, Any]) -> Field:
    if field.kind == "check":
        return replace(field, checked=field.name in sent)
    if field.name not in sent:
        return field
    typed = sent[field.name]
    options = tuple(replace(option, selected=option.value == typed) for option in field.options)
    return replace(field, value=typed, options=options)


def flags(shown: Iterable[FieldGroup]) -> str:
    """The names of the tick boxes in a form: one that is not sent was not ticked."""
    return " ".join(one.name for group in shown for one in group.fields if one.kind == "check")


# --- what was changed ------------------------------------------------------------------------------

TICKED = "on"
CRITERION = "criterion-"
"""How the names of the places in the ranking begin: they are one setting together."""


def shown(groups: Iterable[FieldGroup], name: str) -> str:
    """What a form is filled with, to be sent back with it: then only what somebody changed counts."""
    fields = (field for group in groups for field in group.fields)
    return filled.told({"name": name, **{field.name: _filled(field) for field in fields}})


def _filled(field: Field) -> str:
    if field.kind == "check":
        return TICKED if field.checked else ""
    return next((option.value for option in field.options if option.selected), field.value)


def changed_in(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What a form has sent, without the fields that are still as it was filled.

    Somebody else may have changed those meanwhile. A form that does not say how it was filled changes all.
    """
    same = filled.unchanged(sent)
    if any(name.startswith(CRITERION) for name in filled.before(sent).keys() - same):
        same = {name for name in same if not name.startswith(CRITERION)}
    flags = [name for name in sent.get("flags", "").split() if name not in same]
    return {**{name: sent[name] for name in sent if name not in same}, "flags": " ".join(flags)}
