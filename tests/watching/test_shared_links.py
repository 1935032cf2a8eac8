"""The page of addresses to copy: each works as it stands, and takes the parameters that the page names."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from games.models import Match
from games.pages.watching.elsewhere import SharedLink
from tests.browser import driving
from tests.hall.halls import opened
from tests.trust.cast import Phone


@pytest.fixture
def match(db: None) -> Match:
    return driving.opened(driving.SET_UP)


def links(path: str) -> dict[str, SharedLink]:
    """What the page at a path offers to copy, by its key."""
    return {link.key: link for link in Phone().ask("GET", path).context["page"].links}


def path_of(link: SharedLink) -> str:
    """The path that a link or a frame leads to."""
    address = html.unescape(re.findall(r'src="([^"]+)"', link.text)[0]) if "<" in link.text else link.text
    return address.removeprefix("http://testserver")


def places(match: Match) -> tuple[str, str]:
    return reverse("elsewhere", args=[match.code]), reverse("event-elsewhere", args=[opened(4)])


def test_every_address_opens(match: Match) -> None:
    of_table, of_event = map(links, places(match))
    assert (set(of_table), set(of_event)) == ({"television", "overlay", "frame"},) * 2
    for link in (*of_table.values(), *of_event.values()):
        assert Phone().ask("GET", path_of(link)).status_code == 200, link.text


def test_every_parameter_that_is_named_changes_what_is_shown(match: Match) -> None:
    """The last value named is none's usual one; "en" and a usual size change nothing."""
    for link in (link for path in places(match) for link in links(path).values()):
        plain = Phone().ask("GET", path_of(link)).content
        for parameter in link.parameters:
            name = parameter.name.split(",")[0]
            value = re.split(r"[,–] ?", parameter.values)[-1] if name != "ground" else "ff0000"
            shown = Phone().ask("GET", f"{path_of(link)}?{name}={value}").content
            assert shown != plain, (link.key, name, value)


def test_a_frame_is_as_high_as_its_sides(match: Match) -> None:
    of_table, of_event = map(links, places(match))
    heights = [int(re.findall(r'height="(\d+)"', shown["frame"].text)[0]) for shown in (of_table, of_event)]
    assert 100 < heights[0] < heights[1]


def test_a_name_cannot_break_out_of_the_frame_to_copy(db: None) -> None:
    code = opened(4, name='"><script>')
    assert 'title="&quot;&gt;&lt;script&gt;"' in links(reverse("event-elsewhere", args=[code]))["frame"].text


def test_the_watchers_page_leads_there(match: Match) -> None:
    page = Phone().ask("GET", reverse("watch", args=[match.code])).content.decode()
    assert f'href="{reverse("elsewhere", args=[match.code])}"' in page
