"""How an army takes its seat: the units of a roster, with the catalogue's figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from games.core import (
    IllegalAction,
    Line,
    Listed,
    Lobby,
    Term,
    Unreadable,
    clean_text,
    key_of,
    name_of,
    name_with_mark,
    say,
    step_of,
    system,
)
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_cards import ENEMY, FACTIONS, NEUTRAL, Fact, catalogue
from games.systems.tmg.lists.army_grammar import opened, read_each, read_pasted, summary
from games.systems.tmg.lists.army_roster import Attachment, Roster, RosterEntry
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import tactics_cards

_KINDS = {"": "infantry", "warmachine": "war-machine"}


def bring_text(g: Table, seat: str, text: str) -> None:
    """Bring a pasted list (TMG-05, TMG-06); refuse only what is not a list at all (TMG-09).

    The names of tactics cards stay for the same army, as its player may have typed them (TMG-88).
    """
    refuse_late(g, seat)
    try:
        text = opened(clean_text(text), catalogue(g.entries))
        roster = read_pasted(text, catalogue(g.entries))
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line, "TMG-05") from unreadable
    side = g.armies[seat]
    if (side.faction, side.commander) != (roster.faction, roster.commander):
        side.card_names = ()
    bring(g, seat, roster, text)


def listed(g: Table, text: str) -> tuple[Listed, ...]:
    """The lists of a pasted text, each by its own name or its commander's."""
    try:
        rosters = read_each(text, catalogue(g.entries))
    except Unreadable:
        return ()
    return tuple(
        Listed(
            part,
            roster.name or roster.commander or roster.entries[0].full_name,
            summary(roster.faction, roster.points, roster.activations),
        )
        for part, roster in rosters
    )


def refuse_late(g: Table, seat: str) -> None:
    """Refuse an army that comes after its player was ready."""
    if not isinstance(step_of(g), Lobby) or g.armies[seat].ready:
        raise IllegalAction(Line(_("You can choose an army only until you are ready.")), "TMG-05")


def bring(g: Table, seat: str, roster: Roster, text: str = "") -> None:
    """Replace whatever this seat has brought before with a roster, and keep the remarks on it."""
    roster, discounts = _discounted(roster)
    _dismiss(g, seat)
    entries = [entry for entry in roster.entries if entry.kind != ENEMY]
    for entry, unit in [(entry, enlist(g, seat, entry)) for entry in entries]:
        if entry.figures.follows:
            link(g, unit, entry.figures.follows)
    warnings = [*roster.warnings, *_crowded(roster), *discounts, *_over(g, roster), *_too_neutral(g, roster)]
    warnings += roster.unused
    side = g.armies[seat]
    side.faction, side.commander = roster.faction, roster.commander
    side.points, side.limit = roster.points, g.rules["points"]
    side.roster, side.warnings = text, tuple(line.to_json() for line in warnings)
    if roster.cards:
        tactics_cards.rename(g, seat, roster.cards)
    side.captives = tuple(
        (entry.name, entry.title, entry.cost, entry.extra_vp) for entry in roster.of_kind(ENEMY)
    )
    g.say_count(
        "%(player)s uses %(count)s unit: %(army)s.",
        "%(player)s uses %(count)s units: %(army)s.",
        sum(1 for _unit in g.units_of(seat)),
        player=name_of(g, side.key),
        army=roster.commander or Term(FACTIONS.get(roster.faction, _("No faction"))),
    )


def send_home(g: Table, seat: str) -> None:
    """Forget the army that this seat has brought, so that it can bring another."""
    _dismiss(g, seat)
    side = g.armies[seat]
    side.faction = side.commander = side.roster = ""
    side.points, side.warnings, side.captives, side.card_names = 0, (), (), ()
    g.say(_("%(player)s uses another army."), player=name_of(g, side.key))


def _dismiss(g: Table, seat: str) -> None:
    g.units = {key: unit for key, unit in g.units.items() if unit.army != seat}


def enlist(g: Table, seat: str, entry: RosterEntry) -> Unit:
    """Add one unit of a roster to an army; it has yet to come to the table."""
    figures, names = entry.figures, [unit.name for unit in g.units_of(seat)]
    unit = Unit(
        key_of(entry.name, g.units),
        seat,
        _unlike(names, entry.name),
        kind=_KINDS.get(figures.tray, figures.tray) if entry.kind == "unit" else "ncu",
        order=len(names),
        cost=entry.cost,
        place="unplaced",
        title=entry.title,
        card=entry.fact.id if entry.fact else "",
        wounds=figures.wounds_total,
        wounds_total=figures.wounds_total,
        rank_size=figures.rank_wounds,
        commander=entry.commander,
        attachments=tuple(
            (attachment.name, attachment.title, attachment.cost, seat) for attachment in entry.attachments
        ),
        cannot_control=figures.cannot_control,
        never_activates=figures.cannot_activate,
        gains_no_conditions=figures.gains_no_conditions,
        grants_no_vp=figures.grants_no_vp,
        extra_vp=entry.extra_vp,
        hand_bonus=entry.hand_bonus,
    )
    g.units[unit.key] = unit
    return unit


