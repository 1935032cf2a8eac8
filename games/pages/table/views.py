"""The table: its page, its board, the sheet of each piece, and the actions taken at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games import catalogue, core, view_models
from games.core import (
    Offer,
    RequestRefused,
    State,
    ViewModel,
    clean_int,
    clean_key,
    clean_note,
    is_number,
    piece_at,
    say,
    system,
)
from games.core import gettext_noop as noop
from games.hall.pages import event_screens
from games.history.commits import Verdict
from games.live.hub import Audience, hub, stream_url
from games.match import demo, play, storage, undoing
from games.models import Match, SeatRequest
from games.pages.common import (
    LARGEST_VERSION,
    Forms,
    audience,
    chosen_seat,
    field,
    forms_of,
    malformed,
    match_of,
    opened_halves,
    refuse_earlier_data,
    refusing,
    seat_of,
    seen_of,
    signed,
    tap_key,
    validated,
    waiting_url,
)
from games.pages.opening import list_links
from games.pages.records import score_card
from games.pages.table import boards, guiding
from games.pages.table.loaded import Table, table_after, table_of
from games.people import seats
from games.people.seats import Phone
from games.templating import part
from games.translation import gettext as _
from games.translation import override_game, words
from games.view_models.game_page import Page
from games.web import (
    JOINS,
    TAPS,
    is_from_elsewhere,
    is_outdated,
    limited,
    one_moment,
    origin,
    too_fast,
    wants_fragment,
)


class Live(ViewModel):
    """Where the table page gets its news.

    `stream_url` is ready to open, `source_url` answers {"url": …} with a fresh one,
    `board_url` takes `&seen=<version>` and answers 204 or the board. `patience` is the
    milliseconds that may pass without a beat before the page says that it is not connected.
    """

    stream_url: str
    source_url: str
    board_url: str
    patience: int = 5000


class MenuGroup(ViewModel):
    title: str
    links: tuple[view_models.Link, ...]


class TablePage(ViewModel):
    """`table/table.html` around a `Board`. `forms` is None for spectators.

    `ground` is the part of the board that never changes, as `icons_template` takes it.
    `facing` turns each half towards its player, for a device that lies between them; `turn` is the
    control for that, None unless exactly two play, and on the device of one of them. `close_url` closes the
    first steps, "" without any.
    `waiting_url` leads a watcher who has asked for a seat to the answer, "" for everyone else.
    """

    title: str
    code: str
    live: Live
    menu: tuple[MenuGroup, ...] = ()
    forms: Forms | None = None
    share: view_models.Share | None = None
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    facing: bool = False
    turn: view_models.SeatPost | None = None
    close_url: str = ""
    waiting_url: str = ""


Command = Callable[[str], Verdict]
PATIENCE, WATCHER_PATIENCE = 5000, 6400
"""Milliseconds that a page waits for a beat (`hub.BEAT_SECONDS`); after seven tenths of that it asks."""
GUEST_MAY = noop("A guest was let in.")


@require_safe
@refusing
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The table as this phone's seat, or a spectator, sees it."""
    phone = seats.phone(request, match_of(code).code)
    if list_links.carries(request):
        return list_links.at_table(request, match_of(code))
    with one_moment():
        return table_page(request, match_of(code), phone)


@require_safe
@refusing
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The board alone, for phones without a stream: 204 while the version they have is current.

    410, which makes the page reload, for one made from another program or before a backup came back.
    """
    match = demo.asked_for(match_of(code))
    phone = _unchanged(request, seats.phone(request, match.code))
    seen = request.GET.get("seen", "")
    if is_from_elsewhere(request, match.version) or is_outdated(request):
        return HttpResponse(status=410)
    if seen == str(match.version) and not _asked_again(request, match):
        return HttpResponse(status=204)
    with one_moment():
        return HttpResponse(boards.html(table_of(match.code), audience(request, phone)))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of this phone's event stream; 410 for a page made from another program or data."""
    match = match_of(code)
    phone = _unchanged(request, seats.phone(request, match.code))
    if is_outdated(request):
        return HttpResponse(status=410)
    return JsonResponse({"url": _stream_url(request, match, phone)})


