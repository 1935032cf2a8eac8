"""The history offers to undo what can be undone, and nothing else."""

import random
import re
from html import unescape

import pytest

from games.history import commits
from games.match import play, random_play, storage, undoing
from games.models import Entry
from games.pages.records import history_pages
from tests.pages.test_score_card import seated
from tests.playing import Playing
from tests.trust import cast
from tests.trust.cast import Phone


@pytest.fixture
def match(db):
    """A match of more actions than can be undone at once, the newest of them undone."""
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="history")
    state, version, luck = storage.load(match).state, match.version, random.Random(3)
    for _tap in range(undoing.FARTHEST + 5):
        verdict = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key())
        state, version = verdict.loaded.state, verdict.version
    undoing.ask(match.code, "", version, play.new_key(), "Olga")
    match.refresh_from_db()
    return match


def completing(match):
    """The versions of the taps that complete the activation before them."""
    taps = match.entries.filter(step="claim-zone", undone_by=None).exclude(action="back")
    return {entry.version for entry in taps}


def offered(phone, match):
    """The versions that the page offers to undo, newest first."""
    text = phone.ask("GET", f"/t/{match.code}/history").content.decode()
    return list(map(int, re.findall(r'name="undo" value="(\d+)"', text)))


def test_all_within_reach_can_be_undone_from_the_history(match):
    phone = seated(match, "red")
    versions = offered(phone, match)
    within_reach = undoing.undoable(match)
    assert versions == [entry.version for entry in within_reach if entry.version not in completing(match)]
    assert len(within_reach) == undoing.FARTHEST
    assert versions[0] == match.version - 2, "the newest action was undone"
    assert offered(Phone(), match) == []


def test_a_long_history_is_read_page_by_page_by_links_alone(match, monkeypatch):
    monkeypatch.setattr(history_pages, "AT_ONCE", 20)
    phone, path, pages = seated(match, "red"), f"/t/{match.code}/history", []
    match.refresh_from_db()
    url = f"{path}?seat=red"
    while url:
        text = unescape(phone.ask("GET", url).content.decode())
        pages.append((url, shown(text)))
        url = next(iter(re.findall(r'href="([^"]*)">Earlier entries', text)), "")
    read = [version for _url, page in pages for version in page]
    assert set(range(1, match.version + 1)) - set(read) <= {each - 1 for each in completing(match)}
    assert read == sorted(read, reverse=True)
    assert 10 < max(len(page) for _url, page in pages) <= 20
    assert all("seat=red" in url for url, _page in pages)
    text = unescape(phone.ask("GET", pages[2][0]).content.decode())
    assert re.findall(r'href="([^"]*)">Later entries', text) == [pages[1][0]]
    assert "Later entries" not in phone.ask("GET", path).content.decode()


def test_the_first_entry_is_found_where_it_stands_alone(match, monkeypatch):
    match.refresh_from_db()
    monkeypatch.setattr(history_pages, "AT_ONCE", match.version - 1)
    path = f"/t/{match.code}/history"
    (url,) = re.findall(
        r'href="([^"]*)">Earlier entries', unescape(Phone().ask("GET", path).content.decode())
    )
    text = Phone().ask("GET", url).content.decode()
    assert (shown(text), "Earlier entries" in text) == ([1], False)


@pytest.mark.parametrize("upto", ["0", "-1", "abc", "9" * 30, "１２", ""])
def test_an_entry_has_an_address_and_nonsense_leads_to_the_newest(match, upto):
    phone, path = Phone(), f"/t/{match.code}/history"
    assert shown(phone.ask("GET", f"{path}?upto=7").content.decode()) == [7, 6, 5, 4, 3, 2, 1]
    assert shown(phone.ask("GET", f"{path}?upto={upto}").content.decode())[0] == match.version


def test_an_activation_with_its_zone_is_one_entry_and_one_undo(match):
    phone = seated(match, "red")
    claim = match.entries.filter(action__startswith="claim:", seat="red").last()
    text = phone.ask("GET", f"/t/{match.code}/history?upto={claim.version}").content.decode()
    assert shown(text)[:2] == [claim.version, claim.version - 2]
    entry = text.split(f'id="v{claim.version}"')[1].split('id="v')[0]
    assert "activates and claims" in entry


def shown(text):
    """The entries of a page, in its order."""
    return list(map(int, re.findall(r'id="v(\d+)"', text)))


def test_a_shared_device_tells_a_secret_only_to_the_player_who_holds_it(db):
    houses = {"stark": "Ada", "lannister": "Bo", "baratheon": "Cy"}
    match, luck = play.open_match("agot", "orders", houses, seed="history"), random.Random(3)
    phone, path = seated(match, "stark"), f"/t/{match.code}/history"
    playing = Playing(match)
    while not (told := private(match, "stark")):
        playing.tap(*random_play.tap(playing.state, luck))
    assert told in unescape(phone.ask("GET", path).content.decode())
    cast.sit(phone, match, "lannister")
    assert told not in unescape(phone.ask("GET", path).content.decode())
    assert told not in unescape(phone.ask("GET", f"{path}?seat=lannister").content.decode())
    table = phone.ask("GET", f"/t/{match.code}/?seat=stark").content.decode()
    assert f'href="{path}?seat=stark"' in table
    assert told in unescape(phone.ask("GET", f"{path}?seat=stark").content.decode())
    assert told not in unescape(Phone().ask("GET", f"{path}?seat=stark").content.decode())


def private(match, seat):
    """The newest sentence that only this seat may read; "" if there is none."""
    entries = Entry.objects.filter(match=match, sealed__has_key=seat).order_by("-version")
    lines = (line for entry in entries for line in commits.lines_for(entry, seat) if line.to)
    return next(map(str, lines), "")


def test_a_long_history_is_not_compared_entry_by_entry_when_it_is_checked(match, monkeypatch):
    """Ten thousand entries, each compared with those before it, would take minutes."""
    compared, same = [], Entry.__eq__
    monkeypatch.setattr(Entry, "__eq__", lambda one, other: compared.append(1) or same(one, other))
    assert Phone().ask("GET", f"/t/{match.code}/verify").status_code == 200
    assert len(compared) < undoing.FARTHEST
