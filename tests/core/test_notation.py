"""The written form of an action."""

import pytest

from games.core import Action, Malformed, parse_action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Action("pass")),
        ("activate:wolves", Action("activate", ("wolves",))),
        ("claim:centre:sworn-swords-2", Action("claim", ("centre", "sworn-swords-2"))),
        ("bid:throne:3", Action("bid", ("throne",), 3)),
        ("rolled:6", Action("rolled", (), 6)),
        ("wounds:wolves:-12", Action("wounds", ("wolves",), -12)),
        ("pick-zone", Action("pick-zone")),
    ],
)
def test_an_action_reads_and_writes_back(text, action):
    assert parse_action(text) == action
    assert str(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "pass:",
        "Pass",
        "bid:throne:03",
        "bid:throne:-0",
        "bid:throne:1e3",
        "bid:throne:1_0",
        "bid:throne:１",
        "a:b:c:d",
        "a:b:c:1",
        "bid:throne:9999999",
        "__class__",
        "activate:wolves\n",
        "activate:wölfe",
        "x" * 121,
        "bid:--3",
    ],
)
def test_what_is_no_action_is_malformed(text):
    with pytest.raises(Malformed):
        parse_action(text)