@require_safe
@refusing
def arrived(request: HttpRequest, code: str) -> HttpResponse:
    """Whether an answer whose page was loaded again before it was answered has reached the table.

    The answer to the question whose `key` this was, for the `seat`: {"arrived": true or false}.
    """
    match = match_of(code)
    seat = seats.phone(request, match.code).seat(request.GET.get("seat", ""))
    key = validated(clean_key, request.GET.get("key", ""))
    return JsonResponse({"arrived": play.has_arrived(match, seat, key)})


@require_POST
@refusing
def act(request: HttpRequest, code: str) -> HttpResponse:
    return _command(
        request,
        code,
        lambda seat: play.tap(code, seat, _action(request), seen_of(request), tap_key(request)),
    )


@require_POST
@refusing
def adjust(request: HttpRequest, code: str) -> HttpResponse:
    """A correction: `change` is the piece's path, a space, and the action."""

    def correct(seat: str) -> Verdict:
        path, _space, action = _change(request).partition(" ")
        note = request.POST.get("reason", "").strip()
        note = validated(clean_note, note) if note else ""
        return play.adjust(code, seat, path, action, tap_key(request), note=note)

    return _command(request, code, correct)


@require_POST
@refusing
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Take an action back (`undo` is its version), or answer a request to do so ("agree", "decline").

    "restore" and "accept" decide what counts after something secret was changed outside the game.
    """

    def take(seat: str) -> Verdict:
        wanted = field(request, "undo")
        if wanted == play.RESTORE:
            return play.restore_secrets(code, seat, tap_key(request))
        if wanted == play.ACCEPT:
            return play.accept_altered(code, seat, tap_key(request))
        if wanted in ("agree", "decline"):
            return undoing.answer(code, seat, wanted == "agree", tap_key(request))
        version = validated(clean_int, wanted, 1, LARGEST_VERSION)
        # An undo that waited offline applies only to the board that was seen, because no question guards it.
        seen = seen_of(request) if "waited" in request.POST else None

        def held() -> tuple[str, ...]:
            return seats.phone(request, code).seats

        return undoing.ask(code, seat, version, tap_key(request), seen=seen, held=held)

    return _command(request, code, take)


@require_POST
@refusing
def guests(request: HttpRequest, code: str) -> HttpResponse:
    """Give a seat to somebody who asks for it (`let_in` is the request), or refuse (`turn_away`).

    `requests` turns all away and lets nobody ask any more ("close"), or lets guests ask again ("open").
    """
    if "requests" in request.POST:
        return _command(request, code, lambda _seat: _take_requests(request, code), "seats")

    def answer(seat: str) -> Verdict:
        match, choice = match_of(code), "turn_away" if "turn_away" in request.POST else "let_in"
        if not is_number(number := field(request, choice)):
            raise malformed()
        asked = seats.request_of(match, int(number))
        if choice == "turn_away":
            seats.decline(asked)
            return Verdict(match.version)
        return _let_in(match, seat, asked)

    return _command(request, code, answer)


def _take_requests(request: HttpRequest, code: str) -> Verdict:
    match, choice = match_of(code), field(request, "requests")
    if choice not in ("close", "open"):
        raise malformed()
    seats.take_requests(match, choice == "open")
    return Verdict(match.version)


@transaction.atomic
def _let_in(match: Match, seat: str, asked: SeatRequest) -> Verdict:
    if not seats.grant(asked):
        return Verdict(match.version)
    line = say(noop("%(name)s was let in."), name=asked.name) if asked.name else say(GUEST_MAY)
    return play.remark(match.code, line, match.armies.get(key=seat).name)


def table_page(
    request: HttpRequest,
    match: Match,
    phone: Phone,
    notice: view_models.Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page around the board."""
    table = Table(match)
    page_type: type[Page] = table.game.page or Page
    event = event_screens.way(match)
    shown = boards.board(table, audience(request, phone), notice)
    page = TablePage(
        title=titled(match, _(table.game.mode(match.mode).title)),
        code=match.code,
        live=Live(
            _stream_url(request, match, phone),
            _news(request, "stream", match.code, phone),
            _news(request, "board", match.code, phone),
            PATIENCE if phone.seats else WATCHER_PATIENCE,
        ),
        menu=menu_of(match, phone, event),
        forms=forms_of(match) if phone.seats else None,
        share=score_card.share_of(request, table),
        icons_template=page_type.icons_template,
        ground=table.page.ground(),
        styles=(
            *(("table/many.css",) if len(table.state.seats) > 2 else ()),
            *page_type.styles,
            *(event_screens.STYLES if event else ()),
            *(("table/first-steps.css",) if shown.first_steps else ()),
        ),
        scripts=(
            *table.page.scripts,
            *(event_screens.SCRIPTS if event else ()),
            *(("table/first-steps.js",) if shown.first_steps else ()),
        ),
        close_url=reverse("guide", args=[match.code]) if shown.first_steps else "",
        facing=is_facing(request) and len(table.state.seats) == 2,
        turn=turn_switch(request, match, table.state.seats, phone),
        waiting_url=waiting_url(request, match, phone),
    )
    return render(request, "table/table.html", {"page": page, "board": shown}, status=status)


