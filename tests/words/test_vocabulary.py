"""The words that we stopped using stay unused, in both languages; docs/words.md says what we say instead."""

import re
from pathlib import Path

import polib
import pytest

from games.management.commands import words

ENGLISH = (
    r"\b(take|takes|taken) (it |that |this |something |the bid )?back\b|take-back",
    r"\blet it stand\b|\bthinks? again\b|\bwould rather\b|\bmoved on\b|\bis this the end\b",
    r"\bsit down\b|\bgive up (this|a|the) seat\b",
    r"\bready (army|warband)\b|\bdemo army\b|\bcompanions?\b|\bremembered\b",
    r"\bsheet of paper\b|\bcommitment\b|\bdesk\b|\bown page\b|\badjust\b",
    r"\bfigures\b|\banew\b|\bin all\b|\bmust be granted\b|\blevel in everything\b",
    r"\bsay done\b",
    r"\bturn(s|ed)? (over|up)\b|\bcheck the draws\b|\bverify the draws\b",
    r"(?<!%\()\brivals?\b",
    r"\b(some|any|every|no)body\b|\bwatchers?\b|\btelevision\b|\bat present\b|\bown link\b",
    r"\bcall(s|ed)? (\S+ )?(\S+ )?off\b|\bdrawn up\b|\bknock-out\b|\bsub-title\b|\bby (it|them)sel(f|ves)\b",
    r"\b(leaves|left) the event\b|\bgo(es)? on\b(?! land)|\bstands? still\b|\blook( \w+)? once more\b",
)
BY_GAME = {
    "games": (r"\bcontest(s|ed)?\b|\blot\b|\bhall\b|\bwall\b",),
    "agot": (r"\bfights?\b", r"\bwith a star\b", r"\bbeside it\b"),
    "tmg": (
        r"\bClean-up\b|\bclean-up\b(?! on)|\breserve\b|\bcommander\b",
        r"\bon the table\b|\btable edge\b|\bof the table\b",
        r"\bin a rank\b",
        r"\bhold tokens\b|\bwho holds what\b|that you hold\b|\bholds the (token|centre)\b",
    ),
    "bushido": (r"\b(Starting|Main|End) phase\b", r"\bon the table\b|\btable edge\b"),
}
CHINESE = (
    "您", "从不", "永不", "席位", "军队列表", "让过", "点按", "移动代码", "分享代码", "日志", "主办方",
)  # fmt: skip
CHINESE_BY_GAME = {
    "games": ("桌子", "桌面", "(?<!桌)代码", "目录", "[)]s还没来", "点击(?!之后)", "观众"),
    "agot": (
        "(?<!家族)(?<!野人)命令", "图标", "弃掉", "[^卡顶]牌(?!堆)", "敌舰", "敌船", "陆地单位", "陆军",
        "持有者", "封存", "最[高低]出价", "竞标(?:在|同时|的权力)", "密封竞标", "家徽", "(?<!家族)徽记",
        "作废", "座(?:城堡|要塞|主城)", "个战舰", "点击",
    ),
    "tmg": (
        "测试", "被摧毁", "底盘", "横排", "(?<!单)独行", "目录", "名单", "^伤害$",
        "恢复[^，。]*伤害", "伤害(剩余|全满|在零)", "战区", "清理阶段", "长距离", "远程距离", "抓牌",
        "先手标记", "NCU", "TMG", r"\d 分瑞士", "自由行动", "阵营一方", "规则集", "轮次(?:结束|开始)", "颗",
        "一侧的目标", "侧目标", "严格更多", "带来 %", "桌面",
    ),
    "bushido": ("Bushido", "测试", "起始阶段", "主动技", "冲动", "燃烧", "受惊", "独特", "[)sd] 米", "名单",
        "^伤害$", "剩余伤害", "上的伤害", "伤害值", "桌面", "不倦", "火焰",
        "定局", "米[数值]"),
}  # fmt: skip
GERMAN = (
    # Nobody is addressed formally, and nobody's sex is told; quotation marks are those of German.
    r"\bIhnen\b",
    r"\b(?:[Bb]itte|können|möchten|müssen|haben|werden|[A-Z]\w+en) Sie\b",
    r"[a-zß][*:_]in(?:nen)?\b",
    r"\b[Ee]r/[Ss]ie\b",
    r"\b[Ss]ie/[Ee]r\b",
    r"(?:^|[\s(])“",
    r'"',
    # "Match" is a Partie, "Event" a Veranstaltung, a correction a Berichtigung, what is undone no Undo.
    r"\bMatch\b",
    r"\bEvents?\b",
    r"\bUndo\b",
    r"orrigier|orrektur",
    r"\bLog\b",
    r"\bReplay\b",
    # So these are the Leitung, the Ergebnisdienst and whoever watches.
    r"\b(?:Veranstalter|Turnierleitung|Punkteschreiber|Zuschauer|Urheber)\b",
    # Who plays on the other side is the Gegenseite, and what is theirs gegnerisch.
    r"\b[Ff]eind",
    r"\bGegner(?:n|s|in|innen)?\b",
    # "Tipp" is advice, no tap; only the rulebooks have a male player.
    r"\bTipps?\b",
    r"(?<![Aa]ktive )(?<![Aa]ktiver )(?<![Aa]ktiven )\bSpieler\b",
)
KEPT = {
    # "Wounds in a rank" is asked for one unit by its card.
    "%(unit)s has 1 wound in a rank.",
    "%(unit)s has %(count)s wounds in a rank.",
}  # fmt: skip

