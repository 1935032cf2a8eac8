"""`python -m config.healthy`: whether the server on this machine can save taps, for a health check.

It asks as the proxy does, with the server's own host name: any other is refused. Ends with 0 or a sentence.
"""

from __future__ import annotations

import http.client
import os
import sys

SECONDS = 4.0
"""How long an answer may take; the server itself gives up after one second."""


def fault(host: str, port: int) -> str:
    """Why the server at a port of this machine is not well; "" if it is."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        connection.request("GET", "/readyz", headers={"Host": host})
        answer = connection.getresponse()
        body = answer.read().decode()
    except (OSError, http.client.HTTPException) as problem:
        return f"Nothing answers at port {port} ({problem})."
    return "" if answer.status == 200 else f"The server is not well: {answer.status} {body}"


def main() -> str:
    """The fault of the server that the environment describes."""
    host = os.environ.get("ROUNDTABLE_HOSTS", "localhost").partition(",")[0].strip().lstrip(".")
    return fault(host, int(sys.argv[1]) if len(sys.argv) > 1 else 8000)


if __name__ == "__main__":
    sys.exit(main() or 0)
