"""A result as a form: what is asked about each player at a table, and what was sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.hall.organiser.settings_form import whole
from games.hall.pages import rounds
from games.hall.rules import results
from games.hall.rules.outcomes import pairing_of
from games.hall.rules.pieces import Gathering, Pairing
from games.history import commits
from games.view_models import Option
from games.view_models.organiser import Field, FieldGroup

DRAW = "draw"


def fields_of(g: Gathering, pairing: Pairing, sent: Mapping[str, str]) -> Iterator[FieldGroup]:
    """The fields of each player, filled with what is known or was typed."""
    labels = rounds.labels(g)
    for key in pairing.players:
        known = pairing.results.get(key, {})
        told = (_field(name, key, labels[name], known, sent) for name in results.asked(g))
        yield FieldGroup(g.called(key), tuple(told))


def rest_of(g: Gathering, pairing: Pairing, sent: Mapping[str, str], *, is_judge: bool) -> FieldGroup:
    """Who won if the points do not say, how the game ended, and, for a judge, other tournament points."""
    winner = sent.get("winner", _named(pairing))
    names = {key: g.called(key) for key in pairing.players}
    told = {"": _("as the points say"), **names, DRAW: _("a draw")}
    winners = tuple(Option(value, label, value == winner) for value, label in told.items())
    how = sent.get("how", pairing.how or "finished")
    hows = tuple(
        Option(slug, _(label), slug == how) for slug, label in results.HOWS.items() if slug != "left"
    )
    fields = [
        Field("winner", _("Winner"), "select", options=winners),
        Field("how", _("How it ended"), "select", options=hows),
    ]
    if is_judge:
        for key, name in names.items():
            label = _("Tournament points of %(name)s, if not as calculated") % {"name": name}
            fields.append(_field("points", key, label, pairing.results.get(key, {}), sent))
    return FieldGroup("", tuple(fields))


def _named(pairing: Pairing) -> str:
    """The winner that a result names against its points, as the choice in the form; "" for as they say."""
    if not pairing.results or pairing.winner == results.winner_by(pairing.results):
        return ""
    return pairing.winner or DRAW


def stated_in(sent: Mapping[str, str], g: Gathering, key: str) -> dict[str, Any]:
    """The result that a form states for a pairing. Raises `Unreadable` for what is no number."""
    pairing = commits.apply_rules(lambda: pairing_of(g, key))
    scores: dict[str, dict[str, int]] = {}
    labels = rounds.labels(g)
    for player in pairing.players:
        numbers = {}
        for name, (least, most) in results.NUMBERS.items():
            if told := sent.get(f"{name}-{player}", "").strip():
                numbers[name] = whole(f"{g.players[player].name}, {labels[name]}", told, least, most)
        scores[player] = numbers
    stated: dict[str, Any] = {"scores": scores, "how": sent.get("how", "")}
    if winner := sent.get("winner", ""):
        stated["winner"] = "" if winner == DRAW else winner
    return stated


def _field(name: str, key: str, label: str, known: Mapping[str, int], sent: Mapping[str, str]) -> Field:
    least, most = results.NUMBERS[name]
    value = sent.get(f"{name}-{key}", str(known.get(name, "")))
    return Field(f"{name}-{key}", label, "number", value, low=least, high=most)
