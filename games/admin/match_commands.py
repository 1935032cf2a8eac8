"""What an organiser does to one match with a button, or to many, each in a transaction of its own."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy

from games.admin import match_facts, piece_fields
from games.admin.admin_pages import author_of
from games.admin.match_edits import ReasonForm, RulingForm, carry_out
from games.admin.piece_fields import colour
from games.core import IllegalAction, NotServed, RequestRefused, State, first_sentence, is_served, say
from games.core import gettext_noop as noop
from games.hall.models import Announcement, Call, Event, Helper, Pairing, Player
from games.history.commits import UnreadableRow, reading
from games.match import match_file, play, storage, undoing
from games.models import Army, Entry, Match, Objective, Round, Score, Seat, Unit
from games.people import seats
from games.translation import gettext as _
from games.translation import ngettext, words
from games.webhooks import worker

Change = Callable[[State], None]
Command = Callable[[HttpRequest, Match], str]
COMMANDS: dict[str, Command] = {}
"""What one button does, by its name: each returns the sentence that says so."""


@admin.action(description=gettext_lazy("Free all seats of the selected matches"), permissions=["change"])
def free_seats(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> None:
    """Free every seat of the chosen matches."""
    count = 0
    for seat in Seat.objects.filter(match__in=queryset).select_related("match"):
        seats.revoke(seat)
        count += 1
    sentence = ngettext("%(count)d seat is free.", "%(count)d seats are free.", count) % {"count": count}
    model_admin.message_user(request, sentence, messages.SUCCESS)


@admin.action(description=gettext_lazy("Show among the live tables"), permissions=["change"])
def show_listed(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> None:
    """Show the chosen matches on the home page."""
    _set_listed(model_admin, request, queryset, True)


@admin.action(description=gettext_lazy("Take off the list of live tables"), permissions=["change"])
def take_off_list(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> None:
    """Stop showing the chosen matches on the home page."""
    _set_listed(model_admin, request, queryset, False)


def _set_listed(model_admin: Any, request: HttpRequest, queryset: QuerySet, is_listed: bool) -> None:
    count = Match.objects.filter(pk__in=queryset.values("pk")).update(is_listed=is_listed)
    model_admin.message_user(request, _changed(count), messages.SUCCESS)


@admin.action(description=gettext_lazy("Adjudicate …"), permissions=["change"])
def adjudicate(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
    """End matches as the organiser decides; the edit is in each match's log and can be undone."""
    matches = list(queryset)
    form = RulingForm(_posted(request), seats=_seats_of_all(matches))
    if not form.is_valid():
        return _ask(
            model_admin, request, queryset, form, "adjudicate", _("Adjudicate"), _("End with this result")
        )
    winner = form.cleaned_data["winner"]
    result = {"winner": None if winner == RulingForm.DRAW else winner, "how": "adjudication"}
    return _edit_all(model_admin, request, matches, lambda g: ends(g, result), form.cleaned_data["reason"])


