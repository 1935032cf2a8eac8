"""Statistics over matches: a page for each game, its tables as files, and everything as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core.system import System, system, systems
from games.core.words import gettext_noop as noop
from games.core.words import say, together
from games.match.verdict import RequestRefused
from games.record import asked, statistics, tables
from games.record.asked import Asked, Reading
from games.record.statistics import FEWEST, KEPT_SECONDS, Statistics
from games.translation import words
from games.views.access import refusing
from games.views.record.stat_tables import StatisticsInWords, few
from games.web import clients, limits


@require_safe
@refusing
def overview(request: HttpRequest) -> HttpResponse:
    """How many matches of each game are counted."""
    found = statistics.overview()
    most = max(matches for _slug, matches, _over in found) or 1
    rows = tuple(
        view_models.StatRow(
            _(system(slug).title),
            (str(matches), str(over)),
            view_models.Bar(round(100 * matches / most, 1)),
            reverse("statistics-game", args=[slug]),
        )
        for slug, matches, over in found
    )
    columns = ((0, _("Game")), (0, _("Matches")), (0, _("Finished")))
    table = view_models.StatTable(
        key="games",
        title=_("What is played"),
        note="",
        columns=columns,
        rows=rows,
        csv_url=reverse("statistics-games-csv"),
    )
    page = view_models.StatisticsPage(_("Statistics"), _home(), _about(), tables=(table,))
    return _kept(render(request, "record/statistics.html", {"page": page}))


@require_safe
def overview_csv(request: HttpRequest) -> HttpResponse:
    """How many matches of each game are counted, as a file."""
    return _file("games", tables.csv_text(("game", "matches", "finished"), statistics.overview()))


@require_safe
@refusing
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """The statistics of a game's matches; for a wrong query a sentence, and nothing is counted."""
    reading = _read(request, game)
    if not reading.errors and (refusal := _slow_down(request, reading.asked)):
        return refusal
    page = _page(system(game), reading)
    status = 422 if reading.errors else 200
    return _kept(render(request, "record/statistics.html", {"page": page}, status=status))


@require_safe
@refusing
def as_json(request: HttpRequest, game: str) -> HttpResponse:
    """All tables of a game for programs."""
    reading = _read(request, game)
    if reading.errors:
        fault = {"error": "invalid", "message": together(map(words, reading.errors.values())), "rule": None}
        return JsonResponse(fault, status=422)
    if refusal := _slow_down(request, reading.asked):
        return refusal
    content = tables.as_json(reading.asked, statistics.statistics(reading.asked))
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return _kept(HttpResponse(text, content_type="application/json"))


@require_safe
@refusing
def as_csv(request: HttpRequest, game: str, table: str) -> HttpResponse:
    """One table of a game as a file."""
    reading = _read(request, game)
    if table not in tables.TABLES:
        raise RequestRefused(say(noop("There is no table of this name.")), 404, "unknown")
    for line in reading.errors.values():
        raise RequestRefused(line, 422, "invalid")
    if refusal := _slow_down(request, reading.asked):
        return refusal
    plain, found = tables.TABLES[table], statistics.statistics(reading.asked)
    return _kept(_file(f"{game}-{table}", tables.csv_text(plain.columns, plain.rows(found))))


def _read(request: HttpRequest, game: str) -> Reading:
    if game not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    translation.activate_game(game)
    return asked.read(system(game), request.GET)


def _slow_down(request: HttpRequest, wanted: Asked) -> HttpResponse | None:
    """Limit how often new numbers are counted: that keeps the database busy; recent numbers are free."""
    if statistics.is_known(wanted):
        return None
    return limits.too_fast(request, limits.STATISTICS, clients.address(request))


# --- the page -------------------------------------------------------------------------------------


def _page(game: System, reading: Reading) -> view_models.StatisticsPage:
    query = _query(reading.asked)
    base = view_models.StatisticsPage(
        _(game.title),
        view_models.Link(reverse("statistics"), _("Statistics")),
        _about(),
        fields=tuple(_fields(game, reading)),
        form_url=reverse("statistics-game", args=[game.slug]),
        json_url=reverse("statistics-json", args=[game.slug]) + query,
        is_narrow=bool(query),
        errors=tuple(map(words, reading.errors.values())),
    )
    return base if reading.errors else _with_numbers(base, game, statistics.statistics(reading.asked), query)


def _with_numbers(
    base: view_models.StatisticsPage, game: System, found: Statistics, query: str
) -> view_models.StatisticsPage:
    urls = {name: reverse("statistics-csv", args=[game.slug, name]) + query for name in tables.TABLES}
    in_words = StatisticsInWords(game, found, urls)
    is_few = found.matches and found.finished < FEWEST
    return replace(
        base,
        figures=tuple(in_words.figures()),
        tables=tuple(in_words.tables()),
        few=few(found.finished) if is_few else "",
    )


def _fields(game: System, reading: Reading) -> Iterable[view_models.StatField]:
    """The form as it was sent; a field that could not be read says so."""
    wanted, errors = reading.asked, {name: words(line) for name, line in reading.errors.items()}
    modes = [(mode.slug, _(mode.title)) for mode in game.modes]
    if len(modes) > 1:
        yield _choice("mode", _("Mode"), _("All modes"), modes, wanted.mode, errors)
    factions = [(key, _(title)) for key, title in asked.factions_of(game).items()]
    yield _choice("faction", _(game.faction_word), _("All"), factions, wanted.faction, errors)
    for name, label in (("since", _("From")), ("until", _("To"))):
        typed = reading.typed.get(name, "")
        yield view_models.StatField(name, label, typed, error=errors.get(name, ""))
    every = [("any", _("Also those that go on"))]
    is_any = "any" if wanted.is_any else ""
    yield _choice("which", _("Which matches"), _("Finished ones"), every, is_any, errors)


def _choice(
    name: str, label: str, usual: str, options: Iterable[tuple[str, str]], chosen: str, errors: dict[str, str]
) -> view_models.StatField:
    offered = [("", usual), *options]
    found = tuple(view_models.Option(value, title, value == chosen) for value, title in offered)
    return view_models.StatField(name, label, chosen, found, errors.get(name, ""))


def _query(wanted: Asked) -> str:
    told = {
        "mode": wanted.mode,
        "faction": wanted.faction,
        "since": wanted.since.isoformat() if wanted.since else "",
        "until": wanted.until.isoformat() if wanted.until else "",
        "which": "any" if wanted.is_any else "",
    }
    sent = urlencode({name: value for name, value in told.items() if value})
    return f"?{sent}" if sent else ""


def _home() -> view_models.Link:
    return view_models.Link(reverse("home"), _("Home"))


def _about() -> str:
    """The sentence that says what the numbers are about."""
    return _("Counted from public tables only. Demo tables are left out, and nobody is named.")


# --- answers --------------------------------------------------------------------------------------


def _kept(response: HttpResponse) -> HttpResponse:
    """Let browsers keep the numbers for a minute: only their language depends on the reader."""
    patch_cache_control(response, private=True, max_age=KEPT_SECONDS)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _file(name: str, text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="roundtable-{name}.csv"'
    return response
