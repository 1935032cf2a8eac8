"""Bringing an army: paste it, correct every line, or take a ready one; as often as needed until ready."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST
from msgspec.structs import replace

from games import catalogue, core, view_models
from games.core import (
    PIECE_GRAPHEMES,
    Line,
    Listed,
    RequestRefused,
    Roster,
    RosterRow,
    RowCell,
    State,
    ViewModel,
    clean_int,
    clean_name,
    clean_text,
    say,
    system,
)
from games.core import gettext_noop as noop
from games.hall import event_tables
from games.match import play, storage
from games.models import Entry, Match, Seat
from games.pages.common import back_to, match_of, refusing, validated
from games.pages.opening import list_links, rematch
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Option
from games.web import LISTS, LONGEST_LIST, TAPS, list_too_soon, too_fast, uploads


class ListCell(ViewModel):
    """One input of a row: `name` with the row's index makes its name in the form.

    `form` is "text", "number" (0 to `most`) or "choice" of `options`.
    """

    name: str
    label: str
    value: str = ""
    form: str = "text"
    most: int = 99
    options: tuple[view_models.Option, ...] = ()


class ListRow(ViewModel):
    """One parsed line in its form row; `index` numbers its inputs (`name-3`, `kind-3`, …).

    `detail` stands beside its name, `problem` below the row. A row that `can_lead` may be marked as the
    leader's.
    """

    index: int
    name: str
    detail: str = ""
    cost: int = 0
    cells: tuple[ListCell, ...] = ()
    can_lead: bool = False
    leader: bool = False
    attached: bool = False
    problem: str = ""


class DemoArmy(ViewModel):
    """An army that can be chosen: a ready one, or one of several pasted lists."""

    value: str
    name: str
    detail: str = ""


class UnusedWords(ViewModel):
    """Words of a list that stand in no row: `home` attaches them to the unit above them, if there is one."""

    label: str
    text: str
    home: view_models.Option | None = None


class ListPage(ViewModel):
    """Bringing an army: paste, correct, or take a ready one; repeatable until ready.

    One form posts everything to `post_url`; the button pressed is `do` ("read" the pasted
    `text`, "keep" the corrected rows, "add" an empty row, "ready") or `demo` with its value.
    A row's inputs end in its index: `name-3`, `drop-3` and one for each of its cells; `leader` is
    the index of the commander's row. If there are `names`, a row can be added with one of them
    (`new`). If there is a `file_url`, a file that ends in one of `endings` can be sent to it.
    `typed` are the lines of the text; `unused` is what of them stands in no row: `use` makes a row of it,
    `attach` one that joins another (its index and the words). `choices` are the lists of a `text` that holds
    several; the one pressed is `choice`. `own` are lists that this device brought to other tables: `again`.
    """

    seat_label: str
    mark: int
    post_url: str
    back: view_models.Link
    text: str = ""
    placeholder: str = ""
    summary: str = ""
    checksum_ok: bool = True
    warnings: tuple[str, ...] = ()
    unused: tuple[UnusedWords, ...] = ()
    typed: tuple[str, ...] = ()
    rows: tuple[ListRow, ...] = ()
    names: tuple[str, ...] = ()
    file_url: str = ""
    endings: str = ""
    demos: tuple[DemoArmy, ...] = ()
    own: tuple[view_models.Option, ...] = ()
    choices: tuple[DemoArmy, ...] = ()
    notice: view_models.Notice | None = None


MOST_ROWS = 200
ROW_FIELDS = {field.name for field in fields(RosterRow)}


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def army(request: HttpRequest, code: str, seat: str) -> HttpResponse:
    """The army list of one of this phone's seats."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    phone.seat(seat)
    if not system(match.system).brings_armies:
        raise RequestRefused(say(noop("This game needs no army list.")), 404, "unknown")
    if why := _why_closed(match, seat):
        return _brought(request, match, seat, why)
    if request.method != "POST":
        text, notice = list_links.notice(request)
        page = _page(
            request, match, seat, typed=text, notice=notice or event_tables.waiting_list(match.code, seat)
        )
        return render(request, "opening/lists.html", {"page": page})
    key = f"{match.code}/{seat}"
    if refusal := too_fast(request, TAPS, key) or list_too_soon(request, key):
        return refusal
    try:
        if lists := _to_choose_from(request, match):
            page = _choosing(match, seat, request.POST["text"], lists)
            return render(request, "opening/lists.html", {"page": page})
        with phone.speaks(match.code, seat):
            done = _do(request, match, seat)
    except RequestRefused as refused:
        notice = view_models.Notice(words(refused.line), "bad")
        page = _page(request, match, seat, typed=request.POST.get("text", ""), notice=notice)
        return render(request, "opening/lists.html", {"page": page}, status=refused.status)
    return HttpResponseRedirect(reverse("table" if done else "army", args=[code] if done else [code, seat]))