@admin.action(description=gettext_lazy("End as time is up: the points decide"), permissions=["change"])
def time_out(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
    """End matches that ran out of time, as they stand."""
    matches = [match for match in queryset if match.result is None]
    form = ReasonForm(_posted(request))
    if not form.is_valid():
        return _ask(
            model_admin, request, queryset, form, "time_out", _("End on time"), _("End with this score")
        )
    return _edit_all(model_admin, request, matches, as_it_stands, form.cleaned_data["reason"])


@admin.action(description=gettext_lazy("Export as JSON"), permissions=["view"])
def export(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
    """Export one match as its file, several as an archive; a match in play only as spectators may know it."""
    files = []
    for match in queryset:
        try:
            files.append((f"roundtable-{match.code}.json", _file(match)))
        except (RequestRefused, NotServed) as refused:
            _tell_why_not(model_admin, request, match, refused)
    if not files:
        return None
    if len(files) == 1:
        name, text = files[0]
        return _download(name, "application/json", text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return _download("roundtable-matches.zip", "application/zip", packed.getvalue())


def _file(match: Match) -> bytes:
    with reading(match):
        return json.dumps(match_file.export(match, None), ensure_ascii=False).encode()


def _download(name: str, kind: str, content: bytes) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


ALL = (free_seats, show_listed, take_off_list, adjudicate, time_out, export)


# --- ending --------------------------------------------------------------------------------------


def ends(g: State, result: dict[str, Any]) -> None:
    """End the match with this result, and the points as they stand."""
    g.result = {**result, "points": {seat: g.points(seat) for seat in g.seats}}


def as_it_stands(g: State) -> None:
    """End the match because time is up: the side ahead has won, by the game's own measure if it has one.

    `IllegalAction` if it has ended meanwhile: that result stays.
    """
    if g.result is not None:
        raise IllegalAction(say(noop("The match is over.")))
    best = max(g.points(seat) for seat in g.seats)
    ahead = [seat for seat in g.seats if g.points(seat) == best]
    ends(g, {"winner": ahead[0] if len(ahead) == 1 else None, "how": "time-out"})


def _edit_all(
    model_admin: Any, request: HttpRequest, matches: list[Match], change: Change, reason: str
) -> HttpResponse:
    author, count = author_of(request), 0
    for match in matches:
        try:
            with reading(match):
                verdict = carry_out(match.code, change, author, reason)
        except (RequestRefused, NotServed) as refused:
            _tell_why_not(model_admin, request, match, refused)
            continue
        if verdict.version != match.version:
            model_admin.log_change(request, match, reason)
            count += 1
    model_admin.message_user(request, _changed(count), messages.SUCCESS if count else messages.WARNING)
    return HttpResponseRedirect(_back(matches))


def _tell_why_not(model_admin: Any, request: HttpRequest, match: Match, why: Exception) -> None:
    sentence = words(why.line) if isinstance(why, RequestRefused) else match_facts.not_served(match.system)
    model_admin.message_user(request, f"{match.code}: {sentence}", messages.ERROR)


def _back(matches: list[Match]) -> str:
    """Where the organiser came from: the page of the one match, or the list."""
    if len(matches) == 1:
        return reverse("admin:games_match_change", args=[matches[0].pk])
    return reverse("admin:games_match_changelist")


def _seats_of_all(matches: list[Match]) -> list[tuple[str, str]]:
    """The seats that all these matches have, by colour, or by name if there is only one match."""
    if len(matches) == 1:
        return [(army.key, match_facts.name_of(matches[0], army)) for army in matches[0].armies.all()]
    keys = [[army.key for army in match.armies.all()] for match in matches]
    shared = [key for key in keys[0] if all(key in other for other in keys)] if keys else []
    return [(key, piece_fields.colour(matches[0].system, key)) for key in shared]


def _posted(request: HttpRequest) -> Any:
    return request.POST if "decided" in request.POST else None


def _ask(
    model_admin: Any,
    request: HttpRequest,
    queryset: QuerySet,
    form: Any,
    action: str,
    title: str,
    button: str,
) -> HttpResponse:
    """The page between choosing an action and doing it."""
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "button": button,
        "form": form,
        "opts": model_admin.opts,
        "media": model_admin.media,
        "matches": [(match.code, match_facts.score(match), match_facts.state(match)) for match in queryset],
        "chosen": [match.pk for match in queryset],
        "back": _back(list(queryset)),
        "checkbox": ACTION_CHECKBOX_NAME,
        "action": action,
    }
    return TemplateResponse(request, "admin/games/match/decide.html", context)


def _changed(count: int) -> str:
    return ngettext("%(count)d match was changed.", "%(count)d matches were changed.", count) % {
        "count": count
    }


# --- deleting ------------------------------------------------------------------------------------


def deletion(matches: list[Match]) -> tuple[list[str], dict[str, int], set[str], list[str]]:
    """What deleting means, for the stock page that asks; a match that is being played is protected.

    Not so one that nobody can end: its game is gone, or it was altered so that the rules cannot follow.
    """
    begun = (match for match in matches if match.finished_at is None and match.round)
    running = [match for match in begun if is_served(match.system) and _can_be_ended(match)]
    shown = [f"{match.code} · {match_facts.score(match)}" for match in matches]
    counts = {str(Match._meta.verbose_name_plural): len(matches)}
    for row in (Army, Unit, Objective, Round, Score, Entry):
        counts[str(row._meta.verbose_name_plural)] = row._default_manager.filter(match__in=matches).count()
    protected = [_("%(code)s is being played; end it first.") % {"code": match.code} for match in running]
    return shown, counts, set(), protected


def _can_be_ended(match: Match) -> bool:
    """Whether an organiser can end a match: one whose rows somebody altered may be past that."""
    try:
        with reading(match), transaction.atomic():
            carry_out(match.code, as_it_stands, "", "")
            transaction.set_rollback(True)
    except UnreadableRow:
        return False
    except RequestRefused:
        return match.result is None
    return True


def delete(match: Match) -> None:
    """Delete a match with all its rows; phones lose their seats, and those who watch are told."""
    with transaction.atomic():
        seats.revoke(*Seat.objects.filter(match=match).select_related("match"))
        # Without seats, nothing so far has waited for somebody who is just changing this table.
        Match.objects.select_for_update().filter(pk=match.pk).first()
        worker.forget(match.code)
        match.delete()
        forget_the_gone()


@dataclass(frozen=True)
class Button:
    """One command: what it says, where it is sent, and the values that go with it."""

    label: str
    url: str
    values: tuple[tuple[str, str], ...]


def buttons(match: Match) -> Iterator[Button]:
    """What can be done with this match now."""
    if match.altered:
        if match.altered["restorable"]:
            yield _button(match, play.RESTORE, _("Restore the sealed answers"))
        yield _button(match, play.ACCEPT, _("Continue with what is stored"))
    end, last = ending_action(match), undoing.newest(match)
    if match.undo_request:
        yield _button(match, "agree", _("Agree to the undo"))
        yield _button(match, "decline", _("Decline the undo"))
    if end is not None:
        yield _button(match, "reopen", _("Reopen the match"), version=end.version)
    if last and last != end:
        label = _("Undo: %(action)s") % {"action": words(first_sentence(last.lines))}
        yield _button(match, "undo", label, version=last.version)
    if match.result is None:
        yield _question(match, "time_out", _("Time is up: the points decide …"))
    yield _question(match, "adjudicate", _("Adjudicate …"))
    for seat in Seat.objects.filter(match=match, is_taken=True):
        label = _("Free the seat %(seat)s") % {"seat": colour(match.system, seat.key)}
        yield _button(match, "free", label, seat=seat.key)
    if match.is_listed:
        yield _button(match, "unlist", _("Take off the list of live tables"))
    else:
        yield _button(match, "list", _("Show among the live tables"))


def _button(match: Match, command: str, label: str, **values: Any) -> Button:
    """A button that does something at once."""
    url = reverse("admin:games_match_do", args=[match.pk])
    fields = ((name, str(value)) for name, value in values.items())
    return Button(label, url, (("command", command), *fields))


def _question(match: Match, action: str, label: str) -> Button:
    """A button that leads to a page which asks for more first."""
    url = reverse("admin:games_match_changelist")
    return Button(label, url, (("action", action), (ACTION_CHECKBOX_NAME, str(match.pk))))


def do(model_admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Carry out a command, say what was done, and show the match again."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    match, command = model_admin.get_object(request, object_id), request.POST.get("command", "")
    if match is None or command not in COMMANDS:
        raise Http404
    if not model_admin.has_change_permission(request, match):
        raise PermissionDenied
    try:
        sentence = COMMANDS[command](request, match)
    except RequestRefused as refused:
        if refused.error == storage.ERROR:
            play.tell_altered(match.code)
        model_admin.message_user(request, words(refused.line), messages.ERROR)
    else:
        model_admin.log_change(request, match, sentence)
        model_admin.message_user(request, sentence, messages.SUCCESS)
    return HttpResponseRedirect(reverse("admin:games_match_change", args=[match.pk]))


def _command(name: str) -> Callable[[Command], Command]:
    """Let a button of this name carry out a function."""

    def mark(command: Command) -> Command:
        COMMANDS[name] = command
        return command

    return mark


@_command("agree")
def _agree(request: HttpRequest, match: Match) -> str:
    undoing.answer(match.code, "", True, play.new_key(), author_of(request))
    return _("Undone.")


@_command("decline")
def _decline(request: HttpRequest, match: Match) -> str:
    undoing.answer(match.code, "", False, play.new_key(), author_of(request))
    return _("Undo declined. Nothing changed.")


@_command("undo")
def _undo(request: HttpRequest, match: Match) -> str:
    """Undo the newest action that stands, if it is still the one that the button named."""
    entry = _undo_named(request, match, undoing.newest(match))
    return _("Undone: %(action)s") % {"action": words(first_sentence(entry.lines))}


def ending_action(match: Match) -> Entry | None:
    """The action that ended a match, if it can be undone."""
    if match.result is None:
        return None
    ends = (entry for entry in undoing.undoable(match) if _has_ended(entry))
    return next(ends, None)


def _has_ended(entry: Entry) -> bool:
    return entry.before.get("result") is None and entry.after.get("result") is not None


@_command("reopen")
def _reopen(request: HttpRequest, match: Match) -> str:
    """Take back the action that ended the match, with everything that rests on it."""
    _undo_named(request, match, ending_action(match))
    return _("The match continues.")


def _undo_named(request: HttpRequest, match: Match, entry: Entry | None) -> Entry:
    if entry is None or str(entry.version) != request.POST.get("version"):
        raise RequestRefused(say(noop("Something changed. Check the history before you undo.")), 409, "stale")
    undoing.ask(match.code, "", entry.version, play.new_key(), author_of(request))
    return entry


@_command("free")
def _free(request: HttpRequest, match: Match) -> str:
    seat = seats.chair(match, request.POST.get("seat", ""), 422)
    seats.revoke(seat)
    return _("The seat %(seat)s is free.") % {"seat": colour(match.system, seat.key)}


@_command(play.RESTORE)
def _restore(request: HttpRequest, match: Match) -> str:
    play.restore_secrets(match.code, "", play.new_key(), author_of(request))
    return _("The sealed answers are restored. The match continues.")


@_command(play.ACCEPT)
def _accept(request: HttpRequest, match: Match) -> str:
    play.accept_altered(match.code, "", play.new_key(), author_of(request))
    return _("The match continues with what is stored. The history shows this.")


@_command("list")
def _list(request: HttpRequest, match: Match) -> str:
    Match.objects.filter(pk=match.pk).update(is_listed=True)
    return _("Shown among the live tables.")


@_command("unlist")
def _unlist(request: HttpRequest, match: Match) -> str:
    Match.objects.filter(pk=match.pk).update(is_listed=False)
    return _("No longer shown among the live tables.")


PIECES: tuple[type[Model], ...] = (Army, Unit, Objective, Score, Player, Helper, Pairing, Call, Announcement)


def forget_the_gone() -> None:
    """Delete the lines about rows that no longer exist, except those that a table or an event was deleted."""
    models: tuple[type[Model], ...] = (Match, Event, *PIECES)
    for model in models:
        lines = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        if model not in PIECES:
            lines = lines.exclude(action_flag=DELETION)
        named = {number for number in lines.values_list("object_id", flat=True) if number}
        here = model._default_manager.filter(pk__in=named).values_list("pk", flat=True)
        lines.filter(object_id__in=named - set(map(str, here))).delete()
