"""How the page shows an attack that is being resolved: both sides' numbers, and the one to enter next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from games import view_models
from games.core import COMMA, Line, Offer, say, say_count
from games.core import gettext_noop as _
from games.systems.tmg.lists import army_cards
from games.systems.tmg.pieces import CONDITIONS, Unit
from games.systems.tmg.rules import attacks
from games.systems.tmg.rules.attacks import BLOCKED, HITS, PANIC, PANICKED, SAVES, Attack
from games.systems.tmg.rules.destruction import CONDITION_NAMES
from games.systems.tmg.tmg_corrections import TmgCorrections

if TYPE_CHECKING:
    from games.systems.tmg.page.miniatures_page import TmgPage

ENTERED = {HITS: "hits", SAVES: "blocks", BLOCKED: "blocks", PANIC: "panics", PANICKED: "panics"}
"""The number that each step asks for."""

AHEAD = ("roll-dice", "again-misses", "expend", "weapon")
NUMBERS = (
    "dice", "to-hit", "more-hits", "sure-hits", "more-blocks", "to-save", "to-stand", "more-panic",
)  # fmt: skip
MOST_USUAL = 12
"""What stands on the sheet beside that number: ways on, and what folds away until a card changes it."""


def attack(page: TmgPage) -> view_models.Attack | None:
    """The attack as this reader sees it; who only looks on is shown no controls."""
    open_attack = attacks.current(page.g)
    if open_attack is None:
        return None
    keys = [key for key in (open_attack.attacker, open_attack.target) if key in page.g.units]
    names = [page.g.units[key].name for key in keys]
    line = _("%(unit)s attacks %(target)s") if len(names) > 1 else _("Panic test of %(target)s")
    if open_attack.strikes_back:
        line = _("%(unit)s strikes back at %(target)s")
    shown = view_models.Attack(
        page.t(line, unit=names[0], target=names[-1]),
        tuple(_fighter(page, open_attack, page.g.units[key]) for key in keys),
        page.words(_prompt(page, open_attack)),
        page.marks[_whose(page, open_attack)],
        _so_far(page, open_attack),
        page.t(_warning(page, open_attack)),
        tuple(_dice(page, open_attack)),
    )
    return shown if page.seat is None else _with_controls(page, open_attack, shown)


def _with_controls(page: TmgPage, open_attack: Attack, shown: view_models.Attack) -> view_models.Attack:
    offers = {offer.action: offer for offer in TmgCorrections().of(page.g, "table")}
    entered = ENTERED[open_attack.step]
    is_clear = open_attack.step == SAVES and attacks.is_taken(open_attack)
    ways = (offer for action, offer in offers.items() if action.partition(":")[0] in AHEAD)
    changes = (
        offer for action, offer in offers.items() if action.partition(":")[0] in (*NUMBERS, "count", "ignore")
    )
    return replace(
        shown,
        ways=(*_taken(page, open_attack), *(_button(page, offer) for offer in ways)),
        entered=None if is_clear else _entered(page, offers[entered], open_attack),
        changes=view_models.OfferGroup(
            tuple(_change(page, offer) for offer in changes),
            page.t(_("A card changes something")),
            folded=True,
        ),
        end=_button(page, offers["end-attack"]),
    )


def _fighter(page: TmgPage, open_attack: Attack, unit: Unit) -> view_models.Fighter:
    stats, is_attacker = attacks.stats_of(page.g, unit.key), unit.key == open_attack.attacker
    badges = [
        view_models.Badge(page.t(CONDITION_NAMES[condition]), "condition", "bad")
        for condition in CONDITIONS
        if condition in unit.conditions
    ]
    numbers = _attacking(page, open_attack) if is_attacker else _defending(page, open_attack)
    return view_models.Fighter(
        unit.name,
        page.marks[unit.player],
        page.gauge(unit),
        tuple(numbers),
        tuple(badges),
        page.t(COMMA).join(stats.abilities) if stats else "",
    )


def _attacking(page: TmgPage, open_attack: Attack) -> Iterator[tuple[str, str]]:
    if open_attack.strikes_back:
        yield page.t(_("Counterstrike: a hit for each miss")), str(open_attack.hits)
        return
    weapon = attacks.weapon_of(page.g, open_attack)
    if weapon is not None:
        kind = page.t(army_cards.RANGES.get(weapon.kind, ""))
        yield kind or page.t(_("Attack")), weapon.name
    yield page.t(_("Dice")), _known(open_attack.dice)
    yield page.t(_("To hit")), _known(open_attack.hit, "+")


def _defending(page: TmgPage, open_attack: Attack) -> Iterator[tuple[str, str]]:
    if open_attack.attacker:
        yield page.t(_("Defence")), _known(open_attack.defence, "+")
    if not open_attack.strikes_back:
        yield page.t(_("Morale")), _known(open_attack.morale, "+")


def _known(number: int, sign: str = "") -> str:
    return f"{number}{sign}" if number else "?"


def _whose(page: TmgPage, open_attack: Attack) -> str:
    """The seat whose dice are due."""
    key = open_attack.attacker if open_attack.step == HITS else open_attack.target
    return page.g.units[key if key in page.g.units else open_attack.target].player


def _prompt(page: TmgPage, open_attack: Attack) -> Line:
    lines = {
        HITS: _("%(player)s: how many hits?"),
        SAVES: _("%(player)s: how many hits are blocked?"),
        BLOCKED: _("%(player)s: how many hits are blocked?"),
        PANIC: _("%(player)s: panic test, how many wounds?"),
        PANICKED: _("%(player)s: panic test, how many wounds?"),
    }
    return say(lines[open_attack.step], player=page.name(_whose(page, open_attack)))


def _so_far(page: TmgPage, open_attack: Attack) -> str:
    """What has come of it so far, and what the dice that lie there come to."""
    parts: list[Line] = []
    if open_attack.hits >= 0:
        parts.append(say_count("%(count)s hit", "%(count)s hits", open_attack.hits))
    if open_attack.sure:
        parts.append(say_count("%(count)s without a save", "%(count)s without a save", open_attack.sure))
    if open_attack.blocked >= 0:
        parts.append(say_count("%(count)s blocked", "%(count)s blocked", open_attack.blocked))
    if open_attack.wounds >= 0:
        parts.append(say_count("%(count)s wound", "%(count)s wounds", open_attack.wounds))
    return " · ".join(map(page.words, parts))


def _warning(page: TmgPage, open_attack: Attack) -> str:
    """TMG-103: the app warns of what it knows to be against the rules. TMG-118: it says why a test is due."""
    if open_attack.then:
        return _("Horrific Visage: the attacker tests first.")
    weapon, unit = attacks.weapon_of(page.g, open_attack), page.g.units.get(open_attack.attacker)
    if weapon is None or unit is None or not unit.engaged_with or open_attack.strikes_back:
        return ""
    if not attacks.is_melee(weapon):
        return _("A unit that is engaged does not attack at range.")
    return "" if open_attack.target in unit.engaged_with else _("It is engaged with another enemy.")


def _dice(page: TmgPage, open_attack: Attack) -> Iterator[view_models.Choice]:
    can_roll = page.seat is not None
    for place, face in enumerate(open_attack.rolled, 1):
        is_extra = open_attack.step == PANICKED and place > 2
        yield view_models.Choice(
            f"table again:{place}" if can_roll else "", f"D3 {face}" if is_extra else str(face)
        )


def _taken(page: TmgPage, open_attack: Attack) -> Iterator[view_models.Offer]:
    """What the dice that lie there come to, as one tap."""
    if open_attack.step != PANICKED and attacks.is_taken(open_attack):
        blocked = max(0, open_attack.blocked)
        wounds = attacks.wounds_of(open_attack, blocked)
        label = say_count("Take %(count)s wound", "Take %(count)s wounds", wounds)
        yield _tap(page, f"blocks:{blocked}", label)
    elif open_attack.step == PANICKED:
        wounds = attacks.panic_wounds(page.g, open_attack)
        label = say_count("Failed: take %(count)s wound", "Failed: take %(count)s wounds", wounds)
        yield _tap(page, f"panics:{wounds}", label if attacks.is_failed(open_attack) else say(_("Passed")))


def _tap(page: TmgPage, action: str, label: Line) -> view_models.Offer:
    return view_models.Offer(f"table {action}", page.words(label), tone="main", form="adjust", field="change")


def _entered(page: TmgPage, offer: Offer, open_attack: Attack) -> view_models.Offer:
    """A button for each number that is usual; the API and the sheet of the table take more."""
    usual = {
        "hits": open_attack.dice or MOST_USUAL,
        "panics": page.g.rules["panic_wounds"] + page.g.rules["panic_die"] + max(open_attack.more, 0),
    }
    most = min(offer.maximum or 0, usual.get(offer.action, MOST_USUAL), view_models.SHORT_RANGE - 1)
    shown = view_models.numeric_offer(f"table {offer.action}", page.words(_ENTERED[offer.action]), 0, most)
    return replace(shown, form="adjust", field="change")


_ENTERED = {
    "hits": say(_("Rolled at the table: hits")),
    "blocks": say(_("Rolled at the table: blocked")),
    "panics": say(_("Rolled at the table: wounds, 0 if it is passed")),
}


def _button(page: TmgPage, offer: Offer) -> view_models.Offer:
    tone = "quiet" if offer.style == "quiet" else ""
    return view_models.Offer(
        f"table {offer.action}", page.words(offer.label), tone=tone, form="adjust", field="change"
    )


def _change(page: TmgPage, offer: Offer) -> view_models.Offer:
    shown = page.correction("table", offer)
    if offer.minimum is not None:
        return shown
    icon = "check" if offer.on else ""
    return view_models.Offer(shown.action, shown.label, icon=icon, form="adjust", field="change")
