"""The order of names in lists for people: by surname, as the readers of a language look them up.

Letters with marks come after the same letters without them (Éva after Eva), and other scripts after Latin.
In Chinese lists names come by pinyin, before Latin ones: the codes of GB 2312 have the 3,755 most common
characters in that order. A table adds surnames that it lacks, has by another reading, or in traditional form.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

Key = tuple[tuple[tuple[int, str], ...], ...]

AS = str.maketrans(
    "覃闵瞿滕邬臧褚奚邸郜晏栾窦鄢竺冼佟谌岑胥蔺闫佘邝缪亓嵇郗阚甯邰阙芮单解仇查翟区朴乐陳張劉黃吳趙楊鄭孫馬羅許謝韓馮蕭鄧葉蘇"
    "盧蔣賈鍾譚陸鄒湯賴龔龐蘭顏嚴魯韋畢聶齊莊鮑閔關紀項歐陽衛華車邊饒寧喬錢賀萬龍顧譙竇連簡婁鄔蘆",
    "秦敏渠疼乌脏楚西底告宴峦豆烟竹显同臣层虚吝言蛇旷庙齐基西看凝胎缺锐善谢求扎宅欧瓢月陈张刘黄吴赵杨郑孙马罗许谢韩冯萧邓叶苏"
    "卢蒋贾钟谭陆邹汤赖龚庞兰颜严鲁韦毕聂齐庄鲍敏关纪项欧阳卫华车边饶宁乔钱贺万龙顾桥豆连简娄乌芦",
)
"""Surnames that GB 2312 has in another place, and below each a character that is read like it."""
LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
HAN, LATIN, OTHER = 0, 1, 2


def surname(name: str) -> str:
    """The part of a name that people look it up by: the last word, or what stands before a comma.

    A name in Chinese, Japanese or Korean characters has its surname first and is looked up whole.
    """
    before, comma, _after = name.partition(",")
    if comma and before.strip():
        return before.strip()
    words = name.split()
    is_eastern = any(unicodedata.east_asian_width(letter) in "WF" for letter in name)
    return name if is_eastern or not words else words[-1]


@lru_cache(maxsize=4096)
def by_surname(name: str, language: str) -> Key:
    """The key by which names are sorted for readers of this language."""
    family = surname(name)
    texts = (family, name)
    return (
        *(_letters(text, language) for text in texts),
        *(tuple((OTHER, mark) for mark in _marks(text)) for text in texts),
    )


def initial(name: str) -> str:
    """The letter, or the character, under which a name is looked up."""
    base = unicodedata.normalize("NFKD", surname(name))
    return next((letter.upper() for letter in base if letter.isalnum()), "#")


def _letters(text: str, language: str) -> tuple[tuple[int, str], ...]:
    """The letters of a text as they are compared, without case and marks."""
    letters: list[tuple[int, str]] = []
    for letter in unicodedata.normalize("NFKD", text).casefold():
        if unicodedata.combining(letter):
            continue
        if language.startswith("zh") and unicodedata.name(letter, "").startswith("CJK UNIFIED"):
            letters.append((HAN, _pinyin(letter, is_first=not letters)))
            continue
        for plain in LETTERS.get(letter, letter):
            letters.append((LATIN if plain.isascii() else OTHER, plain))
    return tuple(letters)


def _pinyin(character: str, *, is_first: bool) -> str:
    """What orders a character by its pinyin: its code in GB 2312, or what comes after all of them."""
    code = (character.translate(AS) if is_first else character).encode("gb2312", "ignore")
    return code.hex() + character if b"\xb0" <= code < b"\xd8" else "f" + character


def _marks(text: str) -> str:
    """The marks of the letters, which only decide between names that are spelled alike without them."""
    return "".join(
        character for character in unicodedata.normalize("NFKD", text) if unicodedata.combining(character)
    )