def titled(match: Match, title: str) -> str:
    """What a table is called at the top of its page."""
    return _("Practice · %(title)s") % {"title": title} if match.is_practice else title


def _command(request: HttpRequest, code: str, command: Command, leads_to: str = "") -> HttpResponse:
    """Carry out a command and answer with the board: the fresh fragment, or a redirect without scripts.

    The redirect leads to where the command came from, or to the page with the name `leads_to`.
    """
    try:
        phone, seat = seat_of(request, code)
        refuse_earlier_data(request)
        if refusal := too_fast(request, TAPS, f"{code}/{seat}"):
            return refusal
        with phone.speaks(code, seat):
            verdict = command(seat)
    except RequestRefused as refused:
        return _refused(request, match_of(code), refused)
    table = table_after(verdict, code, phone.chairs)
    if not wants_fragment(request):
        after = reverse(leads_to, args=[table.match.code]) if leads_to else _after(request, table, phone)
        return HttpResponseRedirect(after)
    reader = audience(request, phone)
    response = HttpResponse(_fragment(request, table, reader))
    hub.answered(table.match.code, table.match.version, reader, request.POST.get("tab", ""))
    if verdict.is_replay:
        response["Idempotent-Replay"] = "1"
    return response


def _refused(request: HttpRequest, match: Match, refused: RequestRefused) -> HttpResponse:
    """The fresh board with one sentence that says why; nothing was written."""
    if refused.status == 403 and not wants_fragment(request):
        raise refused
    if refused.error == storage.ERROR:
        play.tell_altered(match.code)
        match = match_of(match.code)
    phone = seats.phone(request, match.code)
    rule = _("Rule %(rule)s") % {"rule": refused.rule} if refused.rule else ""
    notice = view_models.Notice(words(refused.line), "bad", rule)
    if not wants_fragment(request):
        return table_page(request, match, phone, notice, refused.status)
    with one_moment():
        shown = _fragment(request, table_of(match.code), audience(request, phone), notice)
    return HttpResponse(shown, status=refused.status)


def _fragment(
    request: HttpRequest, table: Table, reader: Audience, notice: view_models.Notice | None = None
) -> str:
    """The board, followed by the current sheet if a correction came from one."""
    if path := request.POST.get("sheet", ""):
        with override_game(table.match.system):
            if sheet := sheet_of(table, path, reader, notice):
                return part("table/adjusted.html", board=boards.board(table, reader), sheet=sheet)
    return boards.html(table, reader, notice)


def _after(request: HttpRequest, table: Table, phone: Phone) -> str:
    """Where an action leads without scripts: to the sheet it came from, or to the table.

    What a correction asks anew ("Is the match over?") is asked at the table only.
    """
    match, path = table.match, request.POST.get("sheet", "")
    asks_anew = match.since == match.version
    if not asks_anew and is_there(table.state, path):
        return reverse("piece", args=[match.code, path])
    return _here(request, "table", match.code, phone)


