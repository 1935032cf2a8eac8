"""Opens matches for robots, all seats at once, each with an army. Once for each key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from games.api.schemas import Opening
from games.core import Line, Mode, RequestRefused, System, clean_int, name_key, say, system
from games.core import gettext_noop as _
from games.match import play
from games.models import Match, Seat
from games.pages.common import validated
from games.people import seats
from games.web import address_for_others

_ONE_WORD = re.compile(r"\S{1,60}")


@transaction.atomic
def open_by_key(wanted: Opening, opened_from: str = "") -> tuple[Match, bool]:
    """The match, and whether the same request opened it earlier."""
    payload = json.dumps(wanted.model_dump(exclude={"key"}), sort_keys=True)
    earlier = play.opened_earlier(wanted.key, payload)
    return (earlier, True) if earlier else (open_with_armies(wanted, opened_from, payload), False)


def open_with_armies(wanted: Opening, opened_from: str = "", payload: str = "") -> Match:
    """A new match with its armies brought; `RequestRefused` (422) writes nothing."""
    game = _game(wanted.system)
    mode = _mode(game, wanted.mode)
    names = _names(game, [seat.name for seat in wanted.seats])
    options = _options(game, wanted.options)
    armies = list(_armies(game, [seat.army for seat in wanted.seats]))
    with transaction.atomic():
        match = play.open_match(
            game.slug,
            mode.slug,
            names,
            options,
            is_listed=wanted.listed,
            opened_from=opened_from,
            key=wanted.key,
            payload=payload,
        )
        for seat, (kind, army) in zip(names, armies, strict=True):
            _bring(match.code, seat, kind, army)
    match.refresh_from_db()
    return match


def claims(request: HttpRequest, match: Match) -> list[dict[str, str]]:
    """Each seat with its bearer token and its one-time link, as they were when the match was opened."""
    chairs = list(Seat.objects.select_related("match").filter(match=match))
    for seat in chairs:
        # A repeated request must not give back a seat that was taken away since: no secret has both this
        # epoch and its new salt.
        seat.epoch = 1
    return [
        {
            "seat": seat.key,
            "token": seats.api_token(seat),
            "link": address_for_others(
                request, reverse("claim", args=[match.code, seat.key, seats.link_secret(seat)])
            ),
        }
        for seat in chairs
    ]


def _bring(code: str, seat: str, kind: str, army: str) -> None:
    try:
        if kind == "demo":
            version = Match.objects.only("version").get(code=code).version
            play.tap(code, seat, f"demo:{army}", version, "")
        elif kind == "list":
            play.bring(code, seat, army, "")
    except RequestRefused as refused:
        raise RequestRefused(refused.line, 422, "unreadable", refused.rule) from refused


def _game(slug: str) -> System:
    try:
        return system(slug)
    except KeyError:
        raise _unknown(say(_("This server knows no such game."))) from None


def _mode(game: System, slug: str) -> Mode:
    try:
        return game.mode(slug)
    except KeyError:
        raise _unknown(say(_("This game has no such mode."))) from None


def _names(game: System, names: list[str]) -> dict[str, str]:
    """Names by seat, in the order of the table."""
    fewest, most = game.seat_range
    if not fewest <= len(names) <= most:
        line = _("This game is played by %(fewest)s to %(most)s players.")
        raise _unknown(say(line, fewest=fewest, most=most))
    alike = [name_key(name) for name in names if name]
    if len(set(alike)) < len(alike):
        raise _unknown(say(_("Two players cannot have the same name.")))
    return dict(zip(game.seat_names, names, strict=False))


def _options(game: System, wanted: dict[str, int]) -> dict[str, int]:
    for name, value in wanted.items():
        if name not in game.options:
            raise _unknown(say(_("This game has no such option.")))
        _default, low, high = game.options[name]
        validated(clean_int, value, low, high)
        if not game.may_be(name, value):
            raise _unknown(say(_("This option has no such value.")))
    return wanted


def _armies(game: System, wanted: list[str | None]) -> Iterator[tuple[str, str]]:
    """How each seat's army is brought: ("demo", slug), ("list", text), or ("", "") if there are none."""
    demos = list(game.demo_armies())
    for at, army in enumerate(wanted):
        if army is None:
            yield ("demo", demos[at % len(demos)]) if demos else ("", "")
        elif army in demos:
            yield "demo", army
        elif _ONE_WORD.fullmatch(army):
            raise _unknown(say(_("There is no sample army of this name.")))
        else:
            yield "list", army


def _unknown(line: Line) -> RequestRefused:
    return RequestRefused(line, 422, "unknown_choice")
