"""Reads players from a table kept elsewhere: which column is what, who that makes, and what is left over.

Every cell ends in a player, in a sentence about its line, or in what is not used. A line that cannot be read
gets a sentence, and then nothing at all is entered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from games.core import (
    NAME_GRAPHEMES,
    Line,
    Term,
    Unreadable,
    clean_name,
    clean_note,
    name_key,
    say,
)
from games.core import gettext_noop as _
from games.hall.rules.event_state import NO_DIVISION, EventState
from games.hall.rules.registration import ALIKE, MOST_PLAYERS
from games.web import table_files
from games.web.table_files import Reading, Row

FIRST, NAME, LAST, CLUB, FACTION, DIVISION = MEANINGS = (
    *("first", "name", "last", "club", "faction", "division"),
)
"""What a column may hold, or "" if it is not used. Next to first names, "name" holds the last names."""
NAMES = (FIRST, NAME, LAST)
UNUSED = ""
HEADINGS = {
    NAME: """
        name, names, full name, player, players, player name, name of player, participant, competitor,
        attendee, spieler, spielerin, spielername, spieler in, teilnehmer, teilnehmerin, teilnehmername,
        nom, joueur, joueuse, nom du joueur, nom complet, nom et prenom, nombre completo,
        nombre y apellidos, jugador, jugadora, giocatore, nominativo, nome completo, jogador, jogadora,
        naam, speler, spelersnaam, deelnemer, gracz, zawodnik, imie i nazwisko, hrac, jmeno hrace,
        jmeno a prijmeni, jatekos, teljes nev, nev, jucator, nume, spelare, spiller, deltagare, deltaker,
        deltager, navn, namn, nimi, pelaaja, oyuncu, ad soyad, adi soyadi, имя игрока, игрок, участник,
        фио, имя и фамилия, гравець, учасник, піб, παικτης, ονοματεπωνυμο, 姓名, 名字, 玩家, 选手, 選手,
        選手名, 球员, 參賽者, 参赛者, 名前, 氏名, 参加者, プレイヤー, プレイヤー名, 이름, 성명, 선수,
        참가자
    """,
    FIRST: """
        first name, firstname, given name, forename, vorname, vornamen, rufname, prenom, nombre, nome,
        voornaam, imie, jmeno, krestni jmeno, meno, keresztnev, utonev, prenume, fornamn, fornavn, etunimi,
        adi, isim, имя, імя, ім я, ονομα, 名
    """,
    LAST: """
        last name, lastname, surname, family name, nachname, familienname, zuname, nom de famille,
        apellido, apellidos, cognome, sobrenome, apelido, achternaam, nazwisko, prijmeni, priezvisko,
        vezeteknev, csaladnev, nume de familie, efternamn, efternavn, etternavn, sukunimi, soyad, soyadi,
        фамилия, прізвище, επωνυμο, επιθετο, 姓, 姓氏, 성
    """,
    CLUB: """
        club, clubs, team, team name, club name, home club, verein, vereinsname, heimatverein, klub,
        klubname, mannschaft, equipe, nom du club, equipo, circolo, associazione, squadra, associacao,
        clube, vereniging, ploeg, druzyna, druzstvo, oddil, tym, egyesulet, csapat, echipa, lag, forening,
        klubb, seura, joukkue, kulup, takim, клуб, команда, συλλογος, ομαδα, 俱乐部, 俱樂部, 战队, 戰隊,
        队伍, 隊伍, 社团, 社團, クラブ, チーム, 所属, 클럽, 팀, 소속
    """,
    FACTION: """
        faction, factions, army, house, side, race, warband, fraktion, armee, volk, haus, maison, peuple,
        faccion, ejercito, casa, fazione, esercito, faccao, exercito, factie, leger, frakcja, armia,
        frakce, armada, frakcio, sereg, factiune, armata, fraktio, armeija, ordu, taraf, фракция, армия,
        фракція, армія, παραταξη, στρατος, 阵营, 陣營, 派系, 军队, 軍隊, 勢力, 陣営, 軍, 진영, 세력
    """,
    DIVISION: """
        division, divisions, div, category, categories, class, bracket, kategorie, klasse, wertung, categorie,
        categoria, divisie, kategoria, kategorija, luokka, klass, дивизион, категория, κατηγορια, 组别, 組別,
        分组, 部門, クラス, 부문
    """,
    UNUSED: """
        no, nr, n, id, key, number, nummer, numero, pos, position, rank, rang, place, platz, email, e mail,
        mail, phone, telefon, tel, mobile, handy, nickname, nick, alias, username, user name, discord,
        date, datum, zeit, timestamp, zeitstempel, paid, bezahlt, country, land, pays, city, ort, stadt,
        ville, table, tisch, points, punkte, list, lists, liste, army list, armeeliste, checked in,
        dropped, seat, score, wins, notes, note, notiz, bemerkung, comment, kommentar, age, alter, 序号,
        序號, 编号, 編號, 番号, 번호, 电话, 電話, 邮箱, 備考, 备注, номер, почта, телефон
    """,
}
"""What a column may be called, without accents and signs."""
HAN = re.compile(r"[\u3400-\u9fff]+")
NUMBER = re.compile(r"[#№]?\s*[-+]?[\d.,:/ -]*\d[.)%]?|\S+@\S+|https?://\S+")
"""What no player is called: a number, a date, an address."""
IN_BRACKETS = re.compile(r"[(\[].*?[)\]]")
SIGNS = re.compile(r"[\W_]+")
MOST_BEFORE = 10
"""So many lines may stand above the headings."""
SHORTEST_END = 5
MIXED = regex.compile(
    r"(?=\p{L}*\p{Latin})(?=\p{L}*[\p{Cyrillic}\p{Greek}])\p{L}+|(?=\p{L}*\p{Cyrillic})(?=\p{L}*\p{Greek})\p{L}+"
)
LOOKS = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυ",
    "ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXavopu",
)
"""Cyrillic and Greek letters, and the Latin ones that they look like."""
MOST_BYTES = table_files.MOST_BYTES
MOST_COLUMNS = 60
MOST_WRONG = 100
"""So many wrong lines are named at once; the next ones once these are corrected."""
LONGEST_FACTION = 80
NOBODY = _("There are no players in this table.")
NO_NAMES = _("Choose the column with the players’ names.")
UNCERTAIN = _("Choose first which of these texts has the right letters.")

Entered = tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """What each column is taken for, and the number of the line of headings (0: there is none)."""

    meanings: tuple[str, ...]
    head: int = 0


@dataclass(frozen=True)
class ReadTable:
    """What a table says: players as (name, club, faction), or the wrong lines and what is wrong with each.

    Where the event has divisions, a player has one as well. With `has_more`, other lines are wrong too.
    `remarks` are about lines that are read all the same.
    """

    rows: tuple[Row, ...] = ()
    columns: Columns = Columns(())
    players: tuple[Entered, ...] = ()
    wrong: tuple[tuple[int, Line], ...] = ()
    has_more: bool = False
    remarks: tuple[tuple[int, Line], ...] = ()

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The heading of each column, "" where it has none."""
        head = next((row.cells for row in self.rows if row.number == self.columns.head), [])
        return tuple(head[at] if at < len(head) else "" for at in range(len(self.columns.meanings)))

    def cells(self, at: int) -> tuple[str, ...]:
        """What a column holds, from the first player on."""
        return tuple(
            row.cells[at] for row in _body(self.rows, self.columns) if at < len(row.cells) and row.cells[at]
        )

    @property
    def unused(self) -> list[tuple[Line, tuple[str, ...]]]:
        """The columns that are not used, and what stands above the headings, with all their cells."""
        columns = [
            (self.label(at), self.cells(at))
            for at, meaning in enumerate(self.columns.meanings)
            if meaning == UNUSED
        ]
        above = [cell for row in self.rows if row.number < self.columns.head for cell in row.cells]
        everything = [(say(_("Above the headings")), tuple(filter(None, above))), *columns]
        return [(label, cells) for label, cells in everything if cells]

    def label(self, at: int) -> Line:
        """What a column is called: its heading, or else its place."""
        heading = self.headings[at]
        return (
            say(_("“%(heading)s”"), heading=heading)
            if heading
            else say(_("Column %(number)s"), number=at + 1)
        )

    @property
    def remembered(self) -> dict[str, str]:
        """What the columns are taken for, by what tells them: their heading, or else their place."""
        return dict(zip(_signs(self.headings), self.columns.meanings, strict=True))


