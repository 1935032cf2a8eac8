"""Remarks on a whole warband once it is read. None of them refuses anything: rice only warns."""

from __future__ import annotations

from dataclasses import replace

from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.bushido.lists.catalogue import FACTIONS, RONIN, plain
from games.systems.bushido.lists.headings import is_other_game
from games.systems.bushido.lists.reader import Draft
from games.systems.bushido.lists.warband import REFERENCE, Card, Model, Warband

MAX_MODELS = 200


def checked(draft: Draft) -> Warband:
    """The finished warband, and every remark in the order of the lines."""
    _check_game(draft)
    _check_faction(draft)
    _check_copies(draft)
    _check_size(draft)
    _check_rice(draft)
    return Warband(
        draft.faction,
        draft.theme,
        draft.limit,
        draft.total,
        tuple(draft.models),
        tuple(draft.held),
        tuple(sorted(draft.remarks, key=lambda remark: remark[0])),
        draft.name,
    )


OVER = _("%(rice)s rice, in a match of %(limit)s.")


def over(rice: int, limit: int) -> tuple[tuple[int, Line], ...]:
    """A remark on too much rice for this match; rice only warns."""
    return ((0, say(OVER, rice=rice, limit=limit)),) if rice > limit else ()


def _check_game(draft: Draft) -> None:
    if is_other_game(draft.game):
        message = _("Line %(line)d: this is a list of another game: %(game)s.")
        draft.remark(draft.game_line, message, game=draft.game[:80])


def _check_faction(draft: Draft) -> None:
    if draft.faction == RONIN:
        message = _("Line %(line)d: Ronin are hired; a warband has a faction of its own.")
        draft.remark(draft.faction_line, message)
    elif draft.faction not in ("", *FACTIONS):
        message = _("Line %(line)d: there is no faction “%(name)s”.")
        draft.remark(draft.faction_line, message, name=draft.faction)


def _check_copies(draft: Draft) -> None:
    """A warband has one copy of each card, models and others alike."""
    first: dict[str, int] = {}
    pieces: list[Model | Card] = [*draft.models]
    pieces += [card for card in draft.held if card.kind != REFERENCE]
    for piece in pieces:
        seen = first.setdefault(plain(piece.name), piece.line)
        if seen != piece.line:
            message = _("Line %(line)d: %(name)s is already in this warband (line %(first)d).")
            draft.remark(piece.line, message, name=piece.name, first=seen)


def _check_size(draft: Draft) -> None:
    """No table holds more than `MAX_MODELS` models; the counts of the last ones are cut."""
    if sum(model.count for model in draft.models) <= MAX_MODELS:
        return
    message = _("Line %(line)d: this warband has more than %(most)d models; some were left out.")
    draft.remark(draft.models[-1].line, message, most=MAX_MODELS)
    spare = MAX_MODELS - len(draft.models)
    for at, model in enumerate(draft.models):
        extra = min(model.count - 1, spare)
        draft.models[at] = replace(model, count=1 + extra)
        spare -= extra


def _check_rice(draft: Draft) -> None:
    rice = sum(model.rice for model in draft.models) + sum(card.rice for card in draft.held)
    if draft.total is not None and rice != draft.total:
        message = _("Line %(line)d: the list states %(total)d rice, but its cards add up to %(sum)d.")
        draft.remark(draft.total_line, message, total=draft.total, sum=rice)
    if draft.limit and max(rice, draft.total or 0) > draft.limit:
        message = _("Line %(line)d: the list costs %(rice)d rice and was built for %(limit)d.")
        draft.remark(draft.limit_line, message, rice=max(rice, draft.total or 0), limit=draft.limit)
