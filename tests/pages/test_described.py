"""What stands below a field is said with it: its help, and what is wrong with it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.hall.halls import opened
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def described(page: str) -> tuple[set[str], set[str]]:
    """The parts of a page that its fields name, and the sentences below fields that it has."""
    named = {one for ids in re.findall(r'aria-describedby="([^"]*)"', page) for one in ids.split()}
    return named, set(re.findall(r'id="((?:about-[\w-]+|[\w-]+-error))"', page))


@pytest.mark.parametrize("path", ["/new", "/e/new", "/e/new?kind=league"])
def test_every_field_names_the_help_below_it_and_no_more(path: str) -> None:
    page = Phone().ask("GET", path).content.decode()
    named, there = described(page)
    assert named == there
    assert named
    assert page.count('class="hint" id="about-') == len(there)


def test_who_registers_hears_what_a_field_is_for_and_what_is_wrong_with_it() -> None:
    path = reverse("event-register", args=[opened(0)])
    named, there = described(Phone().ask("GET", path).content.decode())
    assert named == there == {"about-club"}
    phone = Phone()
    phone.ask("GET", path)
    answer = phone.ask("POST", path, {"name": "", "club": "\u202e", "key": "a-key-of-a-form"})
    assert answer.status_code == 422
    named, there = described(answer.content.decode())
    assert named == there == {"name-error", "club-error", "about-club"}
