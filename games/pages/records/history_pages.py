"""What happened: the whole log, the draws that anybody can recompute, and the replay moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

import games.verify
from games import core, view_models
from games.core import RequestRefused, ViewModel, is_number, isolated, say, system, together
from games.core import gettext_noop as noop
from games.history import commits
from games.live.hub import Audience
from games.match import match_file, practice, storage, undoing
from games.match.storage import OutlineEntry
from games.models import Entry, Match
from games.pages.common import (
    Forms,
    back_to,
    chosen_seat,
    claim_key,
    forms_of,
    match_of,
    message,
    refusing,
    share,
)
from games.pages.records import past, story
from games.pages.records.past import Past
from games.people import seats
from games.people.seats import Phone
from games.pictures.charts import Course
from games.templating import part
from games.translation import gettext as _
from games.translation import words
from games.web import OPENINGS, address_for_others, limited, one_moment, wants_fragment

# --- history --------------------------------------------------------------------------------------


class HistoryEntry(ViewModel):
    """One entry of the log. `state` is "", "undone" or "undo" (it undoes another).

    `at` is a time of day; `undo` undoes everything down to and including this action; `replay_url` shows
    the board after it.
    """

    version: int
    who: str
    mark: int
    lines: tuple[str, ...]
    at: str = ""
    state: str = ""
    note: str = ""
    adjusted: bool = False
    undo: view_models.Undo | None = None
    replay_url: str = ""


class HistoryRound(ViewModel):
    """The entries of one round, newest first."""

    title: str
    entries: tuple[HistoryEntry, ...]


class HistoryPage(ViewModel):
    """Some of the log, newest first; `ways` lead to the rest. `forms` is None for spectators."""

    title: str
    back: view_models.Link
    groups: tuple[HistoryRound, ...]
    forms: Forms | None = None
    replay_url: str = ""
    ways: tuple[view_models.Link, ...] = ()


class Draw(ViewModel):
    """One use of chance and what came of it; `matches` is None until the seed is known."""

    number: int
    purpose: str
    outcome: str
    matches: bool | None = None


class SealedAnswer(ViewModel):
    """What a seat sealed: its fingerprint and, once it is revealed, the text that this was made from."""

    version: int
    seat: str
    fingerprint: str
    text: str = ""


class VerifyPage(ViewModel):
    """Commitment at the opening, seed after the end, every draw recomputed; the history's fingerprints.

    `chain` holds one for each entry, `broken` the numbers of the entries that do not match theirs.
    """

    commitment: str
    back: view_models.Link
    seed: str = ""
    draws: tuple[Draw, ...] = ()
    sound: bool | None = None
    recipe: str = ""
    chain: tuple[str, ...] = ()
    broken: str = ""
    answers: tuple[SealedAnswer, ...] = ()
    export: view_models.Link | None = None
    program: view_models.Link | None = None


PROGRAM = Path(games.verify.__file__)
AT_ONCE = 200
"""Entries on one page: a long match has thousands."""


@require_safe
@refusing
def history(request: HttpRequest, code: str) -> HttpResponse:
    """The actions, newest first, by round, some at a time; a seated phone may undo actions from here.

    `upto` is the newest entry to show, so `?upto=57#v57` leads to entry 57. `seat` chooses whose private
    sentences are shown on a device that several players share.
    """
    match = match_of(code)
    phone = seats.phone(request, match.code)
    entries = _entries(match, request.GET.get("upto", ""))
    page = HistoryPage(
        match.code,
        back_to(match),
        _groups(match, entries, phone, chosen_seat(request)),
        forms=forms_of(match) if phone.seats else None,
        replay_url=reverse("replay", args=[match.code]),
        ways=tuple(_ways(request, match, entries)),
    )
    return render(request, "records/history.html", {"page": page})


def _entries(match: Match, upto: str) -> list[Entry]:
    """The entries of one page, newest first: the newest of all, unless an entry is named."""
    entries = match.entries.select_related("undone_by", "undoes").order_by("-version")
    if is_number(upto) and 0 < int(upto) < match.version:
        entries = entries.filter(version__lte=int(upto))
    page = list(entries[:AT_ONCE])
    for entry in page:
        entry.is_undone = hasattr(entry, "undone_by")
    return page


def _ways(request: HttpRequest, match: Match, entries: list[Entry]) -> Iterator[view_models.Link]:
    """To the entries after and before these."""
    if entries and entries[0].version < match.version:
        yield view_models.Link(_page(request, match, entries[0].version + AT_ONCE), _("Later entries"))
    if entries and entries[-1].version > 1:
        yield view_models.Link(_page(request, match, entries[-1].version - 1), _("Earlier entries"))


def _page(request: HttpRequest, match: Match, upto: int) -> str:
    """The address of the entries up to this one, for the same reader."""
    seat = chosen_seat(request)
    asked = {"seat": seat} if seat else {}
    if upto < match.version:
        asked["upto"] = str(upto)
    return f"{reverse('history', args=[match.code])}?{urlencode(asked)}".rstrip("?")


@require_safe
@refusing
def verify(request: HttpRequest, code: str) -> HttpResponse:
    """The commitment made at the opening and, once the match is over, the seed and every draw repeated."""
    with one_moment():
        page = _verified(match_of(code))
    return render(request, "records/verify.html", {"page": page})


def _verified(match: Match) -> VerifyPage:
    over = match.result is not None
    entries = list(commits.entries_of(match))
    # A draw meant for one seat's eyes stays secret until the match is over.
    shown = [entry for entry in entries if over or not entry.sealed]
    kept = match_file.still_hidden(storage.load(match).state) if over else None
    draws = tuple(_draw(match, entry, number, over) for entry in shown for number in range(len(entry.draws)))
    return VerifyPage(
        commitment=core.commitment(match.seed),
        back=back_to(match),
        seed=match.seed if over else "",
        draws=draws,
        sound=all(draw.matches for draw in draws) if over else None,
        recipe=_("Result n: the first eight bytes of HMAC-SHA256(seed, “n:0”), modulo the outcomes."),
        chain=tuple(entry.hash for entry in entries),
        broken=", ".join(map(str, sorted({fault.version for fault in commits.faults(match, entries)}))),
        answers=tuple(_sealed(match, answer) for answer in commits.sealed_answers(entries, kept)),
        export=view_models.Link(reverse("api:export", args=[match.code]), _("Download the match (JSON)")),
        program=view_models.Link(reverse("verify-program"), _("The program that checks it (Python)")),
    )


def _sealed(match: Match, answer: commits.SealedAnswer) -> SealedAnswer:
    colours = system(match.system).seat_names
    seat = _(colours.get(answer.seat, answer.seat))
    return SealedAnswer(answer.version, seat, answer.commitment, answer.text)


@require_safe
def program(request: HttpRequest) -> HttpResponse:
    """The program that checks an export; it needs nothing but Python."""
    headers = {"Content-Disposition": 'attachment; filename="verify.py"'}
    return HttpResponse(PROGRAM.read_bytes(), "text/x-python; charset=utf-8", headers=headers)


def _groups(match: Match, entries: list[Entry], phone: Phone, chosen: str) -> tuple[HistoryRound, ...]:
    marks = {army.key: mark for mark, army in view_models.marked(match.armies.all())}
    reader = _reader(match, phone, chosen)
    standing = undoing.within_reach(match) if phone.seats else set()
    sequences = _sequences(system(match.system).state.sequence, entries)
    return tuple(
        HistoryRound(
            words(system(match.system).round_name(number)),
            tuple(
                _entry(match, sequence, marks, reader, since if since in standing else 0)
                for sequence, since in group
            ),
        )
        for number, group in groupby(
            undoing.completed(system(match.system), sequences), key=lambda completed: completed[0][0].round
        )
    )


def _sequences(field: str, entries: list[Entry]) -> list[tuple[Entry, ...]]:
    """What was done, newest first: what was undone apart from what stands, and its undoing in one."""
    stands = [entry for entry in entries if not entry.is_undone]
    gone = undoing.sequences(field, [entry for entry in entries if entry.is_undone])
    first = {entry.pk: sequence[0].pk for sequence in gone for entry in sequence}
    out: dict[object, tuple[Entry, ...]] = {}
    for sequence in (*undoing.sequences(field, stands), *gone):
        undoes = first.get(sequence[0].undoes_id or 0) if sequence[0].kind == Entry.Kind.UNDO else None
        key = ("undo", undoes) if undoes else sequence[0].pk
        out[key] = (*out.get(key, ()), *sequence)
    return sorted(out.values(), key=lambda sequence: -sequence[0].version)


def _reader(match: Match, phone: Phone, chosen: str) -> str | None:
    """The seat whose private sentences are shown; on a shared device nobody's, unless one is chosen."""
    reader = chosen if chosen in phone.seats else phone.seats[0] if len(phone.seats) == 1 else None
    return None if reader and seats.blind(match).filter(key=reader).exists() else reader


