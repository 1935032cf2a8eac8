"""The events of a match as they really come: over a socket, each the JSON that GET answers."""

import http.client
import json

import pytest

from tests.api.robots import Caller, Table
from tests.live.test_stream import Stream

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(server, client):
    return Table(client)


@pytest.fixture
def streams(server, table):
    opened = []

    def follow(token="", **headers):
        if token:
            headers["Authorization"] = f"Bearer {token}"
        opened.append(Stream(server.port, f"/api/matches/{table.code}/events", **headers))
        return opened[-1]

    yield follow
    for stream in opened:
        stream.close()


def board(stream):
    """The next board of a stream: its id and its data."""
    event = stream.board()
    return int(event["id"]), json.loads(event["data"])


def post(server, table, seat, action):
    """A tap over the server, whose hub tells the streams."""
    token = next(one["token"] for one in table.opened["seats"] if one["seat"] == seat)
    body = json.dumps({"action": action, "seen": table.look()["version"], "key": f"key-{seat}-{action[6:]}"})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/matches/{table.code}/act", body, headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def test_each_reader_gets_what_a_look_answers(server, table, streams):
    red, watcher = streams(table.opened["seats"][0]["token"]), streams()
    assert red.answer.status == 200
    assert red.answer.headers["Content-Type"].startswith("text/event-stream")
    assert board(red) == (1, table.look("red"))
    assert board(watcher) == (1, table.look())
    post(server, table, "red", "throw:rock")
    assert board(red) == (2, table.look("red"))
    version, seen = board(watcher)
    assert (version, seen) == (2, table.look())
    assert seen["table"]["armies"]["red"]["hidden"] == {"throw": None}


def test_the_stream_speaks_the_callers_language(client, table, streams):
    stream = streams(Accept_Language="zh-hans")
    chinese = Caller(client, language="zh-hans").get(f"matches/{table.code}").json()
    assert board(stream) == (1, chinese)


def test_a_bad_token_opens_no_stream(streams):
    refused = streams("1.0")
    assert refused.answer.status == 403
    assert json.loads(refused.answer.read())["error"] == "bad_token"


def test_whoever_comes_back_is_sent_only_what_is_new(server, table, streams):
    returning = streams(Last_Event_ID="1")
    post(server, table, "blue", "throw:paper")
    assert board(returning)[0] == 2
