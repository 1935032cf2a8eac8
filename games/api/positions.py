"""A match as JSON for a seat or a spectator, as shown by GET, every accepted action and the stream."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import parse_etags
from django.utils.translation import get_language

from games import core, translation
from games.api.errors import json_text
from games.core import Offer, State, fingerprint, plain, together
from games.history import logbook
from games.live.hub import Audience
from games.match import log
from games.models import Entry, Match
from games.pages.table.boards import html
from games.pages.table.loaded import Table
from games.results import result_of
from games.translation import words
from games.web import tag

VIEW = "json"
"""The kind of view, among the streams' audiences, that is shown as JSON."""


def audience_json(table: Table, audience: Audience) -> str:
    """A loaded table as JSON for an audience, in its language."""
    with translation.override_game(table.match.system, audience.language):
        return json_text(position(table, audience.seats[0] if audience.seats else None))


def show(match: Match) -> None:
    """Draw a match as spectators will see it, in every language; raises what keeps it from being shown."""
    result_of(match)
    for language, _title in settings.LANGUAGES:
        audience_json(Table(match), Audience((), language, VIEW))
        html(Table(match), Audience((), language, "table"))


def position(table: Table, seat: str | None) -> dict[str, Any]:
    """Everything a seat (None: a spectator) may know about a table; sentences in the active language."""
    translation.activate_game(table.match.system)
    match, seen = table.match, core.view(table.state, seat)
    return {
        "code": match.code,
        "version": match.version,
        "since": match.since,
        "system": match.system,
        "mode": match.mode,
        "ruleset": _ruleset(seen.rules),
        "round": seen.round,
        "seat": seat,
        "question": _question(seen, seat),
        "to_act": list(table.awaited),
        "offers": [offer_json(offer) for offer in table.offers(seat or "")],
        "table": seen.to_json(),
        "derived": plain(table.game.derived_facts(seen, seat)),
        "scores": {key: seen.points(key) for key in seen.seats},
        "problems": [words(line) for line in core.problems(seen)],
        "log": [entry_json(entry, seat) for entry in table.recent],
        "result": seen.result,
        "commitment": core.commitment(match.seed),
        "take_back": _undo_request(match, seat),
        "altered": _altered(table),
    }


def etag(match: Match, seat: str | None) -> str:
    """A tag that changes whenever the JSON for this reader does."""
    return f'W/"{tag(match.version, match.chain, seat or "watch", get_language() or "en")}"'


def is_known(request: HttpRequest, tag: str) -> bool:
    """Whether the caller says that it already has exactly this answer."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return tag.removeprefix("W/") in {one.removeprefix("W/") for one in known}


def offer_json(offer: Offer) -> dict[str, Any]:
    """An offer without its empty members; if it has `min` and `max`, `:` and a number follow its action."""
    shown: dict[str, Any] = {"action": offer.action, "label": words(offer.label), "style": offer.style}
    if offer.minimum is not None:
        shown |= {"min": offer.minimum, "max": offer.maximum}
    if offer.detail is not None:
        shown["detail"] = words(offer.detail)
    if offer.instead_of is not None:
        shown["instead_of"] = words(offer.instead_of)
    more = {"about": offer.about, "value": offer.value, "on": offer.on, "group": offer.group or None}
    return shown | {name: value for name, value in more.items() if value is not None}


def entry_json(entry: Entry, seat: str | None) -> dict[str, Any]:
    """A line of the history, in sentences, as a seat (None: a spectator) may read it."""
    return {
        "version": entry.version,
        "kind": entry.kind,
        "seat": entry.seat or None,
        "author": entry.author,
        "round": entry.round,
        "path": entry.path or None,
        "action": entry.action,
        "lines": [words(line) for line in logbook.lines_for(entry, seat)],
        "final": entry.is_final,
        "undone": hasattr(entry, "undone_by"),
    }


def _ruleset(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules that this match keeps, by name and fingerprint; `table` holds them in full."""
    title, version = rules.get("title", ""), rules.get("version", "")
    return {"title": title, "version": version, "hash": fingerprint(rules)}


def _question(seen: State, seat: str | None) -> dict[str, Any] | None:
    step = core.step_of(seen)
    if step is None:
        return None
    return {
        "step": step.name,
        "number": seen.question.number,
        "about": list(seen.question.about),
        "title": words(step.asking(seen, seat)),
        "help": words(step.helping(seen, seat)),
        "rule": step.resting_on(seen) or None,
    }


def _altered(table: Table) -> dict[str, Any] | None:
    """What was changed outside the game and has to be decided, and the seats that have yet to agree to it."""
    altered = table.match.altered
    if not altered:
        return None
    return {
        "seats": log.seats_of(altered["places"]),
        "seed": log.SEED in altered["places"],
        "can_restore": bool(altered["restorable"]),
        "lines": [words(line) for line in log.altered_sentences(table.state, altered)],
        "agreed": altered["agreed"],
    }


def _undo_request(match: Match, seat: str | None) -> dict[str, Any] | None:
    """What somebody asks to undo, and which seats have yet to agree."""
    asked = match.undo_request
    if asked is None:
        return None
    entries = Entry.objects.filter(match=match, version__in=asked["versions"]).order_by("-version")
    return {
        "by": asked["by"] or None,
        "versions": asked["versions"],
        "actions": [together(words(line) for line in logbook.lines_for(entry, seat)) for entry in entries],
        "waits_for": [key for key in asked["needs"] if key not in asked["agreed"]],
    }
