"""How the blocks of a list become cards: which are models, what each costs, what is remarked on."""

from __future__ import annotations

from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_name
from games.core.words import Term
from games.core.words import gettext_noop as _
from games.systems.bushido.lists.catalogue import FACTIONS, RONIN, Found, card_name, plain
from games.systems.bushido.lists.lines import MAX_COUNT, WarbandLine
from games.systems.bushido.lists.reader import Block, Draft
from games.systems.bushido.lists.warband import MODEL, REFERENCE, THEME, Card, Model
from games.systems.bushido.rules import figures

_QUOTED = 80


def lay_out(draft: Draft) -> None:
    """Turn every block of a draft into models and cards."""
    is_inclusive = _counts_what_is_below(draft)
    for block in draft.blocks:
        if block.section == THEME:
            _take_theme(draft, block)
        elif block.section not in ("", MODEL):
            _take_card(draft, block, block.section)
        elif _is_unit(block):
            _take_unit(draft, block)
        elif block.found is None and not block.has_form_of_card and not _is_beside(block):
            _remark_noise(draft, block.line)
        else:
            _take_model(draft, block, is_inclusive)


def _counts_what_is_below(draft: Draft) -> bool:
    """Whether this list's sums include the lines below them: then they alone make up its total."""
    return sum(block.rice for block in draft.blocks) == draft.total


def _is_unit(block: Block) -> bool:
    """Whether a card only names the models below it, which the catalogue lists one by one."""
    parts = [one for one in block.below if one.is_model and not _is_other_form(one, block)]
    if block.line.figures is not None or not parts or _is_beside(block):
        return False
    return (
        block.found is None
        or block.found.guessed
        or plain(block.found.profile.name) != plain(block.line.words)
    )


def _is_beside(block: Block) -> bool:
    """Whether an unknown card stands beside models and does not name them: their costs are not its own."""
    is_known = block.found is not None or block.line.rice is None
    if is_known or not any(one.is_model for one in block.below):
        return False
    prices = [one.line.rice for one in block.below]
    return None not in prices and sum(one.rice for one in block.below) != block.rice


def _is_other_form(one: Block, block: Block) -> bool:
    """Whether a card below another is only its other face: the same model in another form."""
    if one.found is None or block.found is None or " - " not in one.found.profile.name:
        return False
    return plain(card_name(one.found.profile.name)) == plain(card_name(block.found.profile.name))


# --- models ---------------------------------------------------------------------------------------


def _take_unit(draft: Draft, block: Block) -> None:
    """Take the models below a card's name; the first one carries whatever is not a model."""
    parts = [one for one in block.below if one.is_model]
    gear = [one for one in block.below if not one.is_model]
    for one, rice in zip(parts, _shared_rice(block, parts, gear), strict=True):
        draft.models.append(_model(draft, one, rice))
    for one in gear:
        _take_borne(draft, one, parts[0])


def _shared_rice(block: Block, parts: list[Block], gear: list[Block]) -> list[int]:
    """What each model of a card costs. A cost that only the card states goes to the first.

    If it is the catalogue's, with or without the gear, each model has its own.
    """
    known = [_known_rice(one) for one in parts]
    if block.line.rice is None or any(one.line.rice is not None for one in parts):
        return [each if one.line.rice is None else one.rice for one, each in zip(parts, known, strict=True)]
    if sum(known) in (block.rice, block.rice - sum(one.rice for one in gear)):
        return known
    return [block.rice, *(0 for _part in parts[1:])]


def _take_model(draft: Draft, block: Block, is_inclusive: bool) -> None:
    crew = [one for one in block.below if _is_of_the_card(one, block)]
    others = [one for one in block.below if one not in crew]
    count = sum(one.line.count for one in crew)
    model = _model(draft, block, _own_rice(draft, block, others, is_inclusive), count)
    draft.models.append(model)
    if block.line.count > 1 and not crew and block.line.figures is None and block.is_model:
        message = _("Line %(line)d: %(count)d times %(name)s; a warband has one copy of each card.")
        draft.remark(block.line.number, message, name=model.name, count=block.line.count)
    for one in others:
        if _is_other_form(one, block):
            _take_card(draft, one, REFERENCE, model.name)
        elif one.is_model:
            # What stands beside a card without a cost may have none stated either.
            is_priced = one.line.rice is not None or block.line.rice is not None
            draft.models.append(_model(draft, one, one.rice if is_priced else _known_rice(one)))
        else:
            _take_borne(draft, one, block)


def _is_of_the_card(one: Block, block: Block) -> bool:
    """Whether a line below a card names a model of that card: its name again, or with a letter."""
    if one.line.is_plain or one.line.rice is not None:
        return False
    own, card = plain(one.line.words), plain(block.line.words)
    return own.startswith(card) and len(own) <= len(card) + 1


def _own_rice(draft: Draft, block: Block, below: list[Block], is_inclusive: bool) -> int:
    """A card's cost without the lines below it; builders differ in what they print."""
    each = _known_rice(block)
    known = each * (block.line.count if block.line.figures is None else 1)
    if block.line.rice is None or block.rice in (known, each):
        return known
    less = block.rice - sum(one.rice for one in below)
    if block.found is None or block.found.guessed:
        return less if is_inclusive and less >= 0 else block.rice
    if known == less:
        return known
    message = _("Line %(line)d: %(name)s costs %(known)d rice in the catalogue, and %(stated)d in this list.")
    name = block.found.profile.name
    draft.remark(block.line.number, message, name=name, known=known, stated=block.rice)
    return block.rice


