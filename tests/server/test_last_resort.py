"""Whatever breaks, people read a sentence, even if the page that says so breaks as well."""

from __future__ import annotations

import re

import pytest
from django.test import RequestFactory

from games.web import refusals


def test_where_the_page_that_says_so_breaks_too_the_sentence_comes_alone(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def breaks(*_arguments: object) -> str:
        raise RuntimeError("a template that is not whole")

    monkeypatch.setattr(refusals, "render_to_string", breaks)
    answer = refusals.fault(rf.get("/"))
    assert (answer.status_code, answer["Content-Type"]) == (500, "text/plain; charset=utf-8")
    assert answer.content.decode().startswith("Something went wrong on our side. Nothing was changed")
    assert caplog.messages == ["the page that says so failed as well"]


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        ("http://testserver/t/HJKM/?guests=1", "/t/HJKM/"),
        ("http://evil.example/t/HJKM/", "/"),
        ("http://testserver//evil.example", "/"),
        ("http://[::1", "/"),
        ("", "/"),
    ],
)
def test_the_way_back_leads_to_a_page_of_ours(rf: RequestFactory, came_from: str, leads_to: str):
    answer = refusals.csrf_failure(rf.post("/t/HJKM/act", headers={"Referer": came_from}))
    assert answer.status_code == 403
    links = re.findall(r'href="([^"]*)"[^>]*>([^<]*)<', answer.content.decode())
    assert [address for address, words in links if words.strip() == "Reload"] == [leads_to]


@pytest.mark.parametrize(
    ("host", "status", "words", "leads_to"),
    [
        ("testserver", 413, "Try again", "/t/HJKM/army/red"),
        ("testserver", 403, "Home", "/"),
        ("evil.example", 413, "Home", "/"),
    ],
)
def test_who_sent_a_form_in_vain_is_led_back_to_it(
    rf: RequestFactory, host: str, status: int, words: str, leads_to: str
):
    came_from = "http://testserver/t/HJKM/army/red"
    sent = rf.post("/t/HJKM/army/red", headers={"Referer": came_from, "Host": host})
    answer = refusals.refuse(sent, status, "That is too big.")
    assert f'href="{leads_to}">{words}<' in answer.content.decode()