def _action(request: HttpRequest) -> str:
    """The tapped action without the seat that signs it; a stepper sends its number in a field beside it."""
    sent = field(request, "action")
    number, (_signer, action) = request.POST.getlist(f"number:{sent}"), signed(sent)
    return f"{action}:{_number(number)}" if number else action


def _change(request: HttpRequest) -> str:
    change = field(request, "change")
    number = request.POST.getlist(f"number:{change}")
    return f"{change}:{_number(number)}" if number else change


def _number(values: list[str]) -> int:
    if len(values) != 1:
        raise malformed()
    return validated(clean_int, values[0], -999_999, 999_999)


def _stream_url(request: HttpRequest, match: Match, phone: Phone) -> str:
    return stream_url(match.code, audience(request, phone), phone.epochs)


def _news(request: HttpRequest, name: str, code: str, phone: Phone) -> str:
    """Where the page asks for news; the address names the seats that the page was made for."""
    url = _here(request, name, code, phone)
    return f"{url}{'&' if '?' in url else '?'}seats={'.'.join(phone.seats)}&program={origin()}"


def _unchanged(request: HttpRequest, phone: Phone) -> Phone:
    """The phone; `RequestRefused` (410) if its page was made for other seats and has to be reloaded."""
    shown = request.GET.get("seats")
    if shown is not None and shown != ".".join(phone.seats):
        raise RequestRefused(
            say(noop("This device's seats have changed. Reload the page.")), 410, "seats_changed"
        )
    return phone


def _asked_again(request: HttpRequest, match: Match) -> bool:
    """Whether the guests asking for a seat differ from those the page knows, if it names any."""
    shown = request.GET.get("guests")
    return shown is not None and shown != boards.requests_key(seats.open_requests(match))


def _here(request: HttpRequest, name: str, code: str, phone: Phone) -> str:
    """The address of a view of this table, keeping the chosen seat and the opened halves."""
    url = reverse(name, args=[code])
    wanted, opened = chosen_seat(request), opened_halves(request, phone)
    if opened and not wanted:
        return f"{url}?open={opened}"
    return f"{url}?seat={wanted}" if wanted.isalnum() else url


# --- the menu -------------------------------------------------------------------------------------


def menu_of(match: Match, phone: Phone, event: view_models.Link | None) -> tuple[MenuGroup, ...]:
    """The menu's first two headings; `event` is the way to the event that the table belongs to.

    With the third, this device, it has at most nine entries. The rest is elsewhere: the history in the bar,
    the print and the random results on the score card, a player's name on the page of seats.
    """
    of_match = [*((event,) if event else ()), *_of_match(match, phone)]
    return (
        MenuGroup(_("Match"), tuple(of_match)),
        MenuGroup(_("Players"), tuple(_of_people(match, phone))),
    )


def _of_match(match: Match, phone: Phone) -> Iterator[view_models.Link]:
    code = [match.code]
    if not phone.seats:
        yield view_models.Link(reverse("watch", args=code), _("Spectator view"), "watch")
    elif match.result is None:
        yield view_models.Link(reverse("piece", args=[*code, "table"]), _("Correct the match"), "adjust")
    if match.round or match.result is not None:
        yield view_models.Link(reverse("score", args=code), _("Score card"), "finish")
    yield view_models.Link(reverse("table-rules", args=code), _("Rules"), "list")
    if match.is_practice:
        yield guiding.another_game()


def _of_people(match: Match, phone: Phone) -> Iterator[view_models.Link]:
    code, plays = [match.code], match.result is None
    if plays and not phone.seats:
        yield view_models.Link(reverse("join", args=code), _("Take a seat"), "plus")
    yield from _lists(match, phone)
    yield view_models.Link(reverse("seats", args=code), _("Seats and guests"), "people")


