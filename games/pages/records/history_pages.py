"""What happened: the whole log, and the draws that anybody can recompute."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.views.decorators.http import require_safe

import games.verify
from games import core, view_models
from games.core import ViewModel, is_number, system
from games.history import commits
from games.match import match_file, storage, undoing
from games.models import Entry, Match
from games.pages.common import Forms, back_to, chosen_seat, forms_of, match_of, refusing
from games.people import seats
from games.people.seats import Phone
from games.translation import gettext as _
from games.translation import words
from games.web import one_moment

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
    return list(entries[:AT_ONCE])


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
        for number, group in groupby(_completed(match, sequences), key=lambda told: told[0][0].round)
    )


def _sequences(field: str, entries: list[Entry]) -> list[tuple[Entry, ...]]:
    """What was done, newest first: what was undone apart from what stands, and its undoing in one."""
    stands = [entry for entry in entries if not hasattr(entry, "undone_by")]
    gone = undoing.sequences(field, [entry for entry in entries if hasattr(entry, "undone_by")])
    first = {entry.pk: sequence[0].pk for sequence in gone for entry in sequence}
    out: dict[object, tuple[Entry, ...]] = {}
    for sequence in (*undoing.sequences(field, stands), *gone):
        undoes = first.get(sequence[0].undoes_id or 0) if sequence[0].kind == Entry.Kind.UNDO else None
        key = ("undo", undoes) if undoes else sequence[0].pk
        out[key] = (*out.get(key, ()), *sequence)
    return sorted(out.values(), key=lambda sequence: -sequence[0].version)


def _completed(match: Match, sequences: list[tuple[Entry, ...]]) -> Iterator[tuple[tuple[Entry, ...], int]]:
    """What was done, newest first, each with the version that it begins with (`Step.completes`)."""
    verbs = {(step.name, verb) for step in system(match.system).steps for verb in step.completes}
    at = 0
    while at < len(sequences):
        entry, older = sequences[at][0], [earlier for earlier, *_rest in sequences[at + 1 : at + 2]]
        is_completing = (entry.step, entry.action.split(":")[0]) in verbs and not hasattr(entry, "undone_by")
        is_two = is_completing and [(each.seat, each.kind) for each in older] == [(entry.seat, entry.kind)]
        yield sequences[at], older[0].version if is_two else entry.version
        at += 1 + is_two


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