def read(
    raw: str | bytes, g: EventState, columns: Columns | None = None, *, recall: bool = False
) -> ReadTable:
    """The players of a pasted table or an uploaded file. Raises `Unreadable` for anything but text.

    The columns are guessed if nobody says them; `recall` takes those into account that were said before.
    """
    if not raw.strip():
        raise Unreadable(say(NOBODY))
    text = certain(table_files.readings(raw))
    if text is None:
        raise Unreadable(say(UNCERTAIN))
    rows = table_files.rows(text.text, lambda line: KNOWN.get(_plain(line)) in NAMES)
    if max((len(row.cells) for row in rows), default=0) > MOST_COLUMNS:
        raise Unreadable(say(_("This table cannot be read.")))
    if columns is None:
        columns = guessed(rows, g.columns if recall else {})
    columns = _fitted(rows, columns, MEANINGS if g.divisions else MEANINGS[:-1])
    table = ReadTable(tuple(rows), columns)
    if not _has_names(table) and any(any(row.cells) for row in _body(rows, columns)):
        number = columns.head or rows[0].number
        return ReadTable(table.rows, columns, wrong=((number, say(NO_NAMES)),))
    return _read(table, g)


def certain(readings: list[Reading]) -> Reading | None:
    """The text that needs nobody to choose it: the only one, or the only one with a heading that is known."""
    said = [
        reading
        for reading in readings
        if any(not word.isascii() and _plain(word) in KNOWN for word in reading.words)
    ]
    return table_files.certain(readings) or (said[0] if len(said) == 1 else None)


