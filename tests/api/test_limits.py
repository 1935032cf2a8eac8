"""Who asks too often waits, and says so to nobody else."""

import pytest

from games.api.matches import IMPORT_BYTES
from games.web.limits import ALL_LISTS, CODES, IMPORTED, IMPORTS, OPENINGS, PIECE, TAPS
from tests.api.robots import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(client):
    return Table(client)


def refused(answer):
    assert answer.status_code == 429
    assert set(answer.json()) == {"error", "message", "rule"}
    assert answer.json()["error"] == "too_fast"
    return int(answer["Retry-After"]) >= 1


def use_up(limit, key):
    while not limit.take(key):
        pass


def test_one_seat_that_taps_too_fast_slows_no_other(table):
    use_up(TAPS, f"{table.code}/red")
    assert refused(table.tap("red", "throw:rock"))
    assert table.tap("blue", "throw:rock").status_code == 200
    assert table.look("red")["version"] == 2


def test_whoever_guesses_waits_with_what_is_wrong_only(table):
    use_up(CODES, "127.0.0.1")
    bogus = {"Authorization": "Bearer 1.0"}
    assert refused(table.watcher.get("matches/ZZZZZZ"))
    assert refused(table.watcher.get("matches/ZZZZZZ", **bogus))
    assert refused(table.watcher.get(f"matches/{table.code}", **bogus))
    assert table.watcher.get(f"matches/{table.code}").status_code == 200


def test_a_player_is_not_slowed_by_a_guesser_behind_the_same_address(table):
    use_up(CODES, "127.0.0.1")
    assert table.seats["red"].get(f"matches/{table.code}").status_code == 200
    assert table.do("red", "act", {"action": "throw:rock", "seen": 1}).status_code == 200


def test_each_wrong_code_counts(table):
    answers = [table.watcher.get("matches/ZZZZZZ").status_code for _guess in range(32)]
    assert answers == [404] * 30 + [429] * 2


def test_opening_and_importing_have_a_limit(table):
    use_up(IMPORTS, "127.0.0.1")
    use_up(OPENINGS, "127.0.0.1")
    body = {"system": "rps", "mode": "plain", "seats": [{"name": "Anna"}, {"name": "Bo"}]}
    assert refused(table.watcher.post("matches", body))
    assert refused(table.watcher.post("import", {}))
    assert refused(table.do("red", "army", {"text": "Faction: Stark"}))


def test_matches_that_open_with_long_lists_count_by_their_length(table):
    use_up(ALL_LISTS, "127.0.0.1")
    body = {"system": "rps", "mode": "plain", "seats": [{"name": "Anna"}, {"name": "Bo"}]}
    assert table.watcher.post("matches", body).status_code == 201
    long = {**body, "seats": [{"name": "Anna", "army": "x" * 2 * PIECE}, {"name": "Bo"}]}
    assert refused(table.watcher.post("matches", long))


def test_large_imports_have_a_limit_of_their_own(table, monkeypatch):
    monkeypatch.setattr(IMPORTED, "clock", lambda: 1000.0)
    large = {"format": "x" * (IMPORT_BYTES - 100)}
    assert [table.watcher.post("import", large).status_code for _file in range(4)] == [422] * 4
    answer = table.watcher.post("import", large)
    assert refused(answer)
    assert answer["Retry-After"] == "30"
    assert table.watcher.post("import", {}).status_code == 422
    assert IMPORTED.take("another address", IMPORT_BYTES / 2**20) == 0
