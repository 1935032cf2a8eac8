"""Blanks around names in Chinese sentences: beside Latin letters, not between Chinese words."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.translation import get_language, override

from games.core import Sentence, Term, going_on, say, together
from games.translation import gettext, override_game, words
from games.web.request_rules import ReaderLanguage


@pytest.mark.parametrize(
    ("sentence", "name", "said"),
    [
        ("等待 %(name)s", "红方", "等待红方"),
        ("等待 %(name)s", "Ada", "等待 Ada"),
        ("%(name)s 激活一个单位", "红方", "红方激活一个单位"),
        ("空出 %(name)s 的座位", "小明 Ming", "空出小明 Ming 的座位"),
        ("空出 %(name)s 的座位", "Ada（红）", "空出 Ada（红）的座位"),
        ("%(name)s 与 Bo 交战", "张 三", "张 三与 Bo 交战"),
        ("第 %(name)s 轮", 5, "第 5 轮"),
        ("Round %(name)s of", "五", "Round 五 of"),
    ],
)
def test_a_name_decides_about_the_blanks_beside_it(sentence: str, name: object, said: str) -> None:
    assert Sentence(sentence) % {"name": name} == said


def test_sentences_of_rules_and_pages_close_up_around_chinese_names() -> None:
    line = say("%(name)s takes a seat.", name=Term("Red"))
    with override_game("tmg", "zh-hans"):
        assert words(line) == "红方入座。"
        assert gettext("Waiting for %(names)s") % {"names": "红方"} == "等待红方"
        assert gettext("Waiting for %(names)s") % {"names": "Ada"} == "等待 Ada"
    with override_game("tmg", "en"):
        assert words(line) == "Red takes a seat."


def test_pages_of_no_game_close_up_too(rf: RequestFactory) -> None:
    def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(gettext("Waiting for %(names)s") % {"names": "小明"})

    with override(get_language()):
        answer = ReaderLanguage(page)(rf.get("/", headers={"accept-language": "zh-CN"}))
    assert (answer.content.decode(), answer["Content-Language"]) == ("等待小明", "zh-hans")


def test_a_full_stop_that_is_wide_needs_no_blank_after_it() -> None:
    assert together(["红方入座。", "Bo 入座。", "第 1 轮"]) == "红方入座。Bo 入座。第 1 轮"
    assert together(["Red takes a seat.", "Blue, too."]) == "Red takes a seat. Blue, too."
    assert together([]) == ""
    assert [going_on(text, "Bo") for text in ("红方激活。", "Red activates.", "")] == ["Bo", " Bo", "Bo"]