def _entry(
    match: Match, sequence: tuple[Entry, ...], marks: dict[str, int], reader: str | None, undoes: int
) -> HistoryEntry:
    """A row of the history; `undoes` is the version from which it can be undone, 0 if it cannot.

    The first sentence of a sequence's newest entry says what all came to.
    """
    entry = sequence[0]
    undone, colours = hasattr(entry, "undone_by"), system(match.system).seat_names
    first, *rest = (words(line) for line in storage.readable_lines(entry, reader))
    earlier = () if entry.kind == Entry.Kind.UNDO else sequence[:0:-1]
    before = (words(line) for each in earlier for line in storage.readable_lines(each, reader)[1:])
    sentences = (first, *before, *rest)
    return HistoryEntry(
        entry.version,
        entry.author or (_(colours.get(entry.seat, entry.seat)) if entry.seat else _("Organiser")),
        marks.get(entry.seat, 0),
        sentences,
        at=time_format(timezone.localtime(entry.created_at), "H:i"),
        state="undone" if undone else "undo" if entry.kind == Entry.Kind.UNDO else "",
        note=_note(entry, sentences),
        adjusted=entry.kind in (Entry.Kind.ADJUST, Entry.Kind.EDIT),
        undo=view_models.Undo(str(undoes), sentences[0]) if undoes else None,
        replay_url=reverse("replay-moment", args=[match.code, entry.version]),
    )