@require_POST
@refusing
def file(request: HttpRequest, code: str, seat: str) -> HttpResponse:
    """The army list of one of this phone's seats, sent as a file."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    phone.seat(seat)
    # For each seat, not each address: a whole hall sends its lists from behind one router.
    key = f"{match.code}/{seat}"
    if refusal := too_fast(request, TAPS, key):
        return refusal
    if refusal := too_fast(request, LISTS, key, LONGEST_LIST):
        return refusal
    if system(match.system).files and (why := _why_closed(match, seat)):
        return _brought(request, match, seat, why)
    text, lists = "", tuple[Listed, ...]()
    try:
        text = _file_text(request, match)
        lists = _lists(match, text)
        if len(lists) > 1:
            return render(request, "opening/lists.html", {"page": _choosing(match, seat, text, lists)})
        with phone.speaks(match.code, seat):
            play.bring(match.code, seat, text, play.new_key())
    except RequestRefused as refused:
        status = 422 if text and not lists else refused.status
        notice = view_models.Notice(words(refused.line), "bad")
        page = _page(request, match, seat, typed=text, notice=notice)
        return render(request, "opening/lists.html", {"page": page}, status=status)
    return HttpResponseRedirect(reverse("army", args=[match.code, seat]))


def _why_closed(match: Match, seat: str) -> str:
    """Why an army can no longer be changed, and what can be done instead; "" as long as it can."""
    if match.result is not None:
        return _("The match is over.")
    ready = dict(match.armies.values_list("key", "ready"))
    if match.round or all(ready.values()):
        return _("The match has begun. Correct a unit with the pencil on its card.")
    if ready[seat]:
        return _("You are ready. To change your list, first tap “Not ready yet” at the table.")
    return ""


def _brought(request: HttpRequest, match: Match, seat: str, why: str) -> HttpResponse:
    """The list to read, and why it cannot be changed; a change that is sent all the same is refused."""
    is_change = request.method == "POST"
    page = _page(request, match, seat, notice=view_models.Notice(why, "bad" if is_change else ""))
    return render(request, "opening/list_to_read.html", {"page": page}, status=409 if is_change else 200)


def _file_text(request: HttpRequest, match: Match) -> str:
    """The text of the file that was sent, as if it had been pasted."""
    game = system(match.system)
    if not game.files:
        raise RequestRefused(say(noop("This game reads no files. Please paste the list.")), 415, "unreadable")
    sent = request.FILES.getlist("file")
    if len(sent) != 1:
        raise RequestRefused(say(noop("Choose a file first.")), 422, "malformed")
    text = validated(uploads.text_of, sent[0].name or "", sent[0].read(), game.files)
    return validated(clean_text, validated(game.file_text, text))


def _do(request: HttpRequest, match: Match, seat: str) -> bool:
    """Carry out the pressed button; return whether the army is complete."""
    code, version = match.code, match.version
    roster = system(match.system).roster(storage.load(match).state, seat)
    if demo := request.POST.get("demo", ""):
        _take_demo(match, seat, demo, instead=roster is not None)
        return False
    if again := request.POST.get("again", ""):
        rematch.bring(match, seat, own_list(request, match, again))
        return False
    wanted = _wanted(request)
    if wanted == "read":
        play.bring(code, seat, _pasted(request, match), play.new_key())
        return False
    rows = _rows(request, roster) if roster else []
    if wanted == "add":
        rows.append(_added(request.POST, roster))
    if rows != (list(roster.rows) if roster else []):
        version = play.amend(code, seat, rows, play.new_key()).version
    if wanted != "ready":
        return False
    play.tap(code, seat, "ready", version, play.new_key())
    return True


def _wanted(request: HttpRequest) -> str:
    """The pressed button. Enter presses the first one, but after typing a name a player means to add it."""
    post = request.POST
    if post.get("use") or post.get("attach"):
        return "add"
    wanted = post.get("do", "read")
    is_typed = post.get("new", "").strip() and not (wanted == "read" and post.get("text", "").strip())
    return "add" if is_typed and wanted in ("keep", "read") else wanted


def _to_choose_from(request: HttpRequest, match: Match) -> tuple[Listed, ...]:
    """The lists of a text that holds several, if the player has not yet said which one to bring."""
    post = request.POST
    if post.get("demo") or post.get("again") or post.get("choice") or _wanted(request) != "read":
        return ()
    lists = _lists(match, validated(clean_text, post.get("text", "")))
    return lists if len(lists) > 1 else ()


def _lists(match: Match, text: str) -> tuple[Listed, ...]:
    state = storage.load(match).state
    state.entries = catalogue.current(match.system)
    return system(match.system).lists(state, text)


def _pasted(request: HttpRequest, match: Match) -> str:
    """The pasted text, or the text of the list that was chosen from it."""
    text = validated(clean_text, request.POST.get("text", ""))
    choice = request.POST.get("choice", "")
    if not choice:
        return text
    lists = _lists(match, text)
    if not lists:
        return text
    return lists[validated(clean_int, choice, 0, len(lists) - 1)].text


def _take_demo(match: Match, seat: str, demo: str, *, instead: bool) -> None:
    """Bring a ready army; an army brought before is dropped only once this one can take its place."""
    if demo not in system(match.system).demo_armies():
        raise RequestRefused(say(noop("Choose one of the armies.")), 422, "malformed")
    version = match.version
    with transaction.atomic():
        if instead:
            version = play.tap(match.code, seat, "another", version, play.new_key()).version
        play.tap(match.code, seat, f"demo:{demo}", version, play.new_key())


def _rows(request: HttpRequest, roster: Roster) -> list[RosterRow]:
    """The rows as corrected in the form: dropped ones left out, and references to joined rows renumbered."""
    post = request.POST
    present = _present(post)
    if any(post.get(f"kind-{n}") not in roster.kinds for n in present):
        raise RequestRefused(say(noop("Choose what kind of unit each line is.")), 422, "malformed")
    renumbered = {str(old): new for new, old in enumerate(present)}
    return [_row(post, n, roster, renumbered) for n in present]


def _present(post: QueryDict) -> list[int]:
    return [n for n in range(MOST_ROWS) if f"name-{n}" in post and not post.get(f"drop-{n}")]


def _added(post: QueryDict, roster: Roster | None) -> RosterRow:
    """A new row: of words that were not used, attached or not, of a name that was typed, or of none."""
    home, _space, attached = post.get("attach", "").partition(" ")
    if roster and roster.attachment and attached:
        joins = next((new for new, old in enumerate(_present(post)) if str(old) == home), None)
        return RosterRow(_optional(attached), kind=roster.attachment, joins=joins)
    name = _optional(post.get("use") or post.get("new", ""))
    return RosterRow(name or _("New unit"), kind=next(iter(roster.kinds), "") if roster else "")


def _row(post: QueryDict, n: int, roster: Roster, renumbered: dict[str, int]) -> RosterRow:
    asked = {cell.name: cell for cell in roster.cells}
    own = [name for name in asked if name not in ROW_FIELDS and f"{name}-{n}" in post]
    return RosterRow(
        name=validated(clean_name, post.get(f"name-{n}"), PIECE_GRAPHEMES),
        title=_optional(post.get(f"title-{n}", "")),
        kind=post.get(f"kind-{n}", ""),
        cost=_number(post, "cost", n, asked),
        wounds=_number(post, "wounds", n, asked),
        leader=post.get("leader", "") == str(n),
        joins=renumbered.get(post.get(f"joins-{n}", "")),
        facts={name: _optional(post.get(f"{name}-{n}", "")) for name in own},
    )


def _number(post: QueryDict, name: str, n: int, asked: dict[str, RowCell]) -> int:
    most = asked[name].most if name in asked else 0
    return validated(clean_int, post.get(f"{name}-{n}", "0"), 0, most)


def _optional(text: str) -> str:
    return validated(clean_name, text, PIECE_GRAPHEMES) if text.strip() else ""


def _page(
    request: HttpRequest, match: Match, seat: str, typed: str = "", notice: view_models.Notice | None = None
) -> ListPage:
    """The page on which a seat pastes or chooses its army and corrects it."""
    game, state = system(match.system), storage.load(match).state
    state.entries = catalogue.current(match.system)
    roster = game.roster(state, seat)
    demos = tuple(
        DemoArmy(slug, _(title), words(game.demo_summary(slug))) for slug, title in game.demo_armies().items()
    )
    page = replace(
        _blank(match, seat, state, typed),
        notice=notice,
        demos=demos,
        own=tuple(own_lists(request, match)),
        names=game.known_names(state, seat),
        file_url=reverse("army-file", args=[match.code, seat]) if game.files else "",
        endings=", ".join(game.files),
    )
    return _with_roster(page, roster) if roster is not None else replace(page, placeholder=game.example)


def _choosing(match: Match, seat: str, text: str, lists: tuple[Listed, ...]) -> ListPage:
    """The page that asks which of several lists is meant."""
    choices = (DemoArmy(str(n), listed.title, words(listed.summary)) for n, listed in enumerate(lists))
    return replace(_blank(match, seat, storage.load(match).state, text), choices=tuple(choices))


def _blank(match: Match, seat: str, state: State, text: str) -> ListPage:
    return ListPage(
        seat_label=state.armies[seat].name or _(system(match.system).seat_names.get(seat, seat)),
        mark=view_models.mark_of(state.seats, seat),
        post_url=reverse("army", args=[match.code, seat]),
        back=back_to(match),
        text=text,
    )


def _with_roster(page: ListPage, roster: Roster) -> ListPage:
    """The page with the army that was brought, to correct line by line."""
    return replace(
        page,
        text=page.text or roster.text,
        summary=words(roster.summary),
        checksum_ok=not (roster.warnings or roster.unused or page.notice),
        warnings=tuple(words(line) for _number, line in roster.warnings),
        unused=tuple(_unused(roster, line) for line in roster.unused),
        typed=tuple(roster.text.rstrip().split("\n")) if roster.text.strip() else (),
        rows=tuple(_list_row(roster, n, row) for n, row in enumerate(roster.rows)),
    )


def _unused(roster: Roster, line: Line) -> UnusedWords:
    text, number = str(line.arguments["text"]), line.arguments["line"]
    return UnusedWords(words(line), text, _home(roster, text, number if isinstance(number, int) else 0))


def _home(roster: Roster, text: str, number: int) -> view_models.Option | None:
    """The row that words on a line are likely to belong to: the last one that is named up to that line."""
    homes = [(n, row) for n, row in enumerate(roster.rows) if roster.attachment and row.joins is None]
    for typed in map(core.folded, reversed(roster.text.split("\n")[:number])):
        for n, row in reversed(homes):
            if core.folded(row.name) in typed:
                return view_models.Option(f"{n} {text}", _("Add to %(name)s") % {"name": row.name})
    return None


def _list_row(roster: Roster, n: int, row: RosterRow) -> ListRow:
    asked = [cell for cell in roster.cells if not cell.only or row.kind in cell.only]
    return ListRow(
        index=n,
        name=row.name,
        detail=row.title or _facts_in_words(row, asked) or _(roster.kinds.get(row.kind, "")),
        cost=row.cost,
        cells=tuple(_cell(roster, row, cell) for cell in asked if cell.form != "leader"),
        can_lead=any(cell.form == "leader" for cell in asked),
        leader=row.leader,
        attached=row.joins is not None,
        problem=words(row.asks) if row.asks else "",
    )


def _facts_in_words(row: RosterRow, asked: list[RowCell]) -> str:
    """The facts of a row that only this game has, in a few words."""
    return " \u00b7 ".join(
        f"{_(cell.label)} {row.facts[cell.name] or '–'}" for cell in asked if cell.name in row.facts
    )


def _cell(roster: Roster, row: RosterRow, cell: RowCell) -> ListCell:
    value = row.facts.get(cell.name, "") if cell.name not in ROW_FIELDS else getattr(row, cell.name)
    shown = "" if value is None else str(value)
    choices = _choices(roster, row, cell)
    if not choices:
        return ListCell(cell.name, _(cell.label), shown, cell.form, cell.most)
    options = tuple(view_models.Option(key, label, key == shown) for key, label in choices.items())
    return ListCell(
        name=cell.name, label=_(cell.label), value=shown, form="choice", most=cell.most, options=options
    )


def _choices(roster: Roster, row: RosterRow, cell: RowCell) -> dict[str, str]:
    """A cell's choices, by the value that is sent; empty for a cell that is typed."""
    if cell.name == "title":
        return {title: title for title in row.titles}
    if cell.form == "kind":
        return {kind: _(title) for kind, title in roster.kinds.items()}
    if cell.form == "joins":
        return {"": "—"} | {str(n): row.name for n, row in enumerate(roster.rows) if row.joins is None}
    return {}


