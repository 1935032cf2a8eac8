"""What a request for a stream is answered, in the form that its asker can read, and how that is counted."""

from __future__ import annotations

import zlib
from types import SimpleNamespace

import pytest

from games.live import stream
from games.live.bus import Unsure
from games.live.hub import Full, encode, stream_token
from games.monitoring import measures
from tests.hubs import RED, WATCHER, in_loop

PAGE = (b"accept", b"text/event-stream")


@pytest.fixture
def counted(monkeypatch):
    found = []
    monkeypatch.setattr(measures, "count_refusal", found.append)
    return found


class Elsewhere:
    """A hub beside others, whose rows say this."""

    def __init__(self, says=None, is_full=False, is_lost_meanwhile=False):
        self.bus = SimpleNamespace(is_refused=self.ask) if says is not None else None
        self.says, self.is_full, self.joined = says, is_full, []
        self.is_lost_meanwhile, self.is_lost = is_lost_meanwhile, False

    async def ask(self, _ticket):
        if self.says is Unsure:
            raise Unsure
        self.is_lost = self.is_lost_meanwhile
        return self.says

    def is_refused(self, _ticket):
        return self.is_lost

    def leave(self, writer):
        self.joined.remove(writer)

    def join(self, writer):
        if self.is_full:
            raise Full
        self.joined.append(writer)


def scope_of(epochs=(), *headers):
    token = stream_token("M", epochs, RED if epochs else WATCHER)
    path = stream.PREFIX + token
    return {"method": "GET", "path": path, "query_string": b"", "headers": list(headers), "client": None}


def answered(hub, scope):
    """The status, the headers and the body."""
    sent = []

    async def send(message):
        sent.append(message)

    in_loop(stream.serve(hub, scope, None, send))
    head, body = sent
    return head["status"], dict(head["headers"]), body["body"]


SEAT = (("red", 1),)


@pytest.mark.parametrize(
    ("hub", "status", "sentence"),
    [
        (Elsewhere(says=True), 403, stream.OVER),
        (Elsewhere(says=False, is_lost_meanwhile=True), 403, stream.OVER),
        (Elsewhere(says=Unsure), 503, stream.UNSURE),
        (Elsewhere(is_full=True), 503, stream.FULL),
    ],
    ids=["taken away", "taken away while the rows are read", "no rows", "full"],
)
def test_a_program_is_told_in_words_and_a_page_in_an_event(counted, hub, status, sentence):
    scope = scope_of(SEAT)
    found, headers, body = answered(hub, scope)
    assert (found, body, counted) == (status, sentence, [status])
    assert headers[b"content-length"] == str(len(sentence)).encode()
    scope["headers"].append(PAGE)
    found, headers, body = answered(hub, scope)
    assert (found, counted) == (200, [status, status])
    assert headers[b"content-type"].startswith(b"text/event-stream")
    again = b"" if status == 403 else scope["path"].encode() + b"?table=M"
    assert body == b"event: over\ndata: " + again + b"\n\n"


def test_what_has_to_be_looked_up_is_not_granted_at_once():
    beside, alone = Elsewhere(says=False), Elsewhere()
    assert stream.begin(beside, scope_of(SEAT), None) is None
    assert stream.begin(beside, scope_of(), None) is beside.joined[0]
    assert stream.begin(alone, scope_of(SEAT), None) is alone.joined[0]
    assert stream.begin(Elsewhere(is_full=True), scope_of(), None) is None


@pytest.mark.parametrize("header", [(b"content-length", b"5"), (b"transfer-encoding", b"chunked")])
def test_what_has_a_body_is_not_granted_at_once(header):
    hub = Elsewhere()
    assert stream.begin(hub, scope_of((), header), None) is None
    assert hub.joined == []


def test_what_was_looked_up_first_says_how_it_is_packed():
    sent = []

    async def leave():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = scope_of(SEAT, (b"accept-encoding", b"gzip"))
    in_loop(stream.serve(Elsewhere(says=False), scope, leave, send))
    head, first = sent
    told = dict(head["headers"])
    assert told[b"content-encoding"] == b"gzip"
    assert told[b"x-accel-buffering"] == b"no", "a proxy that collects would hold events back"
    assert zlib.decompressobj(wbits=31).decompress(first["body"]).startswith(b"retry: ")


@pytest.mark.parametrize(
    ("said", "version"), [("9" * 15, 10**15 - 1), ("9" * 16, None), ("-1", None), ("²", None)]
)
def test_a_version_is_a_number_that_there_could_be(said, version):
    assert stream.seen_version(scope_of((), (b"last-event-id", said.encode("latin-1")))) == version


def test_a_connection_without_an_address_has_none():
    assert stream.address_of(scope_of()) == ""


def test_a_stream_goes_on_after_what_had_to_be_sent_another_way():
    sent = []

    async def send(message):
        sent.append(message)

    writer = stream.begin(Elsewhere(), scope_of(), send)
    writer.start(lambda: None)
    writer.beat()
    assert [message["more_body"] for message in sent] == [True, True]
    writer.leave()
    writer.put(encode(7, "a board"))
    writer.beat()
    assert len(sent) == 2, "nobody listens any more"


@pytest.mark.parametrize(("luck", "wait"), [(0.0, 500), (0.5, 1500), (0.999, 2498)])
def test_a_crowd_does_not_come_back_in_the_same_moment(monkeypatch, luck, wait):
    monkeypatch.setattr(stream.random, "random", lambda: luck)
    sent = []

    async def send(message):
        sent.append(message["body"])

    stream.begin(Elsewhere(), scope_of(), send).start(lambda: None)
    assert sent[0].startswith(b"retry: %d\n\n" % wait)
