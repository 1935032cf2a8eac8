"""The real server under the same orders as the floor: each goes through the hub to every stream."""

from __future__ import annotations

import threading

import uvicorn

from config.asgi import application
from tests.bench.floor import obey


def publish(version: int, text: str) -> None:
    application.hub.publish("M", version, lambda audience: text)


def main() -> None:
    application.hub.snapshots = lambda match, audience: (0, "board")
    config = uvicorn.Config(
        application, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    threading.Thread(target=obey, args=(server, publish), daemon=True).start()
    server.run()


if __name__ == "__main__":
    main()