def _lists(match: Match, phone: Phone) -> Iterator[view_models.Link]:
    """The army lists of this phone's seats, while they can be changed."""
    game = system(match.system)
    if match.round or match.result is not None or not game.brings_armies:
        return
    for seat in phone.seats:
        label = _("Army") if len(phone.seats) == 1 else f"{_('Army')} · {_(game.seat_names[seat])}"
        yield view_models.Link(reverse("army", args=[match.code, seat]), label)


SESSION_FACING = "facing"


@require_POST
@limited(JOINS)
@refusing
def facing(request: HttpRequest, code: str) -> HttpResponse:
    """Turn the two halves of this device's tables to face their players, or back again."""
    match = match_of(code)
    request.session[SESSION_FACING] = not is_facing(request)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


def is_facing(request: HttpRequest) -> bool:
    """Whether this device lies between two players, each half turned towards one of them."""
    return request.session.get(SESSION_FACING) is True


def turn_switch(
    request: HttpRequest, match: Match, seats: tuple[str, ...], phone: Phone
) -> view_models.SeatPost | None:
    if len(seats) != 2 or (len(phone.seats) == 1 and not is_facing(request)):
        return None
    label = _("Turn both halves the same way") if is_facing(request) else _("Turn each half to its player")
    return view_models.SeatPost(reverse("facing", args=[match.code]), label, icon="turn")


class Change(ViewModel):
    """One button of a sheet; `change` is posted under that name. `on` is a switch's state, else None.

    Without a `change` it is no button: the choice that holds now.
    """

    change: str
    label: str
    on: bool | None = None
    tone: str = ""


class Counter(ViewModel):
    """A number with its buttons, smallest step nearest to it: lower (−3, −1), then higher (+1, +3).

    `exact` is the change for "set to", typed as a number from `low` to `high`; "" for none.
    """

    label: str
    value: str
    lower: tuple[Change, ...] = ()
    higher: tuple[Change, ...] = ()
    exact: str = ""
    low: int = 0
    high: int = 99


class SheetPart(ViewModel):
    """A section of a sheet: counters, switches, or one choice among many; `folded` if rarely wanted."""

    title: str
    counters: tuple[Counter, ...] = ()
    changes: tuple[Change, ...] = ()
    folded: bool = False


class Sheet(ViewModel):
    """Everything that may be corrected about one unit, objective or army.

    `key` ("unit/wolves") goes with every change, so that the answer can include the fresh sheet.
    """

    key: str
    title: str
    back_url: str
    mark: int = 0
    parts: tuple[SheetPart, ...] = ()
    reasons: tuple[str, ...] = ()
    notice: view_models.Notice | None = None
    profile: view_models.Profile | None = None


SHORT_RANGE = 12
"""An amount that belongs to no counter on show gets one button for each value, up to this many."""
STEPS = (1, 3, 5)
"""The steps of the buttons beside a counter, nearest first."""
REASONS = (
    noop("Agreed at the table"),
    noop("Counted again"),
    noop("Missed effect"),
    noop("Judge's ruling"),
)


@require_safe
@refusing
def piece(request: HttpRequest, code: str, path: str) -> HttpResponse:
    """The sheet, as a page of its own or in the dialog over the table; spectators see only printed values."""
    phone = seats.phone(request, match_of(code).code)
    with one_moment():
        return _sheet(request, match_of(code), phone, path)


def _sheet(request: HttpRequest, match: Match, phone: Phone, path: str) -> HttpResponse:
    table, reader = Table(match), audience(request, phone)
    is_played = bool(phone.seats) and match.result is None
    sheet = None if is_played else read_only(table, path)
    if sheet is None and phone.seats:
        sheet = sheet_of(table, path, reader)
    if sheet is None:
        phone.seat()
        raise RequestRefused(say(noop("There is no such piece at this table.")), 404, "unknown")
    if wants_fragment(request):
        return HttpResponse(part("table/piece_sheet.html", sheet=sheet))
    return render(
        request, "table/piece.html", {"sheet": sheet, "forms": forms_of(match) if sheet.parts else None}
    )


