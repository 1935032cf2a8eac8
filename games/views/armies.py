"""Bringing an army: paste it, correct every line, or take a ready one; again and again until ready."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import board, limits, play, seats, shapes, sheets
from games.core import gates
from games.core.system import Listed, Roster, RosterRow, system
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.models import Match
from games.play import Refused
from games.views.access import back_to, cleaned, match_of, refusing
from games.views.words import words

MOST_ROWS = 200


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusing
def army(request: HttpRequest, code: str, seat: str) -> HttpResponse:
    """The list of one seat of this phone."""
    match = match_of(code)
    seats.phone(request, match.code).seat(seat)
    if not system(match.system).brings_armies:
        raise Refused(say(noop("This game needs no army list.")), 404, "unknown")
    if request.method != "POST":
        return render(request, "lists.html", {"page": _page(match, seat)})
    if refusal := limits.too_fast(request, limits.TAPS, f"{match.code}/{seat}"):
        return refusal
    try:
        if lists := _to_choose_from(request, match):
            page = _page(match, seat, typed=request.POST["text"], lists=lists)
            return render(request, "lists.html", {"page": page})
        done = _do(request, match, seat)
    except Refused as refused:
        notice = shapes.Notice(words(refused.line), "bad")
        page = _page(match, seat, typed=request.POST.get("text", ""), notice=notice)
        return render(request, "lists.html", {"page": page}, status=refused.status)
    return HttpResponseRedirect(reverse("table" if done else "army", args=[code] if done else [code, seat]))


def _do(request: HttpRequest, match: Match, seat: str) -> bool:
    """Carry out the pressed button; answers whether the army is complete."""
    code, version = match.code, match.version
    roster = system(match.system).roster(board.load(match).state, seat)
    if demo := request.POST.get("demo", ""):
        _take_demo(match, seat, demo, instead=roster is not None)
        return False
    wanted = request.POST.get("do", "read")
    if wanted == "read":
        play.bring(code, seat, _pasted(request, match), play.new_key())
        return False
    kinds = list(roster.kinds) if roster else []
    rows = _rows(request, kinds)
    if wanted == "add":
        rows.append(RosterRow(_("New unit"), kind=kinds[0] if kinds else ""))
    if rows != (list(roster.rows) if roster else []):
        version = play.amend(code, seat, rows, play.new_key()).version
    if wanted != "ready":
        return False
    play.tap(code, seat, "ready", version, play.new_key())
    return True


def _to_choose_from(request: HttpRequest, match: Match) -> tuple[Listed, ...]:
    """The lists of a text that holds several, if nobody has said which of them to bring."""
    post = request.POST
    if post.get("demo") or post.get("choice") or post.get("do", "read") != "read":
        return ()
    lists = _lists(match, cleaned(gates.clean_text, post.get("text", "")))
    return lists if len(lists) > 1 else ()


def _lists(match: Match, text: str) -> tuple[Listed, ...]:
    state = board.load(match).state
    state.sheets = sheets.current(match.system)
    return system(match.system).lists(state, text)


def _pasted(request: HttpRequest, match: Match) -> str:
    """The pasted text, or that of the list which was chosen from it."""
    text = cleaned(gates.clean_text, request.POST.get("text", ""))
    choice = request.POST.get("choice", "")
    if not choice:
        return text
    lists = _lists(match, text)
    if not lists:
        return text
    return lists[cleaned(gates.clean_int, choice, 0, len(lists) - 1)].text


def _take_demo(match: Match, seat: str, demo: str, *, instead: bool) -> None:
    """Bring a ready army; what was brought before goes only if there is one to take its place."""
    if demo not in system(match.system).demo_armies():
        raise Refused(say(noop("Choose one of the armies.")), 422, "malformed")
    version = match.version
    with transaction.atomic():
        if instead:
            version = play.tap(match.code, seat, "another", version, play.new_key()).version
        play.tap(match.code, seat, f"demo:{demo}", version, play.new_key())


def _rows(request: HttpRequest, kinds: list[str]) -> list[RosterRow]:
    """The rows as corrected in the form, those left out dropped, what joins them renumbered."""
    post = request.POST
    present = [n for n in range(MOST_ROWS) if f"name-{n}" in post and not post.get(f"drop-{n}")]
    if any(post.get(f"kind-{n}") not in kinds for n in present):
        raise Refused(say(noop("Choose what kind of unit each line is.")), 422, "malformed")
    renumbered = {str(old): new for new, old in enumerate(present)}
    return [
        RosterRow(
            name=cleaned(gates.clean_name, post[f"name-{n}"], gates.PIECE_GRAPHEMES),
            title=_optional(post.get(f"title-{n}", "")),
            kind=post[f"kind-{n}"],
            cost=cleaned(gates.clean_int, post.get(f"cost-{n}", "0"), 0, 99),
            wounds=cleaned(gates.clean_int, post.get(f"wounds-{n}", "0"), 0, 99),
            leader=post.get("leader", "") == str(n),
            joins=renumbered.get(post.get(f"joins-{n}", "")),
        )
        for n in present
    ]


def _optional(text: str) -> str:
    return cleaned(gates.clean_name, text, gates.PIECE_GRAPHEMES) if text.strip() else ""


def _page(
    match: Match,
    seat: str,
    typed: str = "",
    notice: shapes.Notice | None = None,
    lists: tuple[Listed, ...] = (),
) -> shapes.ListPage:
    game = system(match.system)
    state = board.load(match).state
    roster = game.roster(state, seat)
    mark = 1 + state.seats.index(seat)
    seat_label = state.armies[seat].name or _(game.seat_names.get(seat, seat))
    demos = tuple(
        shapes.DemoArmy(slug, _(title), words(game.demo_summary(slug)))
        for slug, title in game.demo_armies().items()
    )
    url = reverse("army", args=[match.code, seat])
    if lists:
        choices = tuple(
            shapes.DemoArmy(str(n), found.title, words(found.summary)) for n, found in enumerate(lists)
        )
        return shapes.ListPage(seat_label, mark, url, back_to(match), text=typed, choices=choices)
    if roster is None:
        return shapes.ListPage(
            seat_label, mark, url, back_to(match), text=typed, placeholder=EXAMPLE, demos=demos, notice=notice
        )
    return shapes.ListPage(
        seat_label,
        mark,
        url,
        back_to(match),
        text=typed or roster.text,
        summary=words(roster.summary),
        checksum_ok=not roster.warnings,
        warnings=tuple(shapes.ListWarning(words(line), number) for number, line in roster.warnings),
        rows=_list_rows(roster),
        kinds=tuple(shapes.Option(kind, _(title)) for kind, title in roster.kinds.items()),
        units=tuple(
            shapes.Option(str(n), row.name) for n, row in enumerate(roster.rows) if row.joins is None
        ),
        demos=demos,
        notice=notice,
    )


EXAMPLE = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell

Combat Units
 \u2022 Stark Sworn Swords ( 5 )
"""


def _list_rows(roster: Roster) -> tuple[shapes.ListRow, ...]:
    return tuple(
        shapes.ListRow(
            n,
            row.name,
            row.title,
            row.kind,
            row.cost,
            row.wounds,
            row.leader,
            "" if row.joins is None else str(row.joins),
        )
        for n, row in enumerate(roster.rows)
    )