def _note(entry: Entry, sentences: tuple[str, ...]) -> str:
    """The note on a correction, if its sentences do not already contain it."""
    is_corrected = entry.kind in (Entry.Kind.ADJUST, Entry.Kind.EDIT)
    return entry.note if is_corrected and not any(entry.note in line for line in sentences) else ""


def _draw(match: Match, entry: Entry, number: int, over: bool) -> Draw:
    """One draw of an entry, under the line that tells its outcome: the first line for the first draw."""
    counter, outcomes, value = entry.draws[number]
    lines = commits.lines_for(entry, None)[number:] or commits.lines_for(entry, None)[-1:]
    return Draw(
        counter,
        words(lines[0]) if lines else system(match.system).title,
        _("%(value)s of %(outcomes)s") % {"value": value + 1, "outcomes": outcomes},
        matches=outcomes > 0 and core.draw(match.seed, counter, outcomes) == value if over else None,
    )


class Way(ViewModel):
    """A step to another moment; `version` is 0 and `url` "" if there is none that way."""

    label: str
    icon: str
    version: int = 0
    url: str = ""


class Moment(ViewModel):
    """What happened at one moment, and where to go from there: everything that is fetched with its board.

    `place` says where in the match it is ("Round 2 · 57/214"), `lines` are the sentences of the log,
    `mark` and `who` say whose action it was. `undone` says that it was undone later, "" if it was not. `asks`
    is the open question, `asked` the mark of its seat. `words` are read out: where, and what. `link_url` is
    the full address of this moment. `practice_url` opens a practice table, "" if none can be opened;
    `practice` says where it begins.
    """

    version: int
    place: str
    who: str
    mark: int
    lines: tuple[str, ...]
    undone: str
    asks: str
    asked: int
    words: str
    first: Way
    back: Way
    onward: Way
    last: Way
    link_url: str
    practice_url: str = ""
    practice: str = ""


class Select(ViewModel):
    """A select of the form: its field, its label, its options."""

    name: str
    label: str
    options: tuple[view_models.Option, ...]


