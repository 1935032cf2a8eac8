"""The one question of the thumb bar, for the player who is asked, those who wait, and spectators."""

from __future__ import annotations

from django.urls import reverse

from games import rulebook, view_models
from games.core import engine
from games.core.steps import Step
from games.pages.table import hints
from games.pages.table.loaded import Table
from games.translation import gettext as _
from games.view_models.game_page import Page


def question(table: Table, page: Page, seat: str) -> view_models.Question:
    """The open question for a seat ("" for a spectator), once the page's cards have taken their offers."""
    step = engine.step_of(table.state)
    if step is None:
        return view_models.Question(_("The match is over."), "over")
    return _asked(table, page, seat, step) if seat in table.asked else _waiting(table, page, seat, step)


def _asked(table: Table, page: Page, seat: str, step: Step) -> view_models.Question:
    helping = page.words(step.helping(page.g, seat))
    doing, doer = page.doing()
    return view_models.Question(
        title=page.words(step.asking(page.g, seat)),
        state="ask",
        mark=page.marks[seat],
        hint=hints.of_lobby(table, page, seat) or helping,
        rule=_rule(table, step),
        groups=page.groups(),
        sources=page.sources(),
        doing=doing,
        doer=doer,
    )


def _waiting(table: Table, page: Page, seat: str, step: Step) -> view_models.Question:
    names = _(", ").join(page.name(one) for one in table.awaited)
    doing, doer = page.doing()
    return view_models.Question(
        _("Waiting for %(names)s") % {"names": names},
        "wait" if seat else "watch",
        page.marks[table.awaited[0]] if len(table.awaited) == 1 else 0,
        hints.of_lobby(table, page, seat) or page.words(step.asking(page.g, None)),
        _rule(table, step),
        groups=page.groups(),
        sources=page.sources(),
        doing=doing,
        doer=doer,
    )


def _rule(table: Table, step: Step) -> view_models.RuleNote | None:
    """The rule that the question rests on, for a player who wants to read it."""
    rule = rulebook.rules(table.match.system).get(step.resting_on(table.state))
    if rule is None:
        return None
    url = f"{reverse('table-rules', args=[table.match.code])}#{rule.key}"
    return view_models.RuleNote(_(rule.text), f"{_(rule.chapter)} · {rule.key}", url)
