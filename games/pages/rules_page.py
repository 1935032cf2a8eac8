"""The rules of a game as the program carries them out, for reading."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rulebook, translation, view_models
from games.core import RequestRefused, ViewModel, say, system, systems
from games.pages.common import back_to, match_of, refusing


class RulesChapter(ViewModel):
    """The rules under one heading, each with its id."""

    title: str
    rules: tuple[tuple[str, str], ...]


class RulesPage(ViewModel):
    """Every rule that a game carries out, in our own words; `edition` names the printed rules."""

    title: str
    back: view_models.Link
    chapters: tuple[RulesChapter, ...]
    edition: str = ""


@require_safe
@refusing
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """Every rule of a game, including those of all its modes."""
    if game not in {each.slug for each in systems()}:
        raise RequestRefused(say("There is no game of this name here."), 404, "unknown")
    translation.activate_game(game)
    return _page(request, game, view_models.Link(reverse("home"), _("Home")))


@require_safe
@refusing
def of_table(request: HttpRequest, code: str) -> HttpResponse:
    """The rules of the mode played at a table, and the edition that the table keeps to."""
    match = match_of(code)
    title, version = match.rules.get("title"), match.rules.get("version")
    edition = f"{_(title)} ({version})" if title and version else ""
    return _page(request, match.system, back_to(match), match.mode, edition)


def _page(
    request: HttpRequest, game: str, back: view_models.Link, mode: str = "", edition: str = ""
) -> HttpResponse:
    chapters = tuple(
        RulesChapter(_(title), tuple((rule.key, _(rule.text)) for rule in rules))
        for title, rules in rulebook.chapters(game, mode)
    )
    page = RulesPage(_(system(game).title), back, chapters, edition)
    return render(request, "site/rules.html", {"page": page})
