"""Points that an organiser gives at the top of a match's page: a number per side, one reason, one entry."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import reverse
from django.utils.translation import gettext as _

from games.admin import columns, facts, fields
from games.admin.base import author_of
from games.admin.edits import Edit, carry_out
from games.core.system import system
from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_key
from games.history.logbook import lines_for
from games.history.verdict import RequestRefused
from games.match import play
from games.match.storage import LoadedMatch
from games.models import Entry, Match, Score
from games.spacing import together
from games.translation import words

MOST = 999
PREFIX = "points"


class PointsForm(forms.Form):
    """How many points each side gains or loses now, and why.

    What was scored is never changed: a correction is another row. A number is added to the points at the
    time of saving, so a player's tap in between does no harm; `key` makes a repeated save the same save.
    """

    key = forms.Field(widget=forms.HiddenInput, required=False)
    reason = fields.Reason(PIECE_GRAPHEMES)

    def __init__(self, loaded: LoadedMatch, sent: Any = None) -> None:
        super().__init__(sent, prefix=PREFIX, initial={"key": play.new_key()})
        self.loaded = loaded
        for number, seat in enumerate(loaded.state.seats, 1):
            field = fields.Number(-MOST, MOST, is_optional=True, label=columns.seat_name(loaded.state, seat))
            field.widget = forms.NumberInput(attrs=_touch(field.label))
            field.widget.attrs["id"] = f"id_{PREFIX}-side-{number}"
            self.fields[f"side-{seat}"] = field

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.given:
            raise ValidationError(_("Nobody has been given points yet. Choose a number beside a side."))
        return cleaned

    def clean_reason(self) -> str:
        reason = self.cleaned_data["reason"]
        most = Score._meta.get_field("reason").max_length or 0
        if len(reason) > most:
            raise ValidationError(_("This is too long. Please say it shorter."))
        return reason

    def clean_key(self) -> str:
        try:
            return clean_key(self.cleaned_data["key"])
        except Unreadable:
            # Without its key a save still counts, but counts again if it is sent again.
            return play.new_key()

    @property
    def given(self) -> list[tuple[str, int]]:
        """The sides whose points change, and by how much."""
        sides = ((seat, self.cleaned_data.get(f"side-{seat}")) for seat in self.loaded.state.seats)
        return [(seat, change) for seat, change in sides if change]

    @property
    def sides(self) -> list[dict[str, Any]]:
        """The rows of the score table: the side, its points, and its field."""
        return [{**side, "field": self[f"side-{side['seat']}"]} for side in sides(self.loaded)]


def sides(loaded: LoadedMatch) -> list[dict[str, Any]]:
    """Every side with its name, its colour and its points."""
    g = loaded.state
    return [
        {
            "seat": seat,
            "mark": mark,
            "name": columns.seat_name(g, seat),
            "colour": columns.colour(g.system, seat) if g.armies[seat].name else "",
            "points": g.points(seat),
        }
        for mark, seat in enumerate(g.seats, 1)
    ]


def rows(loaded: LoadedMatch) -> list[tuple[str, str, str, str, str, str]]:
    """What was given so far, newest first: round, side, points, reason, what it was for, who gave it."""
    g = loaded.state
    return [
        (
            words(system(g.system).round_name(one.round)),
            columns.seat_name(g, one.seat),
            f"{one.points:+d}",
            columns.translated(one.reason),
            columns.translated(one.source),
            columns.translated(one.author),
        )
        for one in reversed(g.scores.values())
    ]


def may_give(model_admin: Any, request: HttpRequest, match: Match) -> bool:
    """Whether this person may give points: they may change the match and add points."""
    user: Any = request.user
    return model_admin.has_change_permission(request, match) and user.has_perm("games.add_score")


def give(model_admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Give the points as one edit of the match; if something is not valid, ask again with what was typed."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    match = model_admin.get_object(request, object_id)
    if match is None:
        raise Http404
    if not may_give(model_admin, request, match):
        raise PermissionDenied
    form = PointsForm(facts.loaded_of(match), request.POST)
    if form.is_valid() and (said := _given(model_admin, request, match, form)):
        model_admin.message_user(request, said)
        return HttpResponseRedirect(reverse("admin:games_match_change", args=[match.pk]))
    # The stock page would save whatever was posted.
    request.method, request.POST = "GET", QueryDict()
    return model_admin.changeform_view(request, object_id, extra_context={"points": form})


def _given(model_admin: Any, request: HttpRequest, match: Match, form: PointsForm) -> str:
    """What the log says about it; "" if the match cannot go on from there, with the sentence in the form."""
    reason, key = form.cleaned_data["reason"], form.cleaned_data["key"]
    edit = Edit(author_of(request), points=[(seat, change, reason) for seat, change in form.given])
    try:
        verdict = carry_out(match.code, edit, edit.author, reason, key)
    except RequestRefused as refused:
        form.add_error(None, words(refused.line))
        return ""
    entry = Entry.objects.get(match=match, version=verdict.version)
    sentences = together(words(line) for line in lines_for(entry, None))
    if not verdict.is_replay:
        model_admin.log_change(request, match, sentences)
    return sentences


def _touch(label: Any) -> dict[str, Any]:
    return {
        "aria-label": label,
        "step": 1,
        "min": -MOST,
        "max": MOST,
        "placeholder": "0",
        "autocomplete": "off",
    }
