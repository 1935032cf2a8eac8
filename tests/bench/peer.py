"""The usual way, for comparison: Channels on Daphne, notified through Redis, with no game or page around it.

`bench_fanout.py --peer PYTHON` starts it with an interpreter that has `channels`, `channels_redis` and
`daphne`, none of which the project needs; Redis is expected on its usual port. Every stream joins one group,
and a POST sends a whole board of a given number of bytes to the group.
"""

from __future__ import annotations

import sys

import django
from channels.generic.http import AsyncHttpConsumer
from channels.layers import get_channel_layer
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="a measurement",
    CHANNEL_LAYERS={
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            "CONFIG": {"hosts": [("127.0.0.1", 6379)]},
        }
    },
)
django.setup()


class Stream(AsyncHttpConsumer):
    """One spectator, or the tap."""

    async def handle(self, body: bytes) -> None:
        if self.scope["method"] == "POST":
            board = "x" * int(self.scope["query_string"])
            await get_channel_layer().group_send("watchers", {"type": "board", "board": board})
            return await self.send_response(200, b"told")
        await self.channel_layer.group_add("watchers", self.channel_name)
        await self.send_headers(headers=[(b"content-type", b"text/event-stream")])
        await self.send_body(b"data: " + b"x" * 100 + b"\n\n", more_body=True)
        return None

    async def http_request(self, message: dict[str, object]) -> None:
        await self.handle(b"")

    async def board(self, event: dict[str, str]) -> None:
        await self.send_body(f"data: {event['board']}\n\n".encode(), more_body=True)


application = Stream.as_asgi()

if __name__ == "__main__":
    from daphne.server import Server

    Server(
        application, endpoints=[f"tcp:port={sys.argv[1]}:interface=127.0.0.1"], signal_handlers=False
    ).run()
