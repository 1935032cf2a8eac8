"""The log as the organiser reads it: who did what, whether it is final, whether it was undone."""

from __future__ import annotations

import pytest
from django.contrib import admin

from games.core import say
from games.match import play, undoing
from games.models import Entry, Match
from tests.admin.in_admin import change_url
from tests.playing import tap

pytestmark = pytest.mark.django_db

PAGE = admin.site._registry[Entry]


@pytest.fixture
def match():
    return play.open_match("rps", "plain", {"red": "", "blue": "Bo"})


def newest(match) -> Entry:
    return PAGE.model.objects.filter(match=match).latest("version")


def test_each_entry_says_who_it_was(match):
    play.edit(match.code, lambda g: g.score("blue", 1, "a gift"), "Olenna", "a gift")
    assert PAGE.who(newest(match)) == "Olenna"
    tap(match, "blue", "throw:rock")
    assert PAGE.who(newest(match)) == "Bo"
    # A player without a name is known by the colour.
    tap(match, "red", "throw:rock")
    assert PAGE.who(newest(match)) == "Red"
    play.remark(match.code, say("Hello"))
    assert PAGE.who(newest(match)) == "—"


def test_what_was_done_in_secret_is_no_empty_line(match, admin_client):
    tap(match, "red", "throw:rock")
    Entry.objects.filter(match=match, seat="red").update(lines=[])
    assert PAGE.sentences(newest(match)) == "Done in secret."
    told = admin_client.get(change_url(match)).context["recent"][0]
    assert (told["who"], told["lines"]) == ("Red", ["Done in secret."])


def test_each_entry_says_what_became_of_it(match):
    tap(match, "red", "throw:rock")
    entry = newest(match)
    assert PAGE.remarks(entry) == ""
    undoing.ask(match.code, "red", entry.version, play.new_key())
    undone = Entry.objects.get(pk=entry.pk)
    assert PAGE.remarks(undone) == "undone"
    undone.is_final = True
    assert PAGE.remarks(undone) == "final, undone"
    assert Match.objects.get(pk=match.pk).version == entry.version + 1


def test_a_code_finds_the_entries_of_its_table_alone(match):
    tap(match, "red", "throw:rock")
    other = play.open_match("rps", "plain", {"red": match.code, "blue": ""})
    tap(other, "red", "throw:rock")
    entries = set(Entry.objects.filter(match=match))

    def found(words: str) -> tuple[set[Entry], str]:
        rows, _may_repeat = PAGE.get_search_results(None, Entry.objects.all(), words)
        return set(rows), str(rows.query)

    assert found(f" {match.code.lower()} ")[0] == entries
    # Its index leads there: no text of any row is looked into.
    assert "LIKE" not in found(match.code)[1].upper()
    assert found(match.code[:5])[0] >= entries
    assert not found("Bo")[0]
    tap(match, "blue", "throw:rock")
    assert {entry.author for entry in found("Bo")[0]} == {"Bo"}
