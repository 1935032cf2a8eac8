"""What an organiser does in a browser, in a few words for tests."""

from __future__ import annotations

import random

from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from games.core import State
from games.match import play
from games.models import Match, Seat
from tests.playing import Playing


def put(match: Match, position: State) -> None:
    """Set a match to a position; its players keep their names."""

    def change(g: State) -> None:
        for name in set(position.field_names()) - {"seed", "drawn", "asked", "rules"}:
            setattr(g, name, getattr(position, name))
        for army in match.armies.all():
            g.armies[army.key].name = army.name

    play.edit(match.code, change, "olenna", "a position for a test")
    match.refresh_from_db()


def started(system: str, mode: str, names: dict[str, str], seed: int) -> Match:
    """A match that robots have brought into its first round."""
    match = play.open_match(system, mode, names, seed=f"canary-seed-{seed}")
    luck, playing = random.Random(seed), Playing(match)
    while playing.state.round == 0:
        playing.at_random(luck, 1)
    match.refresh_from_db()
    return match


def taken(match: Match, key: str) -> Seat:
    """A seat that somebody holds."""
    Seat.objects.filter(match=match, key=key).update(is_taken=True)
    return Seat.objects.select_related("match").get(match=match, key=key)


def change_url(row) -> str:
    return reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])


def filled(answer) -> MultiValueDict:
    """What a browser would send for the forms of a page if nobody touched them."""
    sent: MultiValueDict = MultiValueDict()
    for form in [answer.context["adminform"].form, *_inline_forms(answer)]:
        for bound in form:
            _send(sent, bound)
    for formset in answer.context["inline_admin_formsets"]:
        for bound in formset.formset.management_form:
            _send(sent, bound)
    return sent


def _inline_forms(answer):
    for formset in answer.context["inline_admin_formsets"]:
        yield from formset.formset.forms


def _send(sent, bound) -> None:
    value = bound.value()
    if hasattr(bound.field, "posted"):
        values = [value] if isinstance(value, str) else bound.field.posted(value)
    elif bound.name == "DELETE":
        values = []
    else:
        values = ["" if value is None else str(value)]
    if values:
        sent.setlist(bound.html_name, values)


def saved(client, row, reason="a reason", seen=None, **changes):
    """Open a row's page, change some fields, save; answers the response of the save."""
    url = change_url(row)
    sent = filled(client.get(url))
    for name, value in changes.items():
        if value is None:
            sent.pop(name, None)
        else:
            sent.setlist(name, value if isinstance(value, list) else [value])
    sent["reason"] = reason
    if seen is not None:
        sent["seen"] = seen
    return client.post(url, dict(sent.lists()))


def inline(client, match: Match, prefix: str, key: str) -> str:
    """The name that the fields of a piece start with on the match's page: "units-3"."""
    formsets = client.get(change_url(match)).context["inline_admin_formsets"]
    formset = next(one.formset for one in formsets if one.formset.prefix == prefix)
    return next(form.prefix for form in formset.initial_forms if form.instance.key == key)


def errors_of(answer) -> list[str]:
    """All sentences of a form that was not saved."""
    assert answer.status_code == 200, answer
    return [str(error) for errors in answer.context["errors"] for error in _flat(errors)]


def _flat(errors):
    return [errors] if isinstance(errors, str) else list(errors)