class ReplayPage(ViewModel):
    """`records/replay.html` around a `Board` and its `Moment`.

    `url` is what the form requests; `last` is the newest version. `eyes` lead to what everybody, or a seat of
    this phone, saw; `fixed` are fields that the form keeps. `key` lets opening a practice table be repeated.
    """

    title: str
    code: str
    back: view_models.Link
    url: str
    last: int
    board: view_models.Board
    moment: Moment
    course: Course
    choices: tuple[Select, ...]
    skips: bool
    has_undone: bool
    eyes: tuple[view_models.Link, ...]
    fixed: tuple[tuple[str, str], ...]
    key: str
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    share: view_models.Share | None = None


ENTRY, ROUND, POINTS = "entry", "round", "points"
"""What one step may go by, besides the seats: every entry, the rounds, the changes of points."""
EVERYBODY, SKIP = "everybody", "skip"
SPEEDS = (("2400", "½×"), ("1200", "1×"), ("600", "2×"), ("250", "4×"))
"""How long each moment is shown while the replay plays, in milliseconds."""


@require_safe
@refusing
def replay(request: HttpRequest, code: str, version: str = "") -> HttpResponse:
    """A moment of a match as this phone's seat, or everybody, saw it; if none is named, where it began.

    `by` is what one step goes by (`ENTRY`, `ROUND`, `POINTS` or a seat), `undone=skip` leaves out what was
    undone, `seat` and `view=everybody` choose whose view is shown. `at` is a moment that a form asks for.
    """
    phone = seats.phone(request, match_of(code).code)
    with one_moment():
        return _moment(request, Replay(request, match_of(code), phone), version)


def _moment(request: HttpRequest, course: Replay, version: str) -> HttpResponse:
    wanted = version or request.GET.get("at", "")
    try:
        moment = course.moment(wanted) if wanted else course.beginning
    except RequestRefused as refused:
        return message(request, refused, course.match.code)
    if wants_fragment(request):
        return HttpResponse(course.fragment(moment))
    if version != str(moment.version):
        return HttpResponseRedirect(course.url(moment.version))
    return render(request, "records/replay.html", {"page": course.page(moment)})


@require_POST
@limited(OPENINGS)
@refusing
def continued(request: HttpRequest, code: str, version: str) -> HttpResponse:
    """Open a practice table that goes on from a moment, with all its seats on this phone.

    The same form sent again (by its `key`) leads to the table that it opened.
    """
    match = match_of(code)
    try:
        moment = Replay(request, match, seats.phone(request, match.code)).moment(version)
    except RequestRefused as refused:
        return message(request, refused, match.code)
    key = claim_key(request)
    return HttpResponseRedirect(
        reverse("table", args=[_continued(request, match, moment.version, f"{key} practice" if key else "")])
    )


@transaction.atomic
def _continued(request: HttpRequest, match: Match, version: int, key: str) -> str:
    """The code of the practice table, at which this phone plays every side."""
    opens = partial(practice.open_practice, match, version, seats.address_hash(request))
    return seats.open_for_one(request, key, opens).code


