"""Warbands made up by a seeded robot, and every form in which players carry a list about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from xml.sax.saxutils import escape

from games.systems.bushido.lists.warband_cards import FACTIONS, RONIN, Profile, card_name, catalogue
from games.systems.bushido.lists.warband_grammar import Card, Model, Warband

MODELS = catalogue()
GEAR = ("Fan of Steel", "Rope and Hook", "Third Lantern", "Ink Brush", "Paper Charm", "Oiled Cloak")
EVENTS = ("Sudden Rain", "Bells at Midnight", "Old Debt", "Broken Bridge")
THEMES = ("", "The Long Night", "Blood of the Dragon", "Oath at Dawn")
BULLETS = "•◦▪‣·●■◆►➤*-–—−"
TWINS = tuple(
    tuple(one for one in MODELS.profiles if one.faction == RONIN and card_name(one.name) == name)
    for name in ("Golden Sentinel", "Silverback", "Giant Eagle", "Nightwing Swarm", "Plainsmen Falconer")
)
_WRITTEN_HEADINGS = {
    "equipment": "Equipment Cards",
    "enhancement": "Enhancement Cards",
    "event": "Event Cards",
    "terrain": "Terrain Cards",
    "communal": "Communal Cards",
    "curse": "Curse Cards",
    "reference": "Reference Cards",
    "card": "Other Cards",
}


def written(warband: Warband) -> str:
    """The warband in lines of `name;rice;Ki/cap;wounds;count` ; below each, what it carries."""
    parts = ["\n".join(_written_headers(warband)), "\n".join(["+ Models +", *_model_lines(warband)])]
    for kind, called in _WRITTEN_HEADINGS.items():
        cards = [card for card in warband.held if card.kind == kind and not _is_borne(warband, card)]
        if cards:
            parts.append("\n".join([f"+ {called} +", *(card_line(card.name, card.rice) for card in cards)]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _model_lines(warband: Warband) -> Iterator[str]:
    for model in warband.models:
        yield model_line(model)
        for card in warband.held:
            if card.bearer == model.name and _is_borne(warband, card):
                yield f"  {card_line(card.name, card.rice)}"


def _is_borne(warband: Warband, card: Card) -> bool:
    return card.kind == "equipment" and any(card.bearer == model.name for model in warband.models)


def _written_headers(warband: Warband) -> list[str]:
    named = (("Faction", warband.faction), ("Theme", warband.theme), ("Name", warband.name))
    limit = () if warband.limit is None else (f"Limit: {warband.limit}",)
    return [*(f"{key}: {value}" for key, value in named if value), *limit]


def model_line(model: Model) -> str:
    """One model in the plain form."""
    ki = f"{model.ki or '–'}/{model.cap or '–'}" if model.ki or model.cap else "–"
    return f"{_safe(model.name)};{model.rice};{ki};{model.wounds};{model.count}"


def card_line(name: str, rice: int) -> str:
    """One other card in the plain form."""
    return f"{_safe(name)};{rice}"


def _safe(name: str) -> str:
    """A name without the character that separates a line's fields."""
    return name.replace(";", ",")


def made_up(luck: random.Random) -> Warband:
    """A warband of one faction with Ronin: each card once, some with gear, perhaps a pair of twins."""
    faction = luck.choice([name for name in FACTIONS if name != RONIN])
    own = [one for one in MODELS.profiles if one.faction == faction and one.rice and _is_alone(one)]
    hired = [one for one in MODELS.profiles if one.faction == RONIN and one.rice and _is_alone(one)]
    names = {one.name for one in own}
    chosen = luck.sample(own, k=min(len(own), luck.randint(2, 6)))
    chosen += [one for one in luck.sample(hired, k=luck.randint(0, 2)) if one.name not in names]
    gear = list(luck.sample(GEAR, k=len(GEAR)))
    models, held = [], []
    for one in chosen:
        models.append(_model(one))
        if luck.random() < 0.3:
            held.append(Card(gear.pop(), "equipment", luck.randint(1, 4), 0, one.name))
    if luck.random() < 0.3:
        models += [_model(one) for one in luck.choice(TWINS)]
    held += [Card(name, "event", luck.randint(0, 3), 0) for name in luck.sample(EVENTS, k=luck.randint(0, 2))]
    limit = luck.choice((None, 70, 100, 300))
    band = Warband(faction, luck.choice(THEMES), limit, None, tuple(models), tuple(held))
    return replace(band, total=band.rice)


