"""What comes from outside is refused at its first fault: however many there are, they cost nothing."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from games import catalogue
from games.api.schemas import Act
from games.catalogue import MOST_WRONG, BadTable, Exported
from games.core import system
from games.hall.event_file import _LINES
from games.history.file_form import EntryForm, MatchForm
from games.match import match_file, play
from games.models import Match

MANY = 2000
LINE = {"message": "x"}


def members(value: object = 0) -> dict[str, object]:
    return {f"key {number}": value for number in range(MANY)}


def line(argument: object) -> dict[str, object]:
    return {**LINE, "arguments": {str(number): argument for number in range(MANY)}}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (MatchForm, members()),
        (MatchForm, {"entries": [members()] * MANY}),
        (MatchForm, {"entries": [{}] * MANY}),
        (EntryForm, {"lines": [0] * MANY}),
        (EntryForm, {"lines": [line({"list": [{}] * 90})] * 9}),
        (EntryForm, {"lines": [line({"line": line({"line": line(None)})})]}),
        (EntryForm, {"sealed": members(members())}),
        (EntryForm, {"sealed": {"red": {"salts": members(), "lines": [0] * MANY}}}),
        (EntryForm, {"draws": [[]] * MANY, "opens": [0] * MANY, "commitments": members()}),
        (Exported, members()),
        (Exported, {"facts": members()}),
        (Act, members()),
    ],
)
def test_few_faults_are_found_however_many_there_are(form, told):
    with pytest.raises(ValidationError) as refused:
        form.model_validate(told)
    assert refused.value.error_count() < 50


def test_the_lines_of_an_event_s_entries_too():
    with pytest.raises(ValidationError) as refused:
        _LINES.validate_python([line({"list": [{}] * 90})] * MANY)
    assert refused.value.error_count() < 50


@pytest.mark.django_db
def test_a_table_of_the_catalogue_names_its_first_wrong_lines():
    kind = next(iter(system("tmg").entry_kinds))
    rows = "".join(f"not-{number},x\n" for number in range(3 * MOST_WRONG))
    with pytest.raises(BadTable) as refused:
        catalogue.import_table("tmg", kind, "id,nothing\n" + rows * 2)
    assert len(refused.value.faults) == MOST_WRONG


@pytest.mark.django_db
def test_a_file_is_told_the_first_member_that_no_match_has(client):
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    file = match_file.whole(Match.objects.get(pk=match.pk), with_secrets=True)
    for told, name in (({**file, **members()}, "key 0"), ({**file, "position": 3}, "position")):
        answer = client.post("/api/import", json.dumps(told), content_type="application/json")
        assert answer.status_code == 422
        assert name in answer.json()["message"]
