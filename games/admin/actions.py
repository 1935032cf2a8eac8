"""What an organiser does to many matches at once, each in its own transaction, so that no tap waits long."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.admin import columns, facts
from games.admin.base import author_of
from games.admin.edits import carry_out
from games.admin.forgetting import forget_the_gone
from games.admin.forms import ReasonForm, RulingForm
from games.core.state import State
from games.core.steps import IllegalAction
from games.core.system import NotServed, is_served
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.history.verdict import RequestRefused, UnreadableRow, reading
from games.match import match_file
from games.models import Army, Entry, Match, Objective, Round, Score, Seat, Unit
from games.people import seats
from games.translation import words
from games.webhooks import worker

Change = Callable[[State], None]


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
    sentence = words(why.line) if isinstance(why, RequestRefused) else facts.not_served(match.system)
    model_admin.message_user(request, f"{match.code}: {sentence}", messages.ERROR)


def _back(matches: list[Match]) -> str:
    """Where the organiser came from: the page of the one match, or the list."""
    if len(matches) == 1:
        return reverse("admin:games_match_change", args=[matches[0].pk])
    return reverse("admin:games_match_changelist")


def _seats_of_all(matches: list[Match]) -> list[tuple[str, str]]:
    """The seats that all these matches have, by colour, or by name if there is only one match."""
    if len(matches) == 1:
        return [(army.key, facts.name_of(matches[0], army)) for army in matches[0].armies.all()]
    keys = [[army.key for army in match.armies.all()] for match in matches]
    shared = [key for key in keys[0] if all(key in other for other in keys)] if keys else []
    return [(key, columns.colour(matches[0].system, key)) for key in shared]


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
        "matches": [(match.code, facts.score(match), facts.state(match)) for match in queryset],
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
    shown = [f"{match.code} · {facts.score(match)}" for match in matches]
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
