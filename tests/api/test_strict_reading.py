"""What is read as JSON, and what is refused before anything looks at it: nothing is guessed, nothing lost."""

import json

import pytest

from games.api.reading import DEEPEST, LONGEST_NUMBER, read_object
from games.core import Unreadable

DEEP = '{"a":' + "[" * (DEEPEST - 1) + "%s" + "]" * (DEEPEST - 1) + "}"


def sentence(text, **limits):
    """Why this is not read."""
    with pytest.raises(Unreadable) as refused:
        read_object(text if isinstance(text, bytes) else text.encode(), **limits)
    return refused.value.status, str(refused.value.line)


@pytest.mark.parametrize(
    "value",
    [
        10**LONGEST_NUMBER - 1,
        1e308,
        -0.5,
        {"name": "Zoë", "deep": [[{"a": None}]], "yes": True, "no": []},
        "\U0001f3b2",
    ],
)
def test_what_is_plain_json_arrives_as_it_was_sent(value):
    sent = {"a": value, "b": 1}
    assert read_object(json.dumps(sent).encode()) == sent
    assert read_object(json.dumps(sent, ensure_ascii=False).encode("utf-8-sig")) == sent


def test_it_may_be_as_deep_and_as_big_as_is_said():
    deepest = (DEEP % 1).encode()
    assert read_object(deepest, len(deepest))
    assert sentence(DEEP % "[]") == (422, "This is nested too deeply.")
    assert sentence(DEEP % "{}") == (422, "This is nested too deeply.")
    assert sentence('{"a":' * 100_000, limit_bytes=10**6) == (422, "This is nested too deeply.")
    assert sentence(b"{}" + b" " * 2047, limit_bytes=2048) == (
        413,
        "That is too big: at most 2 KB can be sent.",
    )
    assert read_object((DEEP % "[]").encode(), deepest=DEEPEST + 1)


@pytest.mark.parametrize(
    "text",
    [
        r'"\ud800"',
        r'["x", "\udfff"]',
        r'{"\ud800": 1}',
        r'[[{"a": {"\udc00": 2}}]]',
        b'"\xff"',
        b'"\xed\xa0\x80"',
    ],
)
def test_text_that_nobody_can_show_is_damaged(text):
    whole = b'{"a": %s}' % (text if isinstance(text, bytes) else text.encode())
    assert sentence(whole) == (422, "This text arrived damaged: it is not valid UTF-8.")


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "1" * (LONGEST_NUMBER + 1)]
)
def test_a_number_that_would_become_another_is_refused(number):
    assert sentence(f'{{"a": [{number}]}}') == (422, "This holds a number that cannot be counted.")


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '{"a": {"b": [{"c": 1, "c": 2}]}}'])
def test_of_two_equal_names_neither_is_believed(text):
    assert sentence(text) == (422, "A name appears twice in the same JSON object.")


@pytest.mark.parametrize("text", ["[]", "null", "7", '"a"', "true"])
def test_only_an_object_is_one(text):
    assert sentence(text) == (422, "This must be a JSON object.")


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "{}{}", '{"a": }', "{} x"])
def test_what_is_no_json_is_told_so(text):
    assert sentence(text) == (422, "This is not JSON.")