def _read(table: ReadTable, g: EventState) -> ReadTable:
    entered = {(name_key(other.name), name_key(other.club)) for other in g.players.values()}
    shapes = {_looks(other.name, other.club): other.name for other in g.players.values()}
    players: list[Entered] = []
    wrong: list[tuple[int, Line]] = []
    remarks: list[tuple[int, Line]] = []
    for row in _body(table.rows, table.columns):
        try:
            player = _player(row, table.columns.meanings, g.divisions)
            alike = (name_key(player[0]), name_key(player[1]))
            if alike in entered:
                raise Unreadable(say(ALIKE, name=player[0]))
            remarks += [
                (row.number, line)
                for line in _remarks(player[0], shapes.setdefault(_looks(*player[:2]), player[0]))
            ]
            entered.add(alike)
            players.append(player)
        except Unreadable as unreadable:
            wrong.append((row.number, unreadable.line))
        if len(wrong) > MOST_WRONG or len(players) > MOST_PLAYERS:
            break
    if not players and not wrong:
        raise Unreadable(say(NOBODY))
    if wrong:
        players = []
    return ReadTable(
        table.rows,
        table.columns,
        tuple(players),
        tuple(wrong[:MOST_WRONG]),
        len(wrong) > MOST_WRONG,
        tuple(remarks),
    )


def problems_in_words(wrong: tuple[tuple[int, Line], ...]) -> Line:
    """The wrong lines, in one sentence each."""
    return say(
        _("Nothing was entered. %(lines)s"),
        lines=tuple(
            say(_("Line %(number)s: %(problem)s"), number=number, problem=line) for number, line in wrong
        ),
    )


# --- what the columns mean ---------------------------------------------------------------------------


def guessed(rows: Sequence[Row], remembered: Mapping[str, str]) -> Columns:
    """What each column probably holds, and where the headings are."""
    width = max((len(row.cells) for row in rows), default=0)
    head = next((row for row in rows[:MOST_BEFORE] if _is_heading(row.cells, remembered)), None)
    if head is None and rows and _is_of_another_kind(rows):
        head = rows[0]
    body = [row for row in rows if head is None or row.number > head.number]
    names = [*(head.cells if head else []), *[""] * width][:width]
    meanings = _by_heading(names, remembered) if head else [remembered.get(sign) for sign in _signs(names)]
    names_missing = () if {*NAMES} & {*meanings} else (NAME,)
    usual = iter(
        (*names_missing, *(column for column in (CLUB, FACTION) if not head and column not in meanings))
    )
    for at, meaning in enumerate(meanings):
        if meaning is None:
            cells = [row.cells[at] for row in body if at < len(row.cells) and row.cells[at]]
            has_text = cells and not all(map(NUMBER.fullmatch, cells))
            meanings[at] = next(usual, UNUSED) if has_text else UNUSED
    return Columns(tuple(meaning or UNUSED for meaning in meanings), head.number if head else 0)


def _by_heading(names: Sequence[str], remembered: Mapping[str, str]) -> list[str | None]:
    """What the headings say: each meaning once, the plainest word first; None where nothing is known."""
    said: list[str | None] = [
        remembered.get(sign, KNOWN.get(_plain(name))) for sign, name in zip(_signs(names), names, strict=True)
    ]
    for at, meaning in enumerate(said):
        if meaning and meaning in said[:at] and not remembered:
            said[at] = UNUSED
    for at, name in enumerate(names):
        if said[at] is None and (meaning := _by_a_part(_plain(name))) not in said:
            said[at] = meaning
    return said


def _is_heading(cells: Sequence[str], remembered: Mapping[str, str]) -> bool:
    """Whether a line names columns: that of the names, or two others that are used."""
    said = [KNOWN.get(_plain(cell), remembered.get(_plain(cell))) for cell in cells if cell]
    return any(meaning in NAMES for meaning in said) or sum(meaning in MEANINGS for meaning in said) > 1


