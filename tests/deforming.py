"""What happens to a list on its way through apps, chats and hands, for the tests of the games."""

import random
import textwrap
import unicodedata

BULLETS = "◦▪‣●■►➤*-–\uf0b7\uf0a7🔹"
NOISE = ("see you on Friday", "painted in red", "my third list", "Bring dice please!")


def bullets(text: str, luck: random.Random) -> str:
    """Other bullets, those of icon fonts and of chats included."""
    return text.replace("•", luck.choice(BULLETS))


def quoted(text: str, luck: random.Random) -> str:
    """The signs of quoting in mail and chats."""
    sign = luck.choice(("> ", ">> ", "| ", ">"))
    return "\n".join(sign + row for row in text.split("\n"))


def page(text: str, luck: random.Random) -> str:
    """The markup of a page."""
    rows = text.split("\n")
    if luck.random() < 0.5:
        return "<br>\n".join(rows)
    return "\n".join(f"<li><b>{row}</b></li>" if row.strip() else row for row in rows)


def decomposed(text: str, luck: random.Random) -> str:
    """Letters and their accents apart, as some phones send them; and wide blanks."""
    return unicodedata.normalize("NFD", text).replace(" ", luck.choice((" ", "\u00a0")))


def shouted(text: str, luck: random.Random) -> str:
    """Capital letters, or none."""
    return text.upper() if luck.random() < 0.5 else text.lower()


def bold(text: str, luck: random.Random) -> str:
    """Bold type in a chat or a forum."""
    sign = luck.choice(("**{}**", "__{}__", "[b]{}[/b]"))
    return "\n".join(sign.format(row) if row.strip() else row for row in text.split("\n"))


def wrapped(text: str, luck: random.Random) -> str:
    """Rows that a narrow app has broken."""
    width = luck.randint(32, 44)
    return "\n".join(
        part for row in text.split("\n") for part in (textwrap.wrap(row, width, drop_whitespace=True) or [""])
    )


def bracketed(text: str, luck: random.Random) -> str:
    """Prices in other brackets."""
    left, right = luck.choice(("[]", "{}", "（）", "【】"))
    return text.replace("(", left).replace(")", right)


def noisy(text: str, luck: random.Random) -> str:
    """Words of the players between the lines, and lines that they have struck out."""
    rows = text.split("\n")
    for words in NOISE:
        rows.insert(
            luck.randint(0, len(rows)), luck.choice((words, f"~~{words}~~", f"// {words}", f"## {words}"))
        )
    return "\n".join(rows)


def spaced(text: str, luck: random.Random) -> str:
    """Blank lines between the lines, and blanks behind them."""
    return "\n".join(row + luck.choice(("", "  ", "\n")) for row in text.split("\n"))


def dashed(text: str, luck: random.Random) -> str:
    """Other dashes and apostrophes."""
    return text.replace(" - ", luck.choice((" – ", " — ", " − "))).replace("'", luck.choice("’‘´"))


DEFORMATIONS = (
    bullets, quoted, page, decomposed, shouted, bold, wrapped, bracketed, noisy, spaced, dashed,
)  # fmt: skip


def deformed(text: str, luck: random.Random) -> tuple[str, list[str]]:
    """A text after one or two of these, and their names."""
    chosen = luck.sample(DEFORMATIONS, k=luck.randint(1, 2))
    for change in chosen:
        text = change(text, luck)
    return text, [change.__name__ for change in chosen]
