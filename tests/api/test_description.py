"""The description of the API names every address, and nothing of it comes from elsewhere."""

import json
import re
from collections import Counter

import pytest
from django.urls import get_resolver
from pydantic import BaseModel, TypeAdapter

from games.api import api, schemas
from tests.api.robots import Caller, Table

METHODS = {"get", "post"}


@pytest.fixture
def described(client):
    answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/json")
    return json.loads(answer.content)


def addresses():
    """Every address below /api/, as the description writes them."""
    root = next(one for one in get_resolver().url_patterns if str(one.pattern) == "api/")
    found = {"/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(one.pattern)) for one in root.url_patterns}
    return found - {"/api/", "/api/openapi.json"}


def test_every_address_is_described(described):
    assert set(described["paths"]) == addresses()
    assert described["openapi"].startswith("3.")


def test_every_operation_says_what_it_is_for(described):
    for path, operations in described["paths"].items():
        assert set(operations) <= METHODS
        for operation in operations.values():
            assert operation["summary"], path
            assert len(operation["description"]) > 20, path
            assert path == "/api/systems" or {"404", "422", "429", "503"} <= set(operation["responses"])


def test_every_reference_leads_somewhere(described):
    text = json.dumps(described)
    names = set(re.findall(r'"\$ref": "#/components/schemas/(\w+)"', text))
    assert names <= set(described["components"]["schemas"])
    assert {"Position", "Accepted", "IllegalAction", "Problem", "Opened"} <= names


def test_seats_speak_with_a_bearer_token(described):
    assert described["components"]["securitySchemes"]["seat"]["scheme"] == "bearer"
    assert described["paths"]["/api/matches/{code}/act"]["post"]["security"] == [{"seat": []}]
    assert described["paths"]["/api/matches/{code}"]["get"]["security"] == [{}, {"seat": []}]


def test_what_needs_a_token_says_that_it_may_be_missing(described):
    for path, operations in described["paths"].items():
        for operation in operations.values():
            needs_token = operation.get("security") == [{"seat": []}]
            assert ("401" in operation["responses"]) == needs_token, path


def test_no_other_host_is_named(described):
    assert re.findall(r"https?://[^\"\s]+", json.dumps(described)) == []


def test_there_is_no_page_that_would_load_scripts_from_elsewhere(client):
    for path in ("/api/docs", "/api/", "/api/redoc"):
        assert client.get(path).status_code == 404


@pytest.mark.django_db
def test_the_answers_are_what_is_described(client):
    """Every member of the answers is described, and every described member comes."""
    table = Table(client, "auction", "tracks", 3)
    position = TypeAdapter(schemas.Position)
    for seen in (table.look(), table.look("stark")):
        position.validate_python(seen, strict=True)
        assert set(seen) == set(schemas.Position.model_fields)
    accepted = table.tap("stark", "bid:throne:1").json()
    assert set(accepted) == set(schemas.Accepted.model_fields)
    refused = table.tap("stark", "bid:throne:1").json()
    assert set(refused) == set(schemas.IllegalAction.model_fields)
    assert set(table.opened) == set(schemas.Opened.model_fields)
    games = Caller(client).get("systems").json()
    TypeAdapter(schemas.Games).validate_python(games, strict=True)
    told = table.seats["stark"].get(f"matches/{table.code}/adjustments?path=army/stark").json()
    TypeAdapter(schemas.Corrections).validate_python(told, strict=True)


def test_every_operation_has_a_name_to_reverse():
    names = {
        operation.url_name
        for _path, view in api.default_router.path_operations.items()
        for operation in [view]
    }
    assert None not in names


def models(kind=BaseModel):
    for one in kind.__subclasses__():
        yield one
        yield from models(one)


def test_a_name_in_the_description_is_one_form_only(described):
    """Of two forms of one name the description would show the last one in the place of both."""
    ours = {one for one in models() if one.__module__.startswith("games.")}
    forms = Counter(one.__name__ for one in ours)
    assert {name for name in described["components"]["schemas"] if forms[name] != 1} == set()
    body = described["paths"]["/api/matches"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    opening = described["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    assert set(opening["properties"]) == set(schemas.Opening.model_fields)


@pytest.mark.django_db
def test_an_event_of_no_game_is_refused_as_it_is_described(client, described):
    answer = Caller(client).post("events", {"system": "none"})
    assert str(answer.status_code) in described["paths"]["/api/events"]["post"]["responses"]
    assert answer.json()["message"] == "There is no such game."