IN_CODE = re.compile(r"(?<![a-z])(deeds?|desks?|tolls|spoils)(?![a-z])", re.I)
"""Names that the code had and that no player, organiser or reader of a rulebook knows."""

CATALOGUES = {folder.name: folder / "locale" for folder, _sources in words.catalogues()}


def entries(name, locale="zh_Hans"):
    return polib.pofile(str(CATALOGUES[name] / locale / "LC_MESSAGES" / "django.po"), encoding="utf-8")


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_english_sentence_uses_a_word_that_we_stopped_using(name):
    stopped = re.compile("|".join(ENGLISH), re.I)
    own = re.compile("|".join(BY_GAME.get(name, ("(?!)",))))
    said = [text for entry in entries(name) for text in (entry.msgid, entry.msgid_plural)]
    assert [text for text in said if text not in KEPT and (stopped.search(text) or own.search(text))] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_chinese_sentence_uses_a_word_that_we_stopped_using(name):
    stopped = re.compile("|".join((*CHINESE, *CHINESE_BY_GAME.get(name, ()))))
    said = [text for entry in entries(name) for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert [text for text in said if stopped.search(text)] == []


ODD_SIGNS = re.compile(r"[\u4e00-\u9fff] ?[(,;:!?]|[,;:!?] ?[\u4e00-\u9fff]|[，。；：、？！] |／")
"""Signs of half the width beside a Chinese word, a space after a wide one, a wide stroke in a number."""
TYPED = "每行一名玩家：姓名; 俱乐部; 阵营"
"""What is typed has semicolons of half the width."""


@pytest.mark.parametrize("name", CATALOGUES)
def test_chinese_sentences_have_chinese_signs(name):
    said = [text for entry in entries(name) for text in (entry.msgstr, *entry.msgstr_plural.values())]
    plain = {text: re.sub(r"%\(\w+\)[sd]", "X", text) for text in said if text != TYPED}
    assert [text for text, bare in plain.items() if ODD_SIGNS.search(bare)] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_german_sentence_uses_a_word_that_we_do_not_use(name):
    stopped = re.compile("|".join(GERMAN))
    said = [text for entry in entries(name, "de") for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert [text for text in said if stopped.search(text)] == []


def test_no_name_in_the_code_is_a_word_that_we_stopped_using():
    root = Path(__file__).parents[2]
    sources = [file for place in ("games", "config", "templates") for file in (root / place).rglob("*.*")]
    ours = [file for file in sources if file.suffix in (".py", ".html", ".css")]
    said = {str(file.relative_to(root)): file.read_text(encoding="utf-8") for file in ours}
    found = {name for name, text in said.items() if IN_CODE.search(text)}
    assert len(said) > 500
    assert found | {name for name in said if IN_CODE.search(name)} == set()


def test_translators_find_the_words_from_the_readme():
    root = Path(__file__).parents[2]
    assert "docs/words.md" in (root / "README.md").read_text(encoding="utf-8")
    told = (root / "docs" / "words.md").read_text(encoding="utf-8")
    assert all(word in told for word in ("take back", "companion", "您", "让过", "军队列表"))