def _is_of_another_kind(rows: Sequence[Row]) -> bool:
    """Whether the first line has words above a column of numbers or addresses."""
    first, *body = (row.cells for row in rows)
    for at, name in enumerate(first):
        cells = [row[at] for row in body if at < len(row) and row[at]]
        if name and not NUMBER.fullmatch(name) and len(cells) > 1 and all(map(NUMBER.fullmatch, cells)):
            return True
    return False


def _by_a_part(name: str) -> str | None:
    """What a longer heading ends or begins with: "your full name", "Stammverein", "faction you play"."""
    ends = [
        word
        for word in KNOWN
        if name.endswith(f" {word}")
        or (name.endswith(word) and (len(word) >= SHORTEST_END or not word.isascii()))
    ]
    parts = ends or [word for word in KNOWN if name.startswith(f"{word} ")]
    return KNOWN[max(parts, key=len)] if parts else None


def _plain(heading: str) -> str:
    """A heading without accents, signs, case and what stands in brackets."""
    text = unicodedata.normalize("NFKD", IN_BRACKETS.sub("", heading)).casefold()
    return SIGNS.sub(
        " ", "".join(character for character in text if not unicodedata.combining(character))
    ).strip()


KNOWN = {_plain(word): meaning for meaning, words in HEADINGS.items() for word in words.split(",")}


def _signs(headings: Sequence[str]) -> list[str]:
    return [_plain(heading) or str(at) for at, heading in enumerate(headings, 1)]


def _fitted(rows: Sequence[Row], columns: Columns, meanings: Sequence[str]) -> Columns:
    """Columns as many as the table has; what nobody has said of the last ones is not used."""
    width = max((len(row.cells) for row in rows), default=0)
    kept = [meaning if meaning in meanings else UNUSED for meaning in columns.meanings[:width]]
    return Columns((*kept, *[UNUSED] * (width - len(kept))), columns.head)


def _body(rows: Sequence[Row], columns: Columns) -> Iterator[Row]:
    return (row for row in rows if row.number > columns.head)


def _has_names(table: ReadTable) -> bool:
    """Whether anything but numbers stands in the columns of names."""
    places = [at for at, meaning in enumerate(table.columns.meanings) if meaning in NAMES]
    cells = [cell for at in places for cell in table.cells(at)]
    return bool(places) and not (cells and all(map(NUMBER.fullmatch, cells)))


# --- players -----------------------------------------------------------------------------------------


def _player(row: Row, meanings: Sequence[str], divisions: Sequence[str]) -> Entered:
    if not row.is_closed:
        raise Unreadable(say(_("A quotation mark opens on this line and does not close.")))
    cells = {
        meaning: " ".join(
            cell for column, cell in zip(meanings, row.cells, strict=False) if column == meaning and cell
        )
        for meaning in MEANINGS
    }
    name = clean_name(_called(cells))
    club = _noted(_("Club"), cells[CLUB], NAME_GRAPHEMES)
    faction = _noted(_("Faction"), cells[FACTION], LONGEST_FACTION)
    by_name = {name_key(division): division for division in divisions}
    division = by_name.get(name_key(cells[DIVISION]), "")
    if cells[DIVISION] and not division:
        raise Unreadable(say(NO_DIVISION))
    return (name, club, faction, division) if divisions else (name, club, faction)


def _called(cells: Mapping[str, str]) -> str:
    """A player's whole name; the two parts of a Chinese name are joined, family name first."""
    parts = [cells[column] for column in NAMES if cells[column]]
    is_chinese = len(parts) > 1 and all(HAN.fullmatch(part) for part in parts)
    return "".join(reversed(parts)) if is_chinese else " ".join(parts)


def _noted(column: str, cell: str, most: int) -> str:
    try:
        return clean_note(cell, most)
    except Unreadable as unreadable:
        line = say(_("%(field)s: %(problem)s"), field=Term(column), problem=unreadable.line)
        raise Unreadable(line, unreadable.status) from None


def _looks(name: str, club: str) -> tuple[str, str]:
    """What two names have in common that only look alike."""
    return name_key(name.translate(LOOKS)), name_key(club)


def _remarks(name: str, like: str) -> Iterator[Line]:
    if name_key(like) != name_key(name):
        yield say(
            _("%(name)s looks like %(other)s, but is written with other letters."), name=name, other=like
        )
    elif word := MIXED.search(name):
        yield say(_("%(word)s mixes letters of two alphabets that look alike."), word=word[0])