@dataclass
class Replay:
    """The moments of one match, and how one visitor has chosen to step through them."""

    request: HttpRequest
    match: Match
    phone: Phone

    # --- what was chosen ---------------------------------------------------------------------------

    @cached_property
    def outline(self) -> tuple[OutlineEntry, ...]:
        """All moments, oldest first; that of version n is the nth."""
        return storage.outline(self.match)

    @cached_property
    def seat_names(self) -> dict[str, str]:
        """The players' names by seat; the colour if a player has no name."""
        colours = system(self.match.system).seat_names
        armies = self.match.armies.order_by("pk").values_list("key", "name")
        return {key: name or _(colours[key]) for key, name in armies}

    @cached_property
    def by(self) -> str:
        wanted = self.request.GET.get("by", "")
        return wanted if wanted in (ROUND, POINTS, *self.seat_names) else ENTRY

    @cached_property
    def skips(self) -> bool:
        """Whether what was undone is left out."""
        return self.request.GET.get("undone") == SKIP

    @cached_property
    def eyes(self) -> str:
        """The seat whose view is shown; "" for what everybody saw, as by default on a shared phone."""
        wanted = self.request.GET.get("seat", "")
        if wanted in self.phone.seats:
            return wanted
        if len(self.phone.seats) != 1 or self.request.GET.get("view") == EVERYBODY:
            return ""
        return self.phone.seats[0]

    @cached_property
    def audience(self) -> Audience:
        return Audience((self.eyes,) if self.eyes else (), get_language() or "en", "replay")

    @cached_property
    def kept(self) -> dict[str, str]:
        """What was chosen, as the query of a moment's address."""
        chosen = {"by": self.by if self.by != ENTRY else "", "undone": SKIP if self.skips else ""}
        return {name: value for name, value in {**chosen, **self.kept_eyes}.items() if value}

    @cached_property
    def kept_eyes(self) -> dict[str, str]:
        """Whose view was chosen, if it is not the default."""
        is_first = self.eyes == (self.phone.seats[0] if len(self.phone.seats) == 1 else "")
        return {} if is_first else {"seat": self.eyes} if self.eyes else {"view": EVERYBODY}

    # --- moments -----------------------------------------------------------------------------------

    def moment(self, wanted: str) -> OutlineEntry:
        """The moment of a version that somebody typed; `RequestRefused` (404) if there is none."""
        if not is_number(wanted, 7) or not 1 <= int(wanted) <= len(self.outline):
            line = say(noop("There is no such entry. This match has entries 1 to %(last)s."), last=self.last)
            raise RequestRefused(line, 404, "no_moment")
        entry = self.outline[int(wanted) - 1]
        return entry if self.counts(entry) else self.nearest(entry)

    def nearest(self, left_out: OutlineEntry) -> OutlineEntry:
        """The last moment before one that is left out."""
        return next(moment for moment in reversed(self.outline[: left_out.version]) if self.counts(moment))

    def counts(self, moment: OutlineEntry) -> bool:
        """Whether a moment is shown; the opening always is."""
        return not self.skips or moment.version == 1 or not (moment.undone or moment.undoing)

    @property
    def last(self) -> int:
        return len(self.outline)

    @cached_property
    def beginning(self) -> OutlineEntry:
        """Where a replay starts: as the first round begins, or else with the opening."""
        return next(
            (moment for moment in self.outline if moment.round and self.counts(moment)), self.outline[0]
        )

    @cached_property
    def stops(self) -> tuple[int, ...]:
        steps = zip((None, *self.shown), self.shown, strict=False)
        return tuple(moment.version for before, moment in steps if self.is_stop(before, moment))

    @cached_property
    def shown(self) -> tuple[OutlineEntry, ...]:
        """The moments that are not left out."""
        return tuple(filter(self.counts, self.outline))

    def is_stop(self, before: OutlineEntry | None, moment: OutlineEntry) -> bool:
        """Whether a step stops at this moment, given the one before it."""
        if self.by == ROUND:
            return before is None or moment.round != before.round
        if self.by == POINTS:
            return before is not None and moment.points != before.points
        return self.by in (ENTRY, moment.seat)

    def url(self, version: int) -> str:
        """The address of a moment, with what was chosen."""
        address = reverse("replay-moment", args=[self.match.code, version])
        return f"{address}?{urlencode(self.kept)}" if self.kept else address

    # --- shapes ------------------------------------------------------------------------------------

    def fragment(self, moment: OutlineEntry) -> str:
        then = Past(self.match, moment.version)
        board = past.board(then, self.audience)
        return part("records/moment.html", board=board, moment=self.shown_moment(moment, then, board))

    def shown_moment(self, moment: OutlineEntry, then: Past, board: view_models.Board) -> Moment:
        """What happened at a moment, and the steps from there."""
        entry = then.entry
        reader = self.eyes if self.eyes and not then.is_blind(self.eyes) else None
        lines = tuple(words(line) for line in storage.readable_lines(entry, reader))
        number, last = moment.version, self.last
        where = _("entry %(version)s of %(last)s") % {"version": number, "last": last}
        spoken = _("%(round)s, %(entry)s.") % {"round": board.header.round_label, "entry": where}
        marks = {key: mark for mark, key in view_models.marked(self.seat_names)}
        end = self.shown[-1].version
        back = max((stop for stop in self.stops if stop < moment.version), default=0)
        onward = min((stop for stop in self.stops if stop > moment.version), default=0)
        practice_url, practice = self.practice(moment, then)
        return Moment(
            version=number,
            place=f"{board.header.round_label} · {number}/{last}",
            who=entry.author or self.seat_names.get(entry.seat, ""),
            mark=marks.get(entry.seat, 0),
            lines=lines,
            undone=_("Undone later") if moment.undone else "",
            asks=board.result.title if board.result else board.question.title,
            asked=board.result.mark if board.result else board.question.mark,
            words=together([spoken, *lines]),
            first=self.way(_("First entry"), "first-of", 1 if number > 1 else 0),
            back=self.way(_("Previous"), "back-one", back),
            onward=self.way(_("Next"), "on-one", onward),
            last=self.way(_("Last entry"), "last-of", end if end > number else 0),
            link_url=address_for_others(
                self.request, reverse("replay-moment", args=[self.match.code, moment.version])
            ),
            practice_url=practice_url,
            practice=practice,
        )

    def practice(self, moment: OutlineEntry, then: Past) -> tuple[str, str]:
        """Where to open a practice table, and a note if it begins earlier; both "" once the match is over."""
        if then.state.result is not None:
            return "", ""
        is_sealed = practice.is_sealed(self.match, then.state)
        earlier = _("Starts before anything was sealed.") if is_sealed else ""
        return reverse("practice", args=[self.match.code, moment.version]), earlier

    def way(self, label: str, icon: str, version: int) -> Way:
        return Way(label, icon, version, self.url(version) if version else "")

    def page(self, moment: OutlineEntry) -> ReplayPage:
        then = Past(self.match, moment.version)
        board = past.board(then, self.audience)
        look = type(then.page)
        return ReplayPage(
            title=board.title,
            code=self.match.code,
            back=back_to(self.match),
            url=reverse("replay", args=[self.match.code]),
            last=self.last,
            board=board,
            moment=self.shown_moment(moment, then, board),
            course=story.course(
                [(then.page.marks[key], name) for key, name in self.seat_names.items()], self.outline
            ),
            choices=tuple(self.choices()),
            skips=self.skips,
            has_undone=any(entry.undone for entry in self.outline),
            eyes=tuple(self.looks(moment)),
            fixed=tuple(self.kept_eyes.items()),
            key=seats.new_key(),
            icons_template=look.icons_template,
            ground=then.page.ground(),
            styles=(*(("table/many.css",) if len(self.seat_names) > 2 else ()), *look.styles),
            scripts=then.page.scripts if then.game.clock is None else (),
            share=self.share(moment, board),
        )

    def share(self, moment: OutlineEntry, board: view_models.Board) -> view_models.Share:
        """What is said of a moment where its address is posted: not how the match goes on from there."""
        path = reverse("replay-moment", args=[self.match.code, moment.version])
        names = " – ".join(map(isolated, self.seat_names.values()))
        text = f"{board.title} · {board.header.round_label} · {moment.version}/{self.last}"
        return share(self.request, path, f"{_('Replay')} · {names}", text)

    def choices(self) -> Iterator[Select]:
        """What one step goes by, and how fast it plays."""
        rounds = _(system(self.match.system).round_word)
        by = {ENTRY: _("Every entry"), ROUND: rounds, POINTS: _("Points"), **self.seat_names}
        yield Select(
            "by",
            _("Step size"),
            tuple(view_models.Option(value, label, value == self.by) for value, label in by.items()),
        )
        yield Select(
            "speed",
            _("Playback speed"),
            tuple(view_models.Option(value, label, label == "1×") for value, label in SPEEDS),
        )

    def looks(self, moment: OutlineEntry) -> Iterator[view_models.Link]:
        """Links to what everybody saw and to what each of this phone's seats saw; none for a watcher."""
        if not self.phone.seats:
            return
        address = reverse("replay-moment", args=[self.match.code, moment.version])
        rest = {name: value for name, value in self.kept.items() if name not in ("seat", "view")}
        url = f"{address}?{urlencode({**rest, 'view': EVERYBODY})}"
        yield view_models.Link(url, _("What everyone saw"), current=not self.eyes)
        for seat in self.phone.seats:
            url = f"{address}?{urlencode({**rest, 'seat': seat})}"
            label = _("What %(name)s saw") % {"name": self.seat_names[seat]}
            yield view_models.Link(url, label, current=seat == self.eyes)