def _is_alone(one: Profile) -> bool:
    """Whether it is the only model of its card, so that any builder writes it by its own name."""
    return card_name(one.name) == one.name and one.name.count("&") == 0


def _model(one: Profile) -> Model:
    return Model(one.name, one.rice, one.ki, one.cap, one.wounds, 1, 0)


def cards_of(band: Warband) -> list[list[Model]]:
    """The models by card: twins together, all others alone."""
    found: dict[str, list[Model]] = {}
    for model in band.models:
        found.setdefault(card_name(model.name), []).append(model)
    return list(found.values())


def borne(band: Warband, model: Model) -> list[Card]:
    return [card for card in band.held if card.bearer == model.name]


def apart(band: Warband) -> list[Card]:
    return [card for card in band.held if not card.bearer]


def battlescribe(band: Warband, luck: random.Random) -> str:
    """The text that BattleScribe shares to a chat: what a card holds counts in its sum."""
    text = [f"++ Risen Sun ({band.faction}) [{band.total}{_of(band)} Rice] ++", ""]
    if band.theme:
        text += ["+ Faction Theme Cards +", "", band.theme, ""]
    text += ["+ Faction Profile Cards +", ""]
    for twins in cards_of(band):
        text += [*_entry(band, twins, ". {}", inclusive=True), ""]
    if apart(band):
        text += ["+ Faction Event Cards +", ""]
        text += [f"{card.name} [{card.rice} Rice]" if card.rice else card.name for card in apart(band)]
    return "\n".join([*text, "", f"++ Total: [{band.total} Rice] ++", "", "Created with BattleScribe"]) + "\n"


def newrecruit(band: Warband, luck: random.Random) -> str:
    """The simple text of New Recruit."""
    text = [f"{band.faction} - List No. 7 - [{band.total} Rice]", ""]
    text.append(f"# ++ Risen Sun ++ [{band.total}{_of(band)} Rice]")
    if band.theme:
        text += ["## Faction Theme Cards", band.theme]
    text.append(f"## Faction Profile Cards [{sum(model.rice for model in band.models)} Rice]")
    for twins in cards_of(band):
        text += _entry(band, twins, "• {}", inclusive=luck.random() < 0.5)
    if apart(band):
        text += ["## Faction Event Cards", *(f"{card.name} [{card.rice} Rice]" for card in apart(band))]
    return "\n".join(text) + "\n"


def dashes(band: Warband, luck: random.Random) -> str:
    """People's hands: any bullet, any bracket, any quote, no macrons."""
    bullet, cost = luck.choice(BULLETS), luck.choice(("({})", "[{}]", "{} rice", "- {} pts", "({} Rice)"))
    text = [f"Faction: {band.faction} | Total: {band.total}"]
    text += [f"Theme: {band.theme}"] if band.theme else []
    text += [f"Limit: {band.limit}"] if band.limit else []
    for model in band.models:
        text.append(f"{bullet} {model.name} {cost.format(model.rice)}")
        text += [f"    {bullet} {card.name} {cost.format(card.rice)}" for card in borne(band, model)]
    if apart(band):
        text += ["Event Cards:", *(f"{bullet} {card.name} {cost.format(card.rice)}" for card in apart(band))]
    found = ("\n".join(text) + "\n").replace("'", luck.choice("'’‘´"))
    return found.replace("ō", luck.choice("ōo")).replace("ū", luck.choice("ūu"))


