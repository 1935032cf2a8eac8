"""The least that a server can do for the same: a bare fan-out of the same bytes, without Django or a hub.

It prints its port; each line on its input names a version and a size, and makes it send such a frame to
everyone and print the moment at which it began.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn

HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]

listeners: set[Any] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Keep whoever asks, and forget them when they go."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
    listeners.add(send)
    while (await receive())["type"] != "http.disconnect":
        pass
    listeners.discard(send)


async def tell(data: bytes) -> None:
    for send in listeners:
        await send({"type": "http.response.body", "body": data, "more_body": True})


def frame(version: int, text: str) -> bytes:
    return f"id: {version}\nevent: board\ndata: {text}\n\n".encode()


def obey(server: uvicorn.Server, publish: Callable[[int, str], object]) -> None:
    """Say the port, then publish as told until the input ends."""
    while not server.started:
        time.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    for order in sys.stdin:
        version, size = map(int, order.split())
        text = ("<p>board</p>" * (size // 12 + 1))[:size]
        began = time.monotonic()
        publish(version, text)
        print(began, flush=True)
    server.should_exit = True


async def main() -> None:
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(
        application, port=0, log_level="error", lifespan="off", access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)

    def publish(version: int, text: str) -> None:
        asyncio.run_coroutine_threadsafe(tell(frame(version, text)), loop)

    threading.Thread(target=obey, args=(server, publish), daemon=True).start()
    await server.serve()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