def read_only(table: Table, path: str) -> Sheet | None:
    """The printed card of a unit, without corrections; None for other pieces."""
    table.state.entries = catalogue.current(table.match.system)
    piece, profile = piece_at(table.page.g, path), table.page.profile(path)
    if piece is None or profile is None:
        return None
    back = reverse("table", args=[table.match.code])
    return Sheet(path, _(getattr(piece, "name", "")), back, mark=_mark(table.state, piece), profile=profile)


def sheet_of(
    table: Table, path: str, reader: Audience, notice: view_models.Notice | None = None
) -> Sheet | None:
    """What may be corrected at a path ("unit/wolves", "army/red", "table"); None if nothing is there."""
    state = table.state
    state.entries = catalogue.current(table.match.system)
    if not is_there(state, path):
        return None
    piece, seat = piece_at(state, path), reader.speaker
    offered = core.corrections_of(state, path)
    back = reverse("table", args=[table.match.code])
    return Sheet(
        path,
        _heading(table, path, piece),
        f"{back}?seat={seat}" if seat else back,
        mark=_mark(state, piece),
        parts=tuple(
            _part(path, group, list(offers), group in table.game.corrections.folded)
            for group, offers in groupby(_in_order(table, offered), key=lambda offer: offer.group)
        ),
        reasons=tuple(_(reason) for reason in REASONS),
        notice=notice,
        profile=table.page.profile(path),
    )


def is_there(state: State, path: str) -> bool:
    """Whether a path leads to a piece, or to the table."""
    return path == "table" or piece_at(state, path) is not None


def _in_order(table: Table, offered: tuple[Offer, ...]) -> list[Offer]:
    """Corrections by heading, in the game's order of headings; unchanged within each."""
    headings = table.game.corrections.headings
    places = {heading: place for place, heading in enumerate(headings)}
    return sorted(offered, key=lambda offer: (places.get(offer.group, len(headings)), offer.group))


def _heading(table: Table, path: str, piece: object) -> str:
    """The name of what is corrected, a side's as the table calls it; what the menu calls the whole table."""
    kind, _slash, key = path.partition("/")
    if kind == "army":
        return table.page.name(key)
    return _(getattr(piece, "name", "") or noop("Correct the match"))


def _mark(state: State, piece: object) -> int:
    owner = getattr(piece, "army", "") or getattr(piece, "key", "")
    return view_models.mark_of(state.seats, owner)


def _part(path: str, group: str, offers: list[Offer], folded: bool) -> SheetPart:
    return SheetPart(
        _(group) if group else _("More"),
        counters=tuple(_counter(path, offer) for offer in offers if offer.is_numeric),
        changes=tuple(_changes(path, offers)),
        folded=folded,
    )


def _changes(path: str, offers: list[Offer]) -> Iterator[Change]:
    """A button for each correction; before choices stands the one that holds now, which is no button."""
    now = None
    for offer in offers:
        if offer.is_numeric:
            continue
        if offer.instead_of not in (None, now):
            now = offer.instead_of
            yield Change("", words(now), on=True)
        tone = "danger" if offer.style == "apart" else ""
        yield Change(f"{path} {offer.action}", words(offer.label), on=offer.on, tone=tone)


def _counter(path: str, offer: Offer) -> Counter:
    low, high = offer.minimum or 0, offer.maximum or 0
    action = f"{path} {offer.action}"
    if offer.value is None and low >= 0 and high - low < SHORT_RANGE:
        amounts = tuple(Change(f"{action}:{n}", str(n)) for n in range(low, high + 1))
        return Counter(words(offer.label), "", higher=amounts)
    return Counter(
        words(offer.label),
        "" if offer.value is None else str(offer.value),
        lower=tuple(Change(f"{action}:{-n}", f"\u2212{n}") for n in reversed(STEPS) if -n >= low),
        higher=tuple(Change(f"{action}:{n}", f"+{n}") for n in STEPS if n <= high),
        exact=action if high - low > 2 * STEPS[-1] else "",
        low=low,
        high=high,
    )