# --- the lists that this device has brought elsewhere ------------------------------------------------


MOST_OWN, LOOKED_AT = 6, 30
"""How many lists are offered, and how many of the newest seats are looked at to find them."""


def own_lists(request: HttpRequest, match: Match) -> Iterator[Option]:
    """The newest different lists for this game: `value` is table and seat, `detail` who played and when.

    They are read from the matches at which its session holds seats, so they are as private as those seats and
    go when the device forgets the matches, or when these are removed.
    """
    contents: set[str] = set()
    for seat in _seats_with_lists(request, match):
        army = _army_of(seat)
        content = repr([(row.name, row.title, row.cost) for row in army.rows]) if army else ""
        if army is None or content in contents:
            continue
        contents.add(content)
        names = " – ".join(side.name or side.key for side in seat.match.armies.all())
        about = f"{names} · {date_format(seat.match.created_at, 'DATE_FORMAT')}"
        yield Option(f"{seat.match.code}:{seat.key}", words(army.summary), detail=about)
        if len(contents) == MOST_OWN:
            return


def own_list(request: HttpRequest, match: Match, chosen: str) -> Roster:
    """The list that was chosen; `RequestRefused` (422) if this device has none there."""
    brought = (
        seat for seat in _seats_with_lists(request, match) if f"{seat.match.code}:{seat.key}" == chosen
    )
    army = _army_of(seat) if (seat := next(brought, None)) else None
    if army is None:
        raise RequestRefused(say(noop("Choose one of the armies.")), 422, "malformed")
    return army


def _seats_with_lists(request: HttpRequest, match: Match) -> Iterator[Seat]:
    """The seats of this device at other tables of the game to which a list was brought, newest first."""
    held = seats.held(request)
    others = Seat.objects.filter(match__code__in=held, match__system=match.system, is_taken=True)
    others = others.exclude(match=match).select_related("match").prefetch_related("match__armies")
    newest = others.order_by("-match__changed_at", "pk")[:LOOKED_AT]
    own = [seat for seat in newest if seats.holds(held[seat.match.code], seat)]
    lists = Entry.objects.filter(match__in=[seat.match_id for seat in own], kind=Entry.Kind.BRING)
    by_hand = set(lists.values_list("match_id", "seat"))
    return (seat for seat in own if (seat.match_id, seat.key) in by_hand)


def _army_of(seat: Seat) -> Roster | None:
    """What this seat led, with its corrections."""
    state = core.view(storage.load(seat.match).state, seat.key)
    return system(seat.match.system).roster(state, seat.key)
