"""Army lists: from what people paste to a roster that can take the table, and back.

A list is never refused for what it says. What is unknown is kept with plain
figures, what is odd is remarked on by line, and all of it can be edited afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from games.core.validation import Unreadable, clean_note, clean_text
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import FACTIONS, NCU, UNIT, Catalogue
from games.systems.tmg.lists.codes import code_in, looks_shared
from games.systems.tmg.lists.lines import lines_of
from games.systems.tmg.lists.numbers import roster_of
from games.systems.tmg.lists.parts import parts_of
from games.systems.tmg.lists.reader import Reader
from games.systems.tmg.lists.roster import ENEMY, Attachment, Roster, RosterEntry

__all__ = [
    "ENEMY",
    "Attachment",
    "Roster",
    "RosterEntry",
    "read_each",
    "read_entries",
    "read_entry",
    "read_pasted",
    "read_roster",
    "write_roster",
]


def read_pasted(raw: object, catalogue: Catalogue) -> Roster:
    """The roster in text from outside; `Unreadable` if it is not text or names no unit at all."""
    text = clean_text(raw)
    first, *others = parts_of(text)
    roster = read_roster(first, catalogue)
    if roster.entries:
        return replace(roster, warnings=(*_left(others), *roster.warnings))
    if any(looks_shared(line) for line in text.split("\n", 9)[:9]):
        raise Unreadable(say(_("This share code is damaged or cut off. Please copy all of it once more.")))
    raise Unreadable(say(_("No unit was found in this text. Please paste the whole army list.")))


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Roster], ...]:
    """Every list in a text that passed validation: its own text, and its roster if that has a unit."""
    found = ((part, read_roster(part, catalogue)) for part in parts_of(text))
    return tuple((part, roster) for part, roster in found if roster.entries)


def _left(others: list[str]) -> tuple[Line, ...]:
    if not others:
        return ()
    message = _("This text holds %(number)d lists; the first was read.")
    return (say(message, number=len(others) + 1),)


def read_roster(text: str, catalogue: Catalogue) -> Roster:
    """The roster that one list means (TMG-05 to TMG-09). Any text gives one, if only of warnings."""
    code = code_in(text)
    if code is not None:
        return roster_of(code, catalogue)
    lines, beyond = lines_of(text)
    return Reader(catalogue).read(lines, beyond)


def read_entry(
    raw: object, catalogue: Catalogue, faction: str = "", commander: str = ""
) -> tuple[RosterEntry, tuple[Line, ...]]:
    """One unit typed by hand, and what to remark: a name, a cost if wanted, `with` and attachments."""
    (entry, *_others), remarks = _typed(raw, catalogue, faction, commander)
    return entry, remarks


def read_entries(
    raw: object, catalogue: Catalogue, faction: str = "", commander: str = ""
) -> tuple[RosterEntry, ...]:
    """The units typed by hand: one, several next to each other, or a number of the same such as `2x`."""
    entries, _remarks = _typed(raw, catalogue, faction, commander)
    return entries


def _typed(
    raw: object, catalogue: Catalogue, faction: str, commander: str
) -> tuple[tuple[RosterEntry, ...], tuple[Line, ...]]:
    lines, _beyond = lines_of(clean_note(raw))
    if not lines:
        raise Unreadable(say(_("Please write the name of a unit, such as “Stark Sworn Swords (5)”.")))
    return Reader(catalogue, faction, commander).read_typed(lines)


def write_roster(roster: Roster) -> str:
    """The roster in the form that army builders copy; `read_roster` gives an equal one back."""
    parts = [_heading(roster)]
    for title, kind in (("Combat Units", UNIT), ("Non Combat Units", NCU), ("Enemy Attachments", ENEMY)):
        entries = roster.of_kind(kind)
        if entries:
            parts.append("\n".join([title, *(line for entry in entries for line in _written(entry))]))
    return "\n\n".join(parts) + "\n"


def _heading(roster: Roster) -> str:
    lines = []
    if roster.faction:
        lines.append("Faction: " + FACTIONS[roster.faction].replace("'", ""))
    if roster.commander:
        lines.append(f"Commander: {roster.commander}")
    size = "" if roster.limit is None else f" / {roster.limit}"
    return "\n".join([*lines, f"Points: {roster.points}{size}", f"Activations: {roster.activations}"])


def _written(entry: RosterEntry) -> list[str]:
    lines = [f" • {_listed_name(entry)} ( {entry.cost} )"]
    return lines + [f"     {attachment.full_name} ( {attachment.cost} )" for attachment in entry.attachments]


def _listed_name(entry: RosterEntry) -> str:
    """The name to list: an NCU's sub-title is left out, unless the name alone would mean another card."""
    if entry.kind != NCU or entry.fact is None or (entry.fact.commander and not entry.commander):
        return entry.full_name
    return entry.name
