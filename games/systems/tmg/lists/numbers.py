"""How card numbers become a roster (TMG-07, TMG-08): unknown numbers are kept for editing."""

from __future__ import annotations

from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import ATTACHMENT, NCU, UNIT, Catalogue
from games.systems.tmg.lists.checks import checked
from games.systems.tmg.lists.codes import Code
from games.systems.tmg.lists.draft import MAX_ENTRIES, Draft
from games.systems.tmg.lists.roster import ENEMY, Attachment, Roster, RosterEntry


def roster_of(code: Code, catalogue: Catalogue) -> Roster:
    """The army that a code means; every number in it becomes a piece, known or not."""
    draft = Draft(name=code.name, faction=_faction(code, catalogue), limit=code.limit, points_line=1)
    for number, *attached in code.units:
        _take(draft, catalogue, number, UNIT)
        for other in attached:
            _take(draft, catalogue, other, ATTACHMENT)
    for number in code.others:
        _take(draft, catalogue, number, ENEMY if _is_attachment(catalogue, number) else NCU)
    draft.entries.sort(key=lambda entry: (UNIT, NCU, ENEMY).index(entry.kind))
    draft.house()
    if len(draft.entries) > MAX_ENTRIES:
        del draft.entries[MAX_ENTRIES:]
        draft.remark(1, _("Line %(line)d: the code has too many units; the first were kept."))
    if not code.is_whole:
        draft.remark(
            1, _("Line %(line)d: the share code is damaged or cut off; what could be read was kept.")
        )
    draft.points = sum(entry.points for entry in draft.entries)
    return checked(draft)


def _faction(code: Code, catalogue: Catalogue) -> str:
    """The faction that is stated, else the one that most numbers belong to."""
    stated = catalogue.factions_by_number.get(code.faction) if isinstance(code.faction, int) else code.faction
    return stated or catalogue.likely_faction(str(number) for unit in code.units for number in unit)


def _is_attachment(catalogue: Catalogue, number: int) -> bool:
    """Whether a number is an attachment's; of a card that nobody knows its first digit tells."""
    fact = catalogue.by_id.get(str(number))
    return fact.kind == ATTACHMENT if fact else str(number)[0] == "2"


def _take(draft: Draft, catalogue: Catalogue, number: int, place: str) -> None:
    """Take a card: where it belongs if the catalogue knows it, else where the code has it."""
    fact = catalogue.by_id.get(str(number))
    kind = fact.kind if fact else place
    if fact is None:
        message = _("Line %(line)d: the catalogue has no card %(number)s; please name it.")
        draft.remark(1, message, number=str(number))
    else:
        draft.remark_foreign(1, fact)
    name, title, cost = (fact.name, fact.title, fact.cost) if fact else (str(number), "", 0)
    if place == ENEMY or (fact and fact.joins_enemy):
        kind = ENEMY
    if kind == ATTACHMENT:
        draft.attach(Attachment(1, name, title, cost, fact))
    else:
        draft.entries.append(RosterEntry(1, name, title, cost, kind, fact=fact))
