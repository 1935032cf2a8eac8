"""A file is believed only as far as it replays: what it undoes, its mode, its code, where it continues."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from games.admin import match_commands
from games.core import RequestRefused
from games.history import commits
from games.match import match_file, play, undoing
from games.models import Match, Seat
from games.people import seats
from tests.browser import driving
from tests.files import fitted
from tests.trust.twins import HOUSES, tap

pytestmark = pytest.mark.django_db

Data = dict[str, Any]


@pytest.fixture
def auction() -> Match:
    """Two corrections, each undone (versions 3 and 5); then a bid that leaves the question open."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a file")
    for change in (-1, -2):
        version = play.adjust(
            match.code, "stark", "army/stark", f"power:stark:{change}", play.new_key()
        ).version
        undoing.ask(match.code, "stark", version, play.new_key())
    tap(match, "lannister", "bid:throne:1")
    match.refresh_from_db()
    return match


def file_of(match: Match) -> Data:
    file: Data = json.loads(json.dumps(match_file.whole(match, with_secrets=True)))
    return file


def arrive(file: Data, *, to_play_on: bool = False) -> Match:
    return match_file.import_match(file, lambda match: None, to_play_on=to_play_on)[0]


def changed(match: Match, **places: object) -> Data:
    """The match's file with other values ("undoes_5" means entry 5's `undoes`) and what has to fit them."""
    file = file_of(match)
    for place, value in places.items():
        name, _line, version = place.rpartition("_")
        file["entries"][int(version) - 1][name] = value
    return fitted(file)


def test_what_was_undone_arrives_as_undone_and_the_question_is_as_old(auction: Match) -> None:
    arrived = arrive(file_of(auction))
    undone = dict(arrived.entries.exclude(undoes=None).values_list("version", "undoes__version"))
    assert undone == {3: 2, 5: 4}
    assert commits.faults(arrived, commits.entries_of(arrived)) == []
    assert (arrived.since, arrived.version) == (auction.since, auction.version)
    assert undoing.newest(arrived).version == auction.version


@pytest.mark.parametrize("target", [0, 1, 2, 3, 5, 6, 99])
def test_an_entry_undoes_one_action_before_it_that_stands(auction: Match, target: int) -> None:
    with pytest.raises(play.RequestRefused) as refused:
        arrive(changed(auction, undoes_5=target))
    assert refused.value.status == 422


def test_only_an_undo_undoes(auction: Match) -> None:
    with pytest.raises(play.RequestRefused):
        arrive(changed(auction, undoes_5=None, undoes_6=4))


def test_no_moment_of_a_match_has_a_mode_that_is_unknown(auction: Match) -> None:
    file = file_of(auction)
    for version, (was, now) in ((2, ("tracks", "fancy")), (3, ("fancy", "tracks"))):
        file["entries"][version - 1]["before"]["mode"] = was
        file["entries"][version - 1]["after"]["mode"] = now
    with pytest.raises(play.RequestRefused):
        arrive(fitted(file))


def test_no_entry_gives_a_match_another_seed(auction: Match) -> None:
    """Also where its position says so, too: what is drawn later would follow from one that nobody saw."""
    file = file_of(auction)
    file["entries"][-1]["before"]["seed"] = file["seed"]
    file["entries"][-1]["after"]["seed"] = file["position"]["seed"] = "another seed"
    with pytest.raises(play.RequestRefused):
        arrive(fitted(file))


def test_a_mask_stands_on_both_sides_of_what_is_sealed(auction: Match) -> None:
    file = file_of(auction)
    del file["entries"][-1]["before"]["army/lannister/hidden/bid"]
    with pytest.raises(play.RequestRefused):
        arrive(fitted(file))


@pytest.mark.parametrize("code", ["", "../../etc", "a b", "K7QWXM "])
def test_a_code_is_kept_if_it_is_one_and_nobody_has_it(auction: Match, code: str) -> None:
    file = file_of(auction)
    second = arrive(copy.deepcopy(file), to_play_on=True)
    assert commits.CODE.fullmatch(second.code)
    assert second.code != auction.code
    Match.objects.all().delete()
    odd = arrive({**copy.deepcopy(file), "code": code}, to_play_on=True)
    assert commits.CODE.fullmatch(odd.code)
    Match.objects.all().delete()
    again = arrive(file, to_play_on=True)
    assert (again.code, again.seats.count()) == (auction.code, 3)


def sit(phone: Client, match: Match, key: str) -> None:
    seat = Seat.objects.select_related("match").get(match=match, key=key)
    phone.post(reverse("claim", args=[match.code, key, seats.link_secret(seat)]))


def renames(phone: Client, code: str, seat: str) -> int:
    """The status that a phone gets when it acts for a seat."""
    return phone.post(f"/t/{code}/name", {"seat": seat, "name": "Eve"}).status_code


def test_who_lost_a_seat_has_not_the_one_of_a_match_that_came_back_under_its_code() -> None:
    """Both seats are at their first epoch, and the former phone's session knows the code."""
    before, after = Client(), Client()
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    sit(before, match, "red")
    assert renames(before, match.code, "red") == 302
    file = file_of(match)
    match_commands.delete(Match.objects.get(pk=match.pk))
    again = arrive(file, to_play_on=True)
    again.refresh_from_db()
    assert again.code == match.code
    sit(after, again, "red")
    assert renames(before, match.code, "red") == 403
    assert renames(after, match.code, "red") == 302
    sit(before, again, "blue")
    assert renames(before, match.code, "blue") == 302
    assert renames(before, match.code, "red") == 403


def test_a_match_is_of_the_mode_that_it_was_played_in() -> None:
    file = file_of(play.open_match("agot", "light", HOUSES, seed="a file"))
    file["mode"] = "full"
    with pytest.raises(play.RequestRefused):
        arrive(fitted(file))


def rows_of(match: Match) -> Data:
    """All rows of a match, as the database has them."""
    others = [one for one in Match._meta.related_objects if one.one_to_many]
    rows = {one.name: list(one.related_model.objects.filter(match=match).values()) for one in others}
    return {**rows, "match": list(Match.objects.filter(pk=match.pk).values())}


@pytest.mark.parametrize("to_play_on", [True, False])
def test_what_arrives_changes_nothing_of_the_tables_that_are_here(to_play_on: bool) -> None:
    here, there = driving.opened(driving.SET_UP), driving.opened(driving.SET_UP)
    file, before = file_of(there), rows_of(here)
    there.delete()
    arrived = arrive(file, to_play_on=to_play_on)
    match_file.show(arrived, {**match_file.shown(there), "is_demo": True, "watch_delay": 5})
    assert arrived.rounds.exists()
    assert rows_of(here) == before


@pytest.mark.parametrize(
    ("fault", "told"), [(KeyError("a piece"), RequestRefused), (OperationalError("busy"), OperationalError)]
)
def test_what_no_page_can_show_is_not_kept(auction: Match, fault: Exception, told: type[Exception]) -> None:
    """A busy database says nothing against the file: it may be sent again."""

    def look(match: Match) -> None:
        raise fault

    with pytest.raises(told):
        match_file.import_match(file_of(auction), look)
    assert list(Match.objects.all()) == [auction]
