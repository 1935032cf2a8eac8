"""How one stream gets its events out: at once, once the other side reads, or not at all."""

from __future__ import annotations

import asyncio

from games.live import stream
from tests.hubs import in_loop
from tests.live.test_answers_to_streams import Elsewhere, scope_of


class Line:
    """The transport of a connection that takes everything."""

    def __init__(self, is_closing=False):
        self.closing, self.written = is_closing, []

    def set_write_buffer_limits(self, high):
        assert high == 0

    def is_closing(self):
        return self.closing

    def get_write_buffer_size(self):
        return 0

    def write(self, data):
        self.written.append(data)


def begun(send, line=None):
    """A stream that has begun, and how often it was ended."""
    scope = scope_of() | {"extensions": {stream.LINE: {"transport": line}}}
    writer, ends = stream.begin(Elsewhere(), scope, send), []
    writer.start(lambda: ends.append("over"))
    return writer, ends


async def turns():
    """Let tasks that can go on do so."""
    for _turn in range(5):
        await asyncio.sleep(0)


def test_a_connection_that_closes_is_not_written_to():
    sent = []

    async def send(message):
        sent.append(message["body"])

    whole, closing = Line(), Line(is_closing=True)
    begun(send, whole)
    assert (len(whole.written), sent) == (1, [])
    begun(send, closing)
    assert (closing.written, len(sent)) == ([], 1)


def test_a_connection_that_broke_ends_its_stream_once():
    async def send(message):
        raise OSError

    writer, ends = begun(send)
    assert ends == ["over"]
    writer.end()
    assert ends == ["over"]


def test_what_breaks_while_it_waits_is_no_fault_and_stuck_no_more():
    async def story():
        gate = asyncio.Event()

        async def send(message):
            await gate.wait()
            raise OSError

        writer, _ends = begun(send)
        task = writer.waiting
        assert writer.is_stuck
        assert writer.stuck_since is not None
        gate.set()
        await turns()
        assert task.exception() is None
        assert not writer.is_stuck
        assert writer.stuck_since is None

    in_loop(story())


def test_who_leaves_while_a_frame_waits_stops_its_sending():
    async def story():
        said = []

        async def send(message):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                said.append("stopped")
                raise

        writer, _ends = begun(send)
        await turns()
        writer.leave()
        await turns()
        assert said == ["stopped"]

    in_loop(story())


def test_a_stream_says_whether_it_could_say_goodbye():
    async def story():
        sent = []

        async def send(message):
            sent.append(message)
            if not sent[0]["body"]:
                await asyncio.Event().wait()

        writer = stream.begin(Elsewhere(), scope_of(), send)
        assert writer.finish() is False
        sent[:] = [{"body": b"before"}]
        assert writer.finish() is True
        assert sent[-1] == {"type": "http.response.body", "body": b""}

    in_loop(story())
