"""What is on every page."""

from __future__ import annotations

from games.core.words import ViewModel


class Language(ViewModel):
    """One choice of the language switch; `name` is the language's own ("简体中文")."""

    code: str
    name: str
    current: bool = False


class Site(ViewModel):
    """The frame around every page, given by a context processor as `site`.

    `here` is where the language switch returns to; `plain_http` shows the honest
    banner that this table is not encrypted; `worker_url` is then empty, and a phone
    stores nothing of the program.
    """

    home_url: str
    language_url: str
    here: str
    languages: tuple[Language, ...] = ()
    manifest_url: str = "/manifest.webmanifest"
    worker_url: str = ""
    plain_http: bool = False


class Link(ViewModel):
    """A plain link to another page; `tone` is "main" for the one to take next."""

    url: str
    label: str
    icon: str = ""
    detail: str = ""
    current: bool = False
    tone: str = ""


class Notice(ViewModel):
    """One sentence for the reader: a refusal with its reason, or good news.

    `tone` is "bad", "good" or "". `rule` names the rule that a refusal rests on.
    """

    text: str
    tone: str = ""
    rule: str = ""


class Share(ViewModel):
    """What a page says about itself where its address is posted: full addresses, public facts.

    `size` is the picture's width and height in pixels.
    """

    title: str
    text: str
    url: str
    image: str
    alt: str
    size: tuple[int, int] = (1200, 630)