def _known_rice(block: Block) -> int:
    return block.found.profile.rice if block.found else 0


def _model(draft: Draft, block: Block, rice: int, count: int = 0) -> Model:
    """The model that a block means: the list's own figures, else the catalogue's."""
    line, number = block.line, count or block.line.count
    _remark_odd(draft, line)
    ki, cap, wounds = _stated_figures(draft, line)
    if block.found is None:
        message = _("Line %(line)d: “%(name)s” is not in the catalogue. Check its numbers.")
        if not (ki or cap or wounds):
            draft.remark(line.number, message, name=_shortened(line.words))
        return Model(_name(draft, line), rice, ki, cap, wounds, number, line.number)
    _remark_card(draft, line, block.found)
    card, guessed = block.found.profile, line.words if block.found.guessed else ""
    if not (ki or cap):
        ki, cap = card.ki, card.cap
    elif line.figures is not None and line.figures[0].endswith("/?"):
        cap = card.cap
    return Model(card.name, rice, ki, cap, wounds or card.wounds, number, line.number, guessed)


def _remark_card(draft: Draft, line: WarbandLine, found: Found) -> None:
    """Say so if a card was taken by likeness, or belongs to another faction."""
    card = found.profile
    if found.guessed:
        message = _("Line %(line)d: “%(name)s” is not in the catalogue; taken as %(card)s.")
        draft.remark(line.number, message, name=_shortened(line.words), card=card.name)
    if draft.faction in FACTIONS and card.faction not in (draft.faction, RONIN):
        message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
        draft.remark(line.number, message, card=card.name, faction=Term(card.faction))


# --- other cards ----------------------------------------------------------------------------------


def _take_theme(draft: Draft, block: Block) -> None:
    name = _name(draft, block.line)
    if draft.theme and plain(draft.theme) != plain(name):
        message = _("Line %(line)d: “%(name)s” is a second theme; a warband has one.")
        draft.remark(block.line.number, message, name=name)
        draft.held.append(Card(name, "card", block.rice, block.line.number))
        return
    draft.theme = name
    if block.rice:
        draft.held.append(Card(name, "card", block.rice, block.line.number))


def _take_card(draft: Draft, block: Block, kind: str, bearer: str = "") -> None:
    _remark_odd(draft, block.line)
    draft.held.append(Card(_name(draft, block.line), kind, block.rice, block.line.number, bearer))
    for one in block.below:
        _take_card(draft, one, kind, bearer)


def _take_borne(draft: Draft, block: Block, bearer: Block) -> None:
    name = bearer.found.profile.name if bearer.found else _shortened(bearer.line.words)
    _take_card(draft, block, "equipment", name)


# --- words ----------------------------------------------------------------------------------------


def _shortened(words: str) -> str:
    """Words cut to a length that a sentence can quote and a card can have as its name."""
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1].rstrip() + "…"


def _name(draft: Draft, line: WarbandLine) -> str:
    """A line's words as the name of a card, cut if they are too long for one."""
    try:
        return clean_name(line.words, PIECE_GRAPHEMES)
    except Unreadable:
        message = _("Line %(line)d: “%(name)s” is too long for a name and was cut.")
        draft.remark(line.number, message, name=_shortened(line.words))
    return _shortened("".join(c for c in line.words if c.isalnum() or c == " "))


def _remark_noise(draft: Draft, line: WarbandLine) -> None:
    draft.remark(line.number, _("Line %(line)d was not understood: “%(text)s”."), text=_shortened(line.text))


def _remark_odd(draft: Draft, line: WarbandLine) -> None:
    """Say which number of a line could not be taken."""
    messages = {
        "negative": _("Line %(line)d: “%(name)s” has a cost below zero. The cost was ignored."),
        "rice": _("Line %(line)d: “%(name)s” has an impossible cost. The cost was ignored."),
        "count": _("Line %(line)d: “%(name)s” cannot be so many models; 1 to %(most)d are allowed."),
    }
    if line.odd in messages:
        draft.remark(line.number, messages[line.odd], name=_shortened(line.words), most=MAX_COUNT)


def _stated_figures(draft: Draft, line: WarbandLine) -> tuple[str, str, str]:
    """Ki, cap and wounds as a line of the plain form states them; "" for what is missing or unreadable."""
    if line.figures is None:
        return "", "", ""
    gains, most = figures.split_ki(line.figures[0])
    wounds = figures.wounds(line.figures[1])
    if gains is None or most is None:
        message = _("Line %(line)d: “%(text)s” is no Ki such as 2/6. It was ignored.")
        draft.remark(line.number, message, text=_shortened(line.figures[0]))
        gains = most = ""
    if wounds is None:
        message = _("Line %(line)d: “%(text)s” are no wounds. They were ignored.")
        draft.remark(line.number, message, text=_shortened(line.figures[1]))
    return gains or "", most or "", wounds or ""
