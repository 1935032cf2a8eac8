"""Two captains pair their players on their phones, and everybody is led to a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import Screen
from tests.browser.test_event import come
from tests.hall.halls import state
from tests.hall.team_events import begun, captain, match_of

pytestmark = pytest.mark.browser


def test_two_captains_pair_their_players_and_go_to_their_tables(screen: Callable[..., Screen]) -> None:
    code = begun(2, 3)
    match = match_of(code)
    captains = [captain(code, team).key for team in match.teams]
    phones = [come(screen(), code, key) for key in captains]
    while match_of(code).question:
        before = match_of(code)
        for one, team in zip(phones, match.teams, strict=True):
            if team not in match_of(code).waits_for:
                continue
            named = before.offers(team)[-1]
            one.page.tap(f".yours button[value$=' {named}']")
        for one in phones:
            one.page.wait_for_function(
                "asked => !document.querySelector(`.yours button[value*=' ${asked} ']`)",
                arg=before.mark,
            )
    for one, key in zip(phones, captains, strict=True):
        table = state(code).pairing_of(key, 1)
        one.page.wait_for_url(f"**/t/{table.match}/**")
    assert [one.faults for one in phones] == [[], []]
