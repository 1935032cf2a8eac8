"""The times of a match's opening and end are those of its entries, which the fingerprints cover."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.core import RequestRefused
from games.match import match_file, play
from games.models import Match
from tests.trust.test_verify import checked

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["opened_at", "finished_at"])
def test_the_times_of_a_match_are_those_of_its_entries(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = ended_twice()
    before = match_file.whole(match)
    assert (before["opened_at"], before["finished_at"]) == (
        before["entries"][0]["at"],
        before["entries"][-2]["at"],
    )
    assert checked(before, tmp_path)[0] == 0
    call_command("replay", match.code, "--check")
    assert capsys.readouterr().err == ""
    column = {"opened_at": "created_at", "finished_at": "finished_at"}[name]
    for seconds in (1, -1):
        moment = datetime.fromisoformat(before[name]) + timedelta(seconds=seconds)
        Match.objects.filter(pk=match.pk).update(**{column: moment})
        file = match_file.whole(match)
        assert checked(file, tmp_path)[0] == 1
        assert checked(match_file.own_view(match, None), tmp_path)[0] == 1
    match.refresh_from_db()
    with pytest.raises(CommandError):
        call_command("replay", match.code, "--check")
    assert "it was not opened and ended when its entries say" in capsys.readouterr().err
    with pytest.raises(RequestRefused, match="its times are not those of its entries"):
        match_file.import_match(file, str)


def ended_twice() -> Match:
    """A match that ended, went on, ended again, and was corrected afterwards."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    for winner in ("red", None, "blue"):
        result = winner and {"winner": winner, "how": "decided"}
        play.edit(match.code, lambda g, result=result: setattr(g, "result", result), "Olga", "said so")
    play.edit(match.code, lambda g: g.score("red", 1, "a gift"), "Olga", "a gift")
    match.refresh_from_db()
    return match
