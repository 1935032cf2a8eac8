"""Armies made up by a seeded robot, and every form in which players carry a list about."""

from __future__ import annotations

import random
from base64 import b64encode, urlsafe_b64encode

from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    ENEMY,
    FACTIONS,
    NCU,
    NEUTRAL,
    UNIT,
    catalogue,
    plain,
)
from games.systems.tmg.lists.army_roster import Attachment, Roster, RosterEntry

CARDS = catalogue()
BULLETS = "•◦▪‣·●■◆►➤*-–—−"
DASHES = (" - ", " – ", " — ", " − ", "–")
COSTS = ("({})", "( {} )", "({} pts)", "[{}]", "({} points)")


def made_up(luck: random.Random) -> Roster:
    """An army of one faction with Neutral: each character once, one commander among the attachments."""
    faction = luck.choice(sorted(FACTIONS))
    own = [fact for fact in CARDS.facts if fact.faction == faction]
    mine = {plain(fact.full_name) for fact in own}
    shared = [f for f in CARDS.facts if f.faction == NEUTRAL and plain(f.full_name) not in mine]
    pool = [fact for fact in [*own, *shared] if not fact.commander]
    commander = luck.choice([fact for fact in own if fact.commander and fact.kind == ATTACHMENT])
    used = {plain(commander.name)}

    def pick(kind, most):
        for fact in luck.sample([f for f in pool if f.kind == kind], k=most):
            if not (fact.unique and plain(fact.name) in used) and not fact.joins_enemy:
                used.add(plain(fact.name))
                yield fact

    entries = []
    for fact in pick(UNIT, 5):
        leads = commander if not entries else None
        crew = [fact for fact in (leads, *pick(ATTACHMENT, luck.randint(0, 1))) if fact]
        attached = tuple(Attachment(0, f.name, f.title, f.cost, f, f is leads) for f in crew)
        entries.append(
            RosterEntry(0, fact.name, fact.title, fact.cost, UNIT, attached, fact, leads is not None)
        )
    entries += [RosterEntry(0, f.name, f.title, f.cost, NCU, (), f) for f in pick(NCU, luck.randint(0, 3))]
    enemies = [fact for fact in own if fact.joins_enemy and plain(fact.name) not in used]
    entries += [RosterEntry(0, f.name, f.title, f.cost, ENEMY, (), f) for f in enemies[: luck.randint(0, 1)]]
    points = sum(entry.points for entry in entries)
    active = sum(entry.kind != ENEMY for entry in entries)
    return Roster(faction, commander.full_name, points, 50, active, tuple(entries))


def write_roster(roster: Roster) -> str:
    """The roster in the form that army builders copy."""
    parts = [_written_heading(roster)]
    for title, kind in (("Combat Units", UNIT), ("Non Combat Units", NCU), ("Enemy Attachments", ENEMY)):
        entries = roster.of_kind(kind)
        if entries:
            parts.append("\n".join([title, *(line for entry in entries for line in _written_entry(entry))]))
    return "\n\n".join(parts) + "\n"


def _written_heading(roster: Roster) -> str:
    lines = []
    if roster.faction:
        lines.append("Faction: " + FACTIONS[roster.faction].replace("'", ""))
    if roster.commander:
        lines.append(f"Commander: {roster.commander}")
    size = "" if roster.limit is None else f" / {roster.limit}"
    return "\n".join([*lines, f"Points: {roster.points}{size}", f"Activations: {roster.activations}"])


def _written_entry(entry: RosterEntry) -> list[str]:
    lines = [f" • {_listed_name(entry)} ( {entry.cost} )"]
    return lines + [f"     {attachment.full_name} ( {attachment.cost} )" for attachment in entry.attachments]


def _listed_name(entry: RosterEntry) -> str:
    """The name to list: an NCU's sub-title is left out, unless the name alone would mean another card."""
    if entry.kind != NCU or entry.fact is None or (entry.fact.commander and not entry.commander):
        return entry.full_name
    return entry.name


def today(roster: Roster, luck: random.Random) -> str:
    """The list builder of today."""
    return write_roster(roster)


def of_2019(roster: Roster, luck: random.Random) -> str:
    """The builder of 2019: dashes of its own, attachments behind `with`, an advertisement."""
    return _written(roster, "•", " – ", "({})", "  with {}") + "\nMade with ASOIAFBuilder.com\n"


def by_hand(roster: Roster, luck: random.Random) -> str:
    """People's hands: any bullet, any dash, any bracket, curly quotes, shouting."""
    joined = luck.choice(("  with {}", "    {}", "\t{}", "  w/ {}", "  + {}"))
    text = _written(roster, luck.choice(BULLETS), luck.choice(DASHES), luck.choice(COSTS), joined)
    text = text.replace("'", luck.choice("'’‘´"))
    return text.upper() if luck.random() < 0.2 else text


def _written(roster: Roster, bullet: str, dash: str, cost: str, joined: str) -> str:
    def line(piece):
        name = f"{piece.name}{dash}{piece.title}" if piece.title else piece.name
        return f"{name} {cost.format(piece.cost)}"

    head = f"Faction: House {FACTIONS[roster.faction]}\nCommander: {roster.commander.replace(' - ', dash)}\n"
    text = [head, f"Points: {roster.points} | Activations: {roster.activations}"]
    for title, kind in (("Combat Units:", UNIT), ("Non-Combat Units:", NCU), ("Enemy Attachments:", ENEMY)):
        text += ["", title]
        for entry in roster.of_kind(kind):
            text += [f"{bullet} {line(entry)}", *(joined.format(line(one)) for one in entry.attachments)]
    return "\n".join(text) + "\n"


def shared(roster: Roster, luck: random.Random) -> str:
    """The publisher's app: a share code, in either alphabet, with or without padding."""
    octets = message(roster, name="Army No. 7")
    code = (b64encode if luck.random() < 0.5 else urlsafe_b64encode)(octets).decode()
    return code if luck.random() < 0.5 else code.rstrip("=")


def numbered(roster: Roster, luck: random.Random) -> str:
    """The simulator: the faction, and numbers with commas between."""
    numbers = [number for unit in units_of(roster) for number in unit] + others_of(roster)
    return f"{roster.faction};{','.join(map(str, numbers))}"


FORMS = (today, of_2019, by_hand, shared, numbered)


def units_of(roster: Roster) -> list[list[int]]:
    """The numbers of the units, each with those of its attachments."""
    return [
        [int(unit.fact.id), *(int(one.fact.id) for one in unit.attachments)] for unit in roster.of_kind(UNIT)
    ]


def others_of(roster: Roster) -> list[int]:
    return [int(entry.fact.id) for entry in (*roster.of_kind(NCU), *roster.of_kind(ENEMY))]


def message(roster: Roster, name: str = "") -> bytes:
    """The bytes of a share code."""
    number = next(n for n, faction in CARDS.factions_by_number.items() if faction == roster.faction)
    parts = [
        block(2, name.encode()),
        varint(3 << 3),
        varint(number),
        varint(4 << 3),
        varint(roster.limit or 0),
    ]
    for unit, *attached in units_of(roster):
        inner = varint(1 << 3) + varint(unit)
        packed = b"".join(map(varint, attached))
        parts.append(block(11, inner + (block(2, packed) if packed else b"")))
    parts += [varint(12 << 3) + varint(other) for other in others_of(roster)]
    return b"".join(parts)


def block(field: int, octets: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(octets)) + octets


def varint(number: int) -> bytes:
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])
