"""The addresses of the game: short, in capitals where people read them out."""

from django.urls import path, register_converter

from games.views import (
    armies,
    components,
    embeds,
    facing,
    first_steps,
    history,
    late,
    lobby,
    names,
    overlays,
    paper,
    people,
    pieces,
    records,
    replay,
    rules,
    score,
    screens,
    statistics,
    table,
    watch,
)
from games.views.desk import desk, opening
from games.views.hall import acts, joining, strip, telling
from games.views.hall import event as hall_event
from games.views.hall import tv as hall_tv


class Code:
    """A table's code: read without regard to case."""

    regex = "[A-Za-z0-9]{4,12}"

    def to_python(self, value: str) -> str:
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(Code, "code")

DESK = "e/<code:code>/desk/"
ORGANISERS = [
    path("e/new", opening.new_event, name="new-event"),
    path("e/<code:code>/helper/<str:secret>", opening.helper_link, name="helper-link"),
    path("e/<code:code>/wall", desk.wall, name="wall"),
    path("e/<code:code>/wall/news", desk.news, name="wall-news"),
    path("e/<code:code>/wall/stream", desk.stream, name="wall-stream"),
    path(DESK, desk.page, {"name": ""}, name="desk"),
    path(f"{DESK}do", desk.do, name="desk-do"),
    path(f"{DESK}preview", desk.preview, name="desk-preview"),
    path(f"{DESK}players", desk.page, {"name": "players"}, name="desk-players"),
    path(f"{DESK}players/<slug:about>", desk.page, {"name": "player"}, name="desk-player"),
    path(f"{DESK}tables/<slug:about>", desk.page, {"name": "table"}, name="desk-table"),
    path(f"{DESK}pairings", desk.page, {"name": "pairings"}, name="desk-pairings"),
    path(f"{DESK}log", desk.page, {"name": "log"}, name="desk-log"),
    path(f"{DESK}import", desk.page, {"name": "import"}, name="desk-import"),
    path(f"{DESK}settings", desk.page, {"name": "settings"}, name="desk-settings"),
    path(f"{DESK}helpers", desk.page, {"name": "helpers"}, name="desk-helpers"),
    path(f"{DESK}slips", desk.page, {"name": "slips"}, name="desk-slips"),
]

EVENTS = [
    path("events", hall_event.events, name="events"),
    path("e/<code:code>/", hall_event.event, name="event"),
    path("e/<code:code>/board", hall_event.board, name="event-board"),
    path("e/<code:code>/stream", hall_event.stream, name="event-stream"),
    path("e/<code:code>/round/<int:number>", hall_event.one_round, name="event-round"),
    path("e/<code:code>/standings", hall_event.standings, name="event-standings"),
    path("e/<code:code>/standings/board", hall_event.standings_board, name="event-standings-board"),
    path("e/<code:code>/print/standings", hall_event.print_standings, name="event-print-standings"),
    path("e/<code:code>/print/round/<int:number>", hall_event.one_round, name="event-print-round"),
    path("e/<code:code>/scores", hall_tv.scores, name="event-scores"),
    path("e/<code:code>/tv", hall_tv.tv, name="event-tv"),
    path("e/<code:code>/tv/news", hall_tv.news, name="event-tv-news"),
    path("e/<code:code>/tv/stream", hall_tv.stream, name="event-tv-stream"),
    path("e/<code:code>/embed", embeds.of_event, name="event-embed"),
    path("e/<code:code>/embed/help", embeds.help_of_event, name="event-embed-help"),
    path("e/<code:code>/register", joining.register, name="event-register"),
    path("e/<code:code>/me/<str:secret>", joining.me, name="event-me"),
    path("e/<code:code>/me", joining.place, name="event-place"),
    path("e/<code:code>/leave", joining.leave, name="event-leave"),
    path("e/<code:code>/do", acts.do, name="event-do"),
    path("e/<code:code>/list", telling.army_list, name="event-list"),
    path("e/<code:code>/lists/<slug:player>", telling.lists_of, name="event-lists"),
    path("e/<code:code>/result", telling.result, name="event-result"),
    path("e/<code:code>/contest", telling.contest, name="event-contest"),
    path("e/<code:code>/judge", telling.judge, name="event-judge"),
    path("t/<code:code>/event", strip.strip, name="table-event"),
]

