"""The rows of a warband: what is left of a model, what it does now, and what it may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core.steps import Offer
from games.core.words import gettext_noop as _
from games.core.words import say_count
from games.systems.bushido.page.view_models import Act, Row, Rows
from games.systems.bushido.pieces import Unit
from games.systems.bushido.rules import states, wounds_and_ki

if TYPE_CHECKING:
    from games.systems.bushido.page.table import BushidoPage

ROW_STATES = {
    "ready": ("ready", ""),
    "acting": ("acting", _("Acting")),
    "exhausted": ("done", _("Exhausted")),
    "elsewhere": ("away", _("Elsewhere")),
    "removed": ("out", _("Out of the match")),
    "unplaced": ("", ""),
}
"""What a model is doing → the state of its row, and the words for it."""

GROUP_OF = {
    "ready": "ready",
    "acting": "ready",
    "unplaced": "ready",
    "exhausted": "exhausted",
    "elsewhere": "elsewhere",
    "removed": "removed",
}
GROUPS = {
    "ready": (_("Models"), False),
    "elsewhere": (_("Elsewhere"), False),
    "exhausted": (_("Exhausted"), True),
    "removed": (_("Out of the match"), True),
}
"""Headings of the rows, and whether they keep their models folded."""

SHORT = {"simple": _("Simple"), "complex": _("Complex"), "act": _("More")}
"""The texts of a row's three buttons; their labels are read out in full."""


def rows(page: BushidoPage, units: list[Unit]) -> Iterator[Rows]:
    """The models by group; those that are out, or exhausted while others are not, are folded."""
    by_state: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.order):
        state = page.derived["units"][unit.key]
        by_state.setdefault(GROUP_OF[state], []).append(unit)
    for group, (title, folds) in GROUPS.items():
        if group in by_state:
            cards = tuple(card(page, unit) for unit in by_state[group])
            folded = folds and (group == "removed" or "ready" in by_state)
            note = str(len(cards)) if folds else _legend(page, cards)
            yield Rows(page.t(title), cards, note, folded=folded)


def _legend(page: BushidoPage, cards: Iterable[Row]) -> str:
    """What the signs and the number of these models count; "" if the app counts no wounds."""
    if not any(card.gauge for card in cards):
        return ""
    return page.t(_("activation counters, wounds left") if page.g.round else _("Wounds left"))


def card(page: BushidoPage, unit: Unit) -> Row:
    """A model's row, cached until anything on it changes."""
    path, has_begun = f"unit/{unit.key}", page.g.round > 0
    acts = _acts(page, unit)
    offer = None if acts else page.take_offer(path)
    around = (_is_vim(page, unit), _flank(page, unit), _zone(page, unit))
    state = page.derived["units"][unit.key]
    return page.cached_until_changed(_row, unit, state, has_begun, page.sheet_url(path), acts, offer, *around)


def _acts(page: BushidoPage, unit: Unit) -> tuple[Act, ...]:
    """What a model may do now, as the short buttons of its row."""
    about = page.about.get(f"unit/{unit.key}", ())
    found = [offer for verb in SHORT for offer in about if offer.action.startswith(f"{verb}:")]
    return tuple(_short(page, page.take(offer), unit.name) for offer in found)


def _short(page: BushidoPage, offer: Offer, model: str) -> Act:
    shown = page.offer(offer)
    verb = offer.action.partition(":")[0]
    return Act(shown.action, shown.label, detail=page.t(SHORT[verb]), model=model)


def _is_vim(page: BushidoPage, unit: Unit) -> bool:
    """Whether the reader may know this model as its side's VIM."""
    side = page.g.armies[unit.army]
    return unit.key in (side.vim, side.hidden.get("vim")) and not wounds_and_ki.has_returned(page.g, unit)


def _flank(page: BushidoPage, unit: Unit) -> str:
    """A flank note: turn and edge for its author, only that there is one for others; "" for none."""
    if not unit.is_flanking:
        return ""
    note = page.g.armies[unit.army].hidden.get(f"flank-{unit.key}")
    if not note:
        return page.t(_("Flank"))
    left = note[1] == "left"
    line = _("Flank: turn %(turn)s, left edge") if left else _("Flank: turn %(turn)s, right edge")
    return page.t(line, turn=note[0])


def _zone(page: BushidoPage, unit: Unit) -> str:
    """The zone that a model is in, "" for none."""
    zone = page.g.objectives.get(unit.zone or "")
    return page.t(zone.name) if zone else ""


def _row(
    page: BushidoPage,
    unit: Unit,
    state: str,
    has_begun: bool,
    sheet_url: str,
    acts: tuple[Act, ...],
    offer: view_models.Offer | None,
    is_vim: bool,
    flank: str,
    zone: str,
) -> Row:
    look, words = ROW_STATES[state]
    return Row(
        unit.key,
        unit.name,
        gauge=_gauge(page, unit, has_begun=has_begun),
        badges=tuple(_badges(page, unit, flank, zone, has_begun=has_begun)),
        state=look,
        state_label=page.t(words),
        leader=page.t(_("Very Important Model")) if is_vim else "",
        text=unit.note,
        sheet_url=sheet_url,
        offer=offer,
        acts=acts,
    )


def _gauge(page: BushidoPage, unit: Unit, *, has_begun: bool) -> view_models.Gauge | None:
    """Wounds left, and a dot for each activation counter."""
    if not unit.tracks_wounds:
        return None
    pips = view_models.pips(unit.counters, max(2, unit.counters)) if has_begun else ()
    words = {"left": unit.wounds, "of": unit.wounds_total}
    line = say_count(
        "%(left)s of %(of)s wounds left, %(count)s activation counter",
        "%(left)s of %(of)s wounds left, %(count)s activation counters",
        unit.counters,
        **words,
    )
    return view_models.Gauge(unit.wounds, unit.wounds_total, page.words(line), pips)


def _badges(
    page: BushidoPage, unit: Unit, flank: str, zone: str, *, has_begun: bool
) -> Iterator[view_models.Badge]:
    """Ki, states with their values, where it is, who controls it."""
    if unit.is_in_play or not has_begun:
        yield view_models.Badge(_ki(page, unit))
    if not unit.tracks_wounds and has_begun and unit.is_on_table:
        yield view_models.Badge(page.t(_("Counters %(count)s"), count=unit.counters))
    for name in sorted({name for name, _value in unit.markers}):
        yield _marker(page, unit, name)
    if flank:
        yield view_models.Badge(flank, "sealed")
    if zone:
        yield view_models.Badge(zone, "objective")


def _marker(page: BushidoPage, unit: Unit, name: str) -> view_models.Badge:
    """A state that a model is in, with its values or its number of markers."""
    values, state = unit.values(name), states.STATES.get(name)
    title = page.t(state.title) if state else name
    if state and state.has_value:
        title = f"{title} {'+'.join(map(str, values))}"
    elif len(values) > 1:
        title = f"{title} ×{len(values)}"
    whose = unit.controller if name == states.CONTROLLED else None
    return view_models.Badge(title, "alert", "bad", mark=page.marks.get(whose or "", 0))


def _ki(page: BushidoPage, unit: Unit) -> str:
    """Ki as its card allows: 3/6, 3/∞, or shared."""
    if unit.is_communal:
        return page.t(_("Ki shared"))
    if unit.ki_cap == "0" and not unit.ki:
        return page.t(_("No Ki"))
    cap = f"/{unit.ki_cap}" if unit.ki_cap else ""
    return page.t(_("Ki %(ki)s"), ki=f"{unit.ki}{cap}")
