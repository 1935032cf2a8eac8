"""Bushido through the rows: an organiser's scenario, two windows at once, and nothing lost by a refusal."""

import pytest

from games.core import RequestRefused
from games.match import play, undoing
from games.match.storage import current
from games.models import CatalogueEntry
from games.systems.bushido import SYSTEM
from games.systems.bushido.rules import scenarios
from games.systems.bushido.tests.tables import NAMES, READY
from tests.playing import state_of

pytestmark = pytest.mark.django_db


def opened(*actions):
    match = play.open_match(SYSTEM.slug, "risen-sun", NAMES, seed="rows")
    for action in actions:
        tap(match, *action.split())
    return match


def tap(match, seat, action, seen=None):
    match.refresh_from_db()
    verdict = play.tap(match.code, seat, action, seen or match.version, play.new_key())
    match.refresh_from_db()
    return verdict


@pytest.mark.rule("BUSH-25")
def test_an_organisers_scenario_is_offered_at_the_next_table_and_kept_by_it():
    facts = {**dict(scenarios.rows())["keii"], "name": "Club night", "prayer": "7"}
    sheet = CatalogueEntry.objects.create(system=SYSTEM.slug, kind="scenario", slug="club-night", facts=facts)
    match = opened(*READY, "red scenario:club-night")
    sheet.facts = {**facts, "name": "Another name"}
    sheet.version += 1
    sheet.save()
    assert scenarios.of(state_of(match)).name == "Club night"
    assert state_of(match).armies["red"].prayers == 7
    assert "Another name" in str(opened().rules["scenarios"])


def test_two_windows_that_answer_at_once_move_the_table_once():
    match = opened(*READY, "red scenario:keii", "red deployed", "blue deployed")
    for action in ("red rolled:5", "blue rolled:3", "red first:red"):
        tap(match, *action.split())
    seen = match.version
    tap(match, "red", "simple:kizoko", seen)
    with pytest.raises(RequestRefused) as refused:
        tap(match, "red", "simple:kizoko", seen)
    assert (refused.value.status, str(refused.value)) == (
        409,
        "Something changed. Check the table, then tap again.",
    )
    assert state_of(match).units["kizoko"].counters == 1


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("rolled:7", 409),
        ("rolled:-1", 409),
        ("rolled:1.5", 422),
        ("first:nobody", 409),
        ("simple:kizoko", 409),
    ],
)
def test_a_refusal_is_one_sentence_and_writes_nothing(action, status):
    match = opened(*READY, "red scenario:keii", "red deployed", "blue deployed")
    before = state_of(match)
    with pytest.raises(RequestRefused) as refused:
        tap(match, "red", action)
    assert refused.value.status == status
    assert str(refused.value).endswith(".")
    assert state_of(match) == before


def test_a_page_of_twenty_five_models_a_side_stays_small():
    import brotli

    from games.live.hub import Audience
    from games.pages.table import boards
    from games.pages.table.loaded import Table

    match = opened()
    lines = "\n".join(f"Spearman of the {n}th rank;4;1/6;4" for n in range(25))
    for seat in NAMES:
        play.bring(match.code, seat, lines, play.new_key())
    for action in ("red ready", "blue ready", "red scenario:keii", "red deployed", "blue deployed"):
        tap(match, *action.split())
    for action in ("red rolled:5", "blue rolled:3", "red first:red"):
        tap(match, *action.split())
    page = boards.html(Table(match), Audience(("red",), "en", "table"))
    assert page.count('value="simple:') == 25
    assert len(brotli.compress(page.encode())) < 5 * 1024


NAMING = ("red demo:ryu", "blue demo:ito")


def naming(vim):
    """A model was added to Red's warband before this VIM was named in secret; the version that added it."""
    match = opened(*NAMING)
    added = play.adjust(match.code, "red", "army/red", "summon:red", play.new_key(), note="Late-comer")
    for action in ("red ready", "blue ready", "red scenario:seigyo", f"red vim:{vim}"):
        tap(match, *action.split())
    return match, added.version


@pytest.mark.rule("BUSH-29")
@pytest.mark.parametrize("vim", ["late-comer", "kizoko"])
def test_a_model_never_goes_from_under_a_vim_and_its_going_never_tells_which_that_is(vim):
    match, added = naming(vim)
    assert {len(undoing.plan(current(match), seat, added).entries) for seat in ("red", "blue", "")} == {5}
    undoing.ask(match.code, "", added, play.new_key(), "Corrections")
    state = state_of(match)
    assert "late-comer" not in state.units
    assert (state.armies["red"].vim, state.armies["red"].hidden) == ("", {})


@pytest.mark.rule("BUSH-29")
def test_a_vim_is_not_taken_back_once_the_match_has_gone_on_without_all_that_followed():
    match, _added = naming("kizoko")
    named = match.version
    assert len(undoing.plan(current(match), "red", named).entries) == 1
    for action in ("blue vim:hitoshi", "red deployed"):
        tap(match, *action.split())
    planned = undoing.plan(current(match), "red", named)
    assert (len(planned.entries), planned.needs) == (3, ("blue",))