urlpatterns = [
    *ORGANISERS,
    *EVENTS,
    path("", lobby.home, name="home"),
    path("new", lobby.new, name="new"),
    path("new/<slug:game>", lobby.new, name="new-game"),
    path("components", components.components, name="components"),
    path("find", lobby.find, name="find"),
    path("first-steps", first_steps.page, name="first-steps"),
    path("first-steps/<slug:game>", first_steps.begin, name="first-round"),
    path("first-event", first_steps.organising, name="first-event"),
    path("verify.py", history.program, name="verify-program"),
    path("schema/result-1.json", records.schema, name="result-schema"),
    path("rules/<slug:game>", rules.of_game, name="rules"),
    path("stats", statistics.overview, name="statistics"),
    path("stats.csv", statistics.overview_csv, name="statistics-games-csv"),
    path("stats/<slug:game>", statistics.of_game, name="statistics-game"),
    path("stats/<slug:game>.json", statistics.as_json, name="statistics-json"),
    path("stats/<slug:game>/<slug:table>.csv", statistics.as_csv, name="statistics-csv"),
    path("t/<code:code>/", table.table, name="table"),
    path("t/<code:code>/board", table.board, name="board"),
    path("t/<code:code>/stream", table.stream, name="stream"),
    path("t/<code:code>/act", table.act, name="act"),
    path("t/<code:code>/adjust", table.adjust, name="adjust"),
    path("t/<code:code>/undo", table.undo, name="undo"),
    path("t/<code:code>/army/<slug:seat>", armies.army, name="army"),
    path("t/<code:code>/army/<slug:seat>/file", armies.file, name="army-file"),
    path("t/<code:code>/piece/<path:path>", pieces.piece, name="piece"),
    path("t/<code:code>/history", history.history, name="history"),
    path("t/<code:code>/watch", watch.watch, name="watch"),
    path("t/<code:code>/watch/news", watch.news, name="watch-news"),
    path("t/<code:code>/watch/stream", watch.stream, name="watch-stream"),
    path("t/<code:code>/replay", replay.replay, name="replay"),
    path("t/<code:code>/replay/<str:version>", replay.replay, name="replay-moment"),
    path("t/<code:code>/replay/<str:version>/practice", replay.continued, name="practice"),
    path("t/<code:code>/tv", screens.tv, name="tv"),
    path("t/<code:code>/overlay", overlays.overlay, name="overlay"),
    path("t/<code:code>/overlay/help", overlays.help_page, name="overlay-help"),
    path("t/<code:code>/embed", embeds.of_table, name="embed"),
    path("t/<code:code>/embed/help", embeds.help_of_table, name="embed-help"),
    path("overlay/look.css", overlays.look_css, name="overlay-look"),
    path("tv", screens.hall, name="tv-hall"),
    path("tv/news", screens.hall_news, name="tv-news"),
    path("t/<code:code>/score", score.score, name="score"),
    path("t/<code:code>/print", paper.sheet, name="print"),
    path("t/<code:code>/score.png", paper.picture, name="picture"),
    path("t/<code:code>/result.json", records.result, name="result"),
    path("t/<code:code>/rules", rules.of_table, name="table-rules"),
    path("t/<code:code>/verify", history.verify, name="verify"),
    path("t/<code:code>/facing", facing.facing, name="facing"),
    path("t/<code:code>/rematch", lobby.rematch, name="rematch"),
    path("t/<code:code>/seats", people.people, name="seats"),
    path("t/<code:code>/guests", table.guests, name="guests"),
    path("t/<code:code>/guide", first_steps.close, name="guide"),
    path("t/<code:code>/name", names.rename, name="name"),
    path("t/<code:code>/seats/delay", late.choose, name="watch-delay"),
    path("t/<code:code>/seats/move", people.move, name="move"),
    path("t/<code:code>/seats/take", people.take, name="take"),
    path("t/<code:code>/seats/unseal", people.unseal, name="unseal"),
    path("t/<code:code>/seats/free", people.free, name="free"),
    path("t/<code:code>/seats/<slug:seat>/<int:epoch>.svg", people.invitation, name="invitation"),
    path("t/<code:code>/join", people.join, name="join"),
    path("t/<code:code>/join/move", people.move_here, name="move-here"),
    path("t/<code:code>/claim/<slug:seat>/<str:secret>", people.claim, name="claim"),
]