def plain(band: Warband, luck: random.Random) -> str:
    """Our own lines with semicolons."""
    return written(band) + f"\nTotal: {band.total}\n"


def document(band: Warband, luck: random.Random) -> str:
    """The roster as BattleScribe saves it."""
    theme = selection(band.theme, 0, "upgrade", "Faction Theme Cards") if band.theme else ""
    body = "".join(_card(band, twins) for twins in cards_of(band))
    events = "".join(selection(one.name, one.rice, "upgrade", "Faction Event Cards") for one in apart(band))
    limit = f"<costLimits>{_cost(band.limit, 'costLimit')}</costLimits>" if band.limit else ""
    return roster(theme + body + events, band.faction, f"<costs>{_cost(band.total)}</costs>{limit}")


FORMS = (battlescribe, newrecruit, dashes, plain, document)


# --- parts ----------------------------------------------------------------------------------------


def _of(band: Warband) -> str:
    return f"/{band.limit}" if band.limit else ""


def _entry(band: Warband, twins: list[Model], below: str, *, inclusive: bool) -> list[str]:
    rice = sum(model.rice for model in twins)
    gear = borne(band, twins[0])
    stated = rice + sum(card.rice for card in gear) * inclusive
    options = ": " + ", ".join(f"{card.name} [{card.rice} Rice]" for card in gear) if gear else ""
    name = card_name(twins[0].name) if len(twins) > 1 else twins[0].name
    lines = [below.format(model.name) for model in twins] if len(twins) > 1 else []
    return [f"{name} [{stated} Rice]{options}", *lines]


def _card(band: Warband, twins: list[Model]) -> str:
    gear = "".join(selection(card.name, card.rice, "upgrade") for card in borne(band, twins[0]))
    if len(twins) == 1:
        return selection(twins[0].name, twins[0].rice, "model", "Faction Profile Cards", gear, twins[0])
    inside = "".join(selection(one.name, one.rice, "model", "", "", one) for one in twins)
    return selection(card_name(twins[0].name), 0, "unit", "Ronin Profile Cards", inside)


def selection(
    name: str, rice: object, kind: str, category: str = "", inside: str = "", model: Model | None = None
) -> str:
    """One selection of a roster, with its figures if it is a model."""
    heading = f'<categories><category name="{category}" primary="true"/></categories>' if category else ""
    profiles = f"<profiles>{profile(model)}</profiles>" if model else ""
    within = f"<selections>{inside}</selections>" if inside else ""
    return (
        f'<selection name="{_quoted(name)}" number="1" type="{kind}">{within}{profiles}'
        f"<costs>{_cost(rice)}</costs>{heading}</selection>"
    )


def profile(model: Model) -> str:
    """The figures of a model as rosters have them: wounds with their track."""
    wounds = f"{model.wounds} {'O' * int(model.wounds)}" if model.wounds.isdigit() else model.wounds
    stated = {"Melee Pool": "3", "Ki": model.ki, "Ki Cap": model.cap, "Wounds": wounds}
    inside = "".join(f'<characteristic name="{key}">{text}</characteristic>' for key, text in stated.items())
    return (
        f'<profile name="{_quoted(model.name)}" typeName="Character Profile">'
        f"<characteristics>{inside}</characteristics></profile>"
    )


def roster(selections: str, faction: str, costs: str = "", game: str = "Bushido: Risen Sun") -> str:
    """A whole document around selections."""
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<roster name="" gameSystemName="{_quoted(game)}" xmlns="http://www.battlescribe.net/schema/rosterSchema">'
        f'{costs}<forces><force name="Risen Sun" catalogueName="{_quoted(faction)}">'
        f"<selections>{selections}</selections></force></forces></roster>"
    )


def _cost(rice: object, tag: str = "cost") -> str:
    return f'<{tag} name=" Rice" typeId="a111" value="{rice}.0"/>'


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})
