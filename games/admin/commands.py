"""What an organiser does to one match with one button: free a seat, answer a request, undo, list it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.admin.base import author_of
from games.admin.columns import colour
from games.core.words import first_sentence, say
from games.core.words import gettext_noop as noop
from games.history.verdict import RequestRefused
from games.match import log, play, undoing
from games.models import Entry, Match, Seat
from games.people import seats
from games.translation import words


@dataclass(frozen=True)
class Button:
    """One command: what it says, where it is sent, and the values that go with it."""

    label: str
    url: str
    values: tuple[tuple[str, str], ...]


def buttons(match: Match) -> tuple[Button, ...]:
    """What can be done with this match now."""
    return tuple(_buttons(match))


def _buttons(match: Match) -> Iterator[Button]:
    if match.altered:
        if match.altered["restorable"]:
            yield _button(match, play.RESTORE, _("Put back what was committed to"))
        yield _button(match, play.ACCEPT, _("Go on with what is stored"))
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
    told = ((name, str(value)) for name, value in values.items())
    return Button(label, url, (("command", command), *told))


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
        if refused.error == log.ERROR:
            play.tell_altered(match.code)
        model_admin.message_user(request, words(refused.line), messages.ERROR)
    else:
        model_admin.log_change(request, match, sentence)
        model_admin.message_user(request, sentence, messages.SUCCESS)
    return HttpResponseRedirect(reverse("admin:games_match_change", args=[match.pk]))


def _agree(request: HttpRequest, match: Match) -> str:
    undoing.answer(match.code, "", True, play.new_key(), author_of(request))
    return _("Undone.")


def _decline(request: HttpRequest, match: Match) -> str:
    undoing.answer(match.code, "", False, play.new_key(), author_of(request))
    return _("Undo declined. Nothing changed.")


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


def _reopen(request: HttpRequest, match: Match) -> str:
    """Take back the action that ended the match, with everything that rests on it."""
    _undo_named(request, match, ending_action(match))
    return _("The match goes on.")


def _undo_named(request: HttpRequest, match: Match, entry: Entry | None) -> Entry:
    if entry is None or str(entry.version) != request.POST.get("version"):
        raise RequestRefused(say(noop("Something changed. Check the history before you undo.")), 409, "stale")
    undoing.ask(match.code, "", entry.version, play.new_key(), author_of(request))
    return entry


def _free(request: HttpRequest, match: Match) -> str:
    seat = seats.chair(match, request.POST.get("seat", ""), 422)
    seats.revoke(seat)
    return _("The seat %(seat)s is free.") % {"seat": colour(match.system, seat.key)}


def _restore(request: HttpRequest, match: Match) -> str:
    play.restore_secrets(match.code, "", play.new_key(), author_of(request))
    return _("What was committed to is put back. The match goes on.")


def _accept(request: HttpRequest, match: Match) -> str:
    play.accept_altered(match.code, "", play.new_key(), author_of(request))
    return _("The match goes on with what is stored. The history says so.")


def _list(request: HttpRequest, match: Match) -> str:
    Match.objects.filter(pk=match.pk).update(is_listed=True)
    return _("Shown among the live tables.")


def _unlist(request: HttpRequest, match: Match) -> str:
    Match.objects.filter(pk=match.pk).update(is_listed=False)
    return _("No longer shown among the live tables.")


COMMANDS: dict[str, Callable[[HttpRequest, Match], str]] = {
    "agree": _agree,
    "decline": _decline,
    "undo": _undo,
    "reopen": _reopen,
    play.RESTORE: _restore,
    play.ACCEPT: _accept,
    "free": _free,
    "list": _list,
    "unlist": _unlist,
}
