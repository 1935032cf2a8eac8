"""Answers are compressed quickly, but otherwise as Django compresses them."""

import gzip
import os
import zlib

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware

from games.match import play
from games.web.request_rules import QuickGzip, packed

WORDS = "".join(f"<li>Line {number * number} of many</li>" for number in range(500)).encode()
NOISE = os.urandom(5000)


def answered(middleware, request, make):
    return middleware(lambda _request: make())(request)


def text(response):
    """What a browser makes of an answer."""
    sent = b"".join(response) if response.streaming else response.content
    return gzip.decompress(sent) if response.get("Content-Encoding") == "gzip" else sent


ANSWERS = {
    "long": lambda: HttpResponse(WORDS),
    "just long enough": lambda: HttpResponse(b"a" * 200),
    "short": lambda: HttpResponse(b"a" * 199),
    "empty": lambda: HttpResponse(status=204),
    "what cannot be shorter": lambda: HttpResponse(NOISE, content_type="image/png"),
    "compressed before": lambda: HttpResponse(WORDS, headers={"Content-Encoding": "br"}),
    "with a tag": lambda: HttpResponse(WORDS, headers={"ETag": '"7"'}),
    "varied": lambda: HttpResponse(WORDS, headers={"Vary": "Cookie"}),
    "streamed": lambda: StreamingHttpResponse([WORDS, WORDS]),
}


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "gzip;q=0.5", "br", ""])
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_says_what_it_says_under_django(rf, name, accepted):
    request = rf.get("/", headers={"Accept-Encoding": accepted} if accepted else {})
    ours, theirs = (answered(kind, request, ANSWERS[name]) for kind in (QuickGzip, GZipMiddleware))
    assert text(ours) == text(theirs)
    for header in ("Content-Encoding", "Vary", "ETag", "Content-Type"):
        assert ours.get(header) == theirs.get(header), header
    if not ours.streaming and ours.get("Content-Length"):
        assert int(ours["Content-Length"]) == len(ours.content)


def test_the_length_that_was_stated_before_is_that_of_what_is_sent(rf):
    request = rf.get("/", headers={"Accept-Encoding": "gzip"})
    stated = HttpResponse(WORDS, headers={"Content-Length": str(len(WORDS))})
    answer = answered(QuickGzip, request, lambda: stated)
    assert int(answer["Content-Length"]) == len(answer.content) < len(WORDS)


@pytest.mark.django_db
def test_a_page_is_hardly_longer_than_if_it_had_taken_four_times_as_long(client):
    match = play.open_match("tmg", "a-clash-of-kings", {"red": "Anna", "blue": "Ben"}, seed="packing")
    page = client.get(f"/t/{match.code}/").content
    quick, slow = len(packed(page)), len(gzip.compress(page, 6))
    assert slow < quick < 1.2 * slow


def test_the_length_of_an_answer_tells_nothing_of_its_words():
    lengths = {len(packed(WORDS, 100)) for _time in range(50)}
    assert len(lengths) > 10
    assert max(lengths) - min(lengths) <= 100
    assert {zlib.decompress(packed(WORDS, 100), wbits=31) for _time in range(50)} == {WORDS}