def listed_name(unit: Unit, names: Collection[str]) -> str:
    """A unit's name as its list has it, without the number that tells it from a namesake."""
    name, _space, number = unit.name.rpartition(" ")
    return name if number.isdigit() and name in names else unit.name


def _unlike(names: list[str], name: str) -> str:
    """A unit's name, numbered if the army has a namesake, so that the log can tell them apart."""
    numbered = (name_with_mark(name, f" {number}") for number in range(2, len(names) + 2))
    return next(each for each in (name, *numbered) if each not in names)


def tell_armies_apart(g: Table) -> None:
    """Add the owner to each name that both armies have, so that the log can tell them apart."""
    units = list(g.units.values())
    named = {army: {unit.name for unit in units if unit.army == army} for army in g.seats}
    shared = frozenset.intersection(*map(frozenset, named.values()))
    owners = _owners(g)
    for unit in units:
        if unit.name in shared:
            names = [other.name for other in g.units_of(unit.army)]
            unit.name = _unlike(names, name_with_mark(unit.name, f" ({owners[unit.army]})"))


def _owners(g: Table) -> dict[str, str]:
    """What to call each side: its player, or its colour if players have no names or the same one."""
    players = {seat: army.name for seat, army in g.armies.items()}
    has_names = all(players.values()) and len(set(players.values())) == len(players)
    return players if has_names else dict(system(g.system).seat_names)


def link(g: Table, unit: Unit, master: str) -> None:
    """Tie a companion to the first unit that holds its master and has no companion yet (TMG-23)."""
    followed = {other.linked_to for other in g.units_of(unit.army)}
    for other in g.units_of(unit.army):
        held = (other.name, *(called for called, *_rest in other.attachments))
        if master in held and other.key not in followed:
            unit.linked_to = other.key
            return


def takes_the_place(fact: Fact | None) -> bool:
    """Whether an attachment takes the one place in a unit: some join others, some an enemy."""
    return fact is None or not (fact.joins_others or fact.joins_enemy)


def _crowded(roster: Roster) -> Iterator[Line]:
    """Units with more attachments than the one that a unit may have (TMG-10)."""
    for entry in roster.entries:
        usual = [attachment.full_name for attachment in entry.attachments if takes_the_place(attachment.fact)]
        if len(usual) > 1:
            line = _("%(unit)s has more than one attachment: %(attachments)s.")
            yield say(line, unit=entry.full_name, attachments=tuple(usual))


def _discounted(roster: Roster) -> tuple[Roster, tuple[Line, ...]]:
    """The army at its list's price, and remarks on points taken off by guesswork (TMG-84).

    Builders print attachments without their unit's discount, so the lines may add up to more than the
    list states. A point is taken off one attachment after another, those of units that make them
    cheaper first, until lines and list agree.
    """
    over = sum(entry.points for entry in roster.entries) - roster.points
    priced = [
        (entry, attachment) for entry in roster.entries for attachment in entry.attachments if attachment.cost
    ]
    priced.sort(key=lambda each: not each[0].figures.discounts)
    if not 0 < over <= len(priced):
        return roster, ()
    chosen = priced[:over]
    entries = tuple(
        _cheaper(entry, [attachment for _entry, attachment in chosen]) for entry in roster.entries
    )
    guessed = tuple(attachment.full_name for entry, attachment in chosen if not entry.figures.discounts)
    line = _("The list costs %(points)s points: 1 less was counted for %(attachments)s.")
    remarks = (say(line, points=roster.points, attachments=guessed),) if guessed else ()
    return replace(roster, entries=entries), remarks


def _cheaper(entry: RosterEntry, chosen: list[Attachment]) -> RosterEntry:
    is_chosen = {id(attachment) for attachment in chosen}
    attachments = (
        replace(joined, cost=joined.cost - (id(joined) in is_chosen)) for joined in entry.attachments
    )
    return replace(entry, attachments=tuple(attachments))


def _too_neutral(g: Table, roster: Roster) -> Iterator[Line]:
    """A remark on more Neutral points than the ruleset allows an army that is not Neutral."""
    # To the nearest whole point. Where no text says that a half counts, it would exceed the share.
    half = 50 if g.rules.get("neutral_half_counts") else 49
    most = (g.rules["points"] * g.rules.get("neutral_percent", 100) + half) // 100
    costs = [(piece.fact, piece.cost) for entry in roster.entries for piece in entry.attachments]
    costs += [(entry.fact, entry.cost) for entry in roster.entries]
    spent = sum(cost for fact, cost in costs if fact and fact.faction == NEUTRAL)
    if roster.faction != NEUTRAL and spent > most:
        line = _("%(points)s army points are Neutral; these rules allow %(most)s.")
        yield say(line, points=spent, most=most)


def _over(g: Table, roster: Roster) -> Iterator[Line]:
    """A remark on too many points for this match, unless the list says it was built for this size."""
    limit = g.rules["points"]
    if roster.points > limit and roster.limit != limit:
        line = _("%(points)s army points, in a match of %(limit)s.")
        yield say(line, points=roster.points, limit=limit)
