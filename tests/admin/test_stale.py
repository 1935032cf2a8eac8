"""A page that is older than the table saves nothing, says so, and keeps what was typed."""

import pytest

from games.models import Army, Match, Unit
from tests.admin.in_admin import change_url, errors_of, filled, inline, saved
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db

MOVED = "The match changed while this page was open. Nothing was saved."


def opened(client, row):
    return filled(client.get(change_url(row)))


def sends(client, row, sent, **changes):
    for name, value in changes.items():
        sent[name] = value
    return client.post(change_url(row), dict(sent.lists()))


def test_a_tap_in_between_stops_the_save(admin_client, auction):
    house = Army.objects.get(match=auction, key="stark")
    page = opened(admin_client, house)
    tap(auction, "lannister", "bid:throne:1")
    before = state_of(auction)
    answer = sends(admin_client, house, page, reason="counted", power="9")
    assert MOVED in errors_of(answer)
    assert state_of(auction) == before


def test_what_was_typed_stands_in_the_page_and_the_rest_is_as_it_is_now(admin_client, tmg):
    one = Unit.objects.filter(match=tmg, army__key="red", place="table").first()
    other = Unit.objects.filter(match=tmg, army__key="blue", place="table").first()
    prefix, rival = (
        inline(admin_client, tmg, "units", one.key),
        inline(admin_client, tmg, "units", other.key),
    )
    page = opened(admin_client, tmg)
    saved(admin_client, other, wounds="2", conditions=["panicked"])
    answer = sends(admin_client, tmg, page, **{"reason": "counted", f"{prefix}-wounds": "7"})
    assert MOVED in errors_of(answer)
    shown = filled(answer)
    assert shown[f"{prefix}-wounds"] == "7"
    assert (shown[f"{rival}-wounds"], shown.getlist(f"{rival}-conditions")) == ("2", ["panicked"])
    assert shown["reason"] == "counted"


def test_the_second_save_of_a_page_that_was_brought_up_to_date_is_taken(admin_client, tmg):
    one = Unit.objects.filter(match=tmg, army__key="red", place="table").first()
    other = Unit.objects.filter(match=tmg, army__key="blue", place="table").first()
    prefix = inline(admin_client, tmg, "units", one.key)
    page = opened(admin_client, tmg)
    saved(admin_client, other, wounds="2")
    again = filled(sends(admin_client, tmg, page, **{"reason": "counted", f"{prefix}-wounds": "7"}))
    assert sends(admin_client, tmg, again).status_code == 302
    g = state_of(tmg)
    assert (g.units[one.key].wounds, g.units[other.key].wounds) == (7, 2)


def test_a_unit_that_is_gone_by_now_is_no_fault(admin_client, tmg):
    one = Unit.objects.filter(match=tmg, army__key="red", place="table").first()
    page = opened(admin_client, tmg)
    saved(admin_client, tmg, **{f"{inline(admin_client, tmg, 'units', one.key)}-DELETE": "on"})
    answer = sends(admin_client, tmg, page, reason="counted", turn="blue")
    assert MOVED in errors_of(answer)


@pytest.mark.parametrize("seen", ["", "0", "-1", "999999", "1e3", "٣", "x" * 500, "9" * 40])
def test_a_forged_version_saves_nothing(admin_client, auction, seen):
    house = Army.objects.get(match=auction, key="stark")
    answer = saved(admin_client, house, seen=seen, power="9")
    assert MOVED in errors_of(answer)
    assert Match.objects.get(pk=auction.pk).version == auction.version
