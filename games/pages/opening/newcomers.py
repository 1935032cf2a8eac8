"""First steps: a round of any game alone on one phone, and what an organiser does first."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games import translation, view_models
from games.core import RequestRefused, System, ViewModel, say, systems
from games.core import gettext_noop as noop
from games.match import demo, practice
from games.models import Match
from games.pages.common import claim_key, match_of, refusing
from games.people import seats
from games.translation import gettext as _
from games.translation import ngettext
from games.web import OPENINGS, limited


class FirstRound(ViewModel):
    """A game that can be tried: `url` begins its round with one tap, `teaches` and `taps` say what comes."""

    url: str
    title: str
    teaches: str = ""
    taps: str = ""


class FirstStepsPage(ViewModel):
    """The page of all games that can be tried. With its `key` a tap that got no answer can be repeated."""

    back: view_models.Link
    rounds: tuple[FirstRound, ...]
    key: str
    links: tuple[view_models.Link, ...] = ()


class OrganiserStep(ViewModel):
    """One thing that an organiser does first, and where it is done."""

    title: str
    text: str
    links: tuple[view_models.Link, ...] = ()


class OrganisingPage(ViewModel):
    back: view_models.Link
    steps: tuple[OrganiserStep, ...]
    more: tuple[tuple[str, str], ...] = ()


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every game that can be tried, each one tap away."""
    shown = FirstStepsPage(
        view_models.Link(reverse("home"), _("Home")),
        rounds(),
        seats.new_key(),
        (view_models.Link(reverse("first-event"), _("Organiser quick start"), "people"),),
    )
    return render(request, "opening/first_steps.html", {"page": shown})


def rounds() -> tuple[FirstRound, ...]:
    """The games to try, the featured ones first."""
    return tuple(map(_round, sorted(systems(), key=lambda game: not game.featured)))


def _round(game: System) -> FirstRound:
    first = game.first_steps
    taps = ngettext("%(count)d tap", "%(count)d taps", first.taps) % {"count": first.taps}
    with translation.override_game(game.slug):
        teaches = _(first.teaches) if first.teaches else ""
        title = _(game.title)
    return FirstRound(reverse("first-round", args=[game.slug]), title, teaches, taps if first.taps else "")


@require_POST
@limited(OPENINGS)
@refusing
def begin(request: HttpRequest, game: str) -> HttpResponse:
    """Open a practice round of a game with all its seats on this phone.

    The same form sent again (by its `key`) leads to the table that it opened.
    """
    if game not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    key = claim_key(request)
    return HttpResponseRedirect(
        reverse("table", args=[_begun(request, game, f"{key} {game}" if key else "")])
    )


@transaction.atomic
def _begun(request: HttpRequest, game: str, key: str) -> str:
    """The code of the practice table, at which this phone plays every side."""
    opens = partial(practice.open_first_steps, game, seats.address_hash(request))
    return seats.open_for_one(request, key, opens).code


@require_safe
@refusing
def demo_table(request: HttpRequest) -> HttpResponse:
    """To the table at which two robots play, unless an organiser has switched it off."""
    if not settings.DEMO:
        raise RequestRefused(say(noop("There is no live demo on this server.")), 404, "unknown")
    return HttpResponseRedirect(reverse("table", args=[demo.table().code]))


@require_POST
@refusing
def close(request: HttpRequest, code: str) -> HttpResponse:
    """Close the first steps; the practice table stays."""
    match = match_of(code)
    seats.phone(request, match.code).seat()
    Match.objects.filter(pk=match.pk).update(is_guided=False)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


@require_safe
def organising(request: HttpRequest) -> HttpResponse:
    """What an organiser does first: an event in three steps, and where to find everything else."""
    steps = (
        OrganiserStep(
            _("Open the event"),
            _("Choose the game and type a name. Everything else has a default you can change later."),
            (view_models.Link(reverse("new-event"), _("New event"), "plus", tone="main"),),
        ),
        OrganiserStep(
            _("Add the players"),
            _(
                "Show the QR code on the organisers’ page. Players register on their own phones. You can "
                "also enter or paste names."),
        ),
        OrganiserStep(
            _("Press the big button"),
            _(
                "It always offers the next step: check in, pair the round, open it, start the clock, "
                "close it. Results arrive from the tables automatically."),
        ),
    )  # fmt: skip
    more = (
        (_("Just a table, no event?"), _("Start a table and let the others scan its code.")),
        (_("A wrong tap?"), _("Undo it. Nothing is lost, and the history says who did what.")),
        (
            _("A wrong score, a lost phone?"),
            _("The admin corrects every table and gives a seat back. Its password was shown when "
              "Roundtable was first started."),
        ),
    )  # fmt: skip
    shown = OrganisingPage(view_models.Link(reverse("home"), _("Home")), steps, more)
    return render(request, "opening/first_event.html", {"page": shown})
