"""The list of pictures to look at goes through the recorded matches, not only to their first question."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.browser.scenes_recorded import recorded


@pytest.mark.django_db
def test_a_recorded_match_is_played_on_from_picture_to_picture() -> None:
    names = [name for name, _way in islice(recorded(("tmg",)), 6)]
    assert len({name.split("-")[-1] for name in names if not name.endswith("-waits")}) > 1
