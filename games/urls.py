"""The addresses of the game: short, in capitals where people read them out."""

from django.urls import URLPattern, URLResolver, include, path, register_converter

from games.hall.organiser import organising, overview, settings_pages
from games.hall.pages import event_page, event_screens, player_actions, player_place, season_pages
from games.pages import context, rules_page
from games.pages.opening import home, list_pages, new_table, rematch, seating
from games.pages.records import history_pages, score_card, stat_pages
from games.pages.table import views
from games.pages.watching import elsewhere, screens, watch


class Code:
    """A table's code, in upper or lower case."""

    regex = "[A-Za-z0-9]{4,12}"

    def to_python(self, value: str) -> str:
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(Code, "code")

ORGANISE = [
    path("", organising.page, {"name": ""}, name="organise"),
    path("do", organising.do, name="organise-do"),
    path("preview", organising.preview, name="organise-preview"),
    path("players", organising.page, {"name": "players"}, name="organise-players"),
    path("players/<slug:about>", organising.page, {"name": "player"}, name="organise-player"),
    path("tables/<slug:about>", organising.page, {"name": "table"}, name="organise-table"),
    path("teams", organising.page, {"name": "teams"}, name="organise-teams"),
    path("teams/<slug:about>", organising.page, {"name": "team"}, name="organise-team"),
    path("team-match/<slug:about>", organising.page, {"name": "match"}, name="organise-match"),
    path("pairings", organising.page, {"name": "pairings"}, name="organise-pairings"),
    path("results", organising.page, {"name": "results"}, name="organise-results"),
    path("log", organising.page, {"name": "log"}, name="organise-log"),
    path("import", organising.page, {"name": "import"}, name="organise-import"),
    path("removing", organising.page, {"name": "removing"}, name="organise-removing"),
    path("picked", organising.picked, name="organise-picked"),
    path("settings", organising.page, {"name": "settings"}, name="organise-settings"),
    path("helpers", organising.page, {"name": "helpers"}, name="organise-helpers"),
    path("slips", organising.page, {"name": "slips"}, name="organise-slips"),
    path("altered", organising.page, {"name": "altered"}, name="organise-altered"),
    path("history.json", overview.file, name="organise-file"),
]

EVENT: list[URLPattern | URLResolver] = [
    path("helper/<str:secret>", settings_pages.helper_link, name="helper-link"),
    path("wall", organising.wall, name="wall"),
    path("wall/news", organising.news, name="wall-news"),
    path("wall/stream", organising.stream, name="wall-stream"),
    path("", event_page.event, name="event"),
    path("board", event_page.board, name="event-board"),
    path("stream", event_page.stream, name="event-stream"),
    path("round/<int:number>", event_page.one_round, name="event-round"),
    path("standings", event_page.standings_page, name="event-standings"),
    path("standings/board", event_page.standings_board, name="event-standings-board"),
    path("print/standings", event_page.print_standings, name="event-print-standings"),
    path("print/round/<int:number>", event_page.on_paper, name="event-print-round"),
    path("print/round/<int:number>/names", event_page.on_paper, {"what": "names"}, name="event-print-names"),
    path("print/round/<int:number>/slips", event_page.on_paper, {"what": "slips"}, name="event-print-slips"),
    path("scores", event_screens.scores, name="event-scores"),
    path("tv", event_screens.tv, name="event-tv"),
    path("tv/news", event_screens.news, name="event-tv-news"),
    path("tv/stream", event_screens.stream, name="event-tv-stream"),
    path("overlay", elsewhere.event_overlay, name="event-overlay"),
    path("embed", elsewhere.event_frame, name="event-embed"),
    path("elsewhere", elsewhere.event_addresses, name="event-elsewhere"),
    path("register", player_place.register, name="event-register"),
    path("me/<str:secret>", player_place.me, name="event-me"),
    path("me", player_place.place, name="event-place"),
    path("team", player_place.team, name="event-team"),
    path("leave", player_place.leave, name="event-leave"),
    path("do", player_actions.do, name="event-do"),
    path("list", player_place.army_list, name="event-list"),
    path("lists/<slug:player>", player_place.lists_of, name="event-lists"),
    path("result", player_actions.result, name="event-result"),
    path("contest", player_actions.contest, name="event-contest"),
    path("date", player_actions.date, name="event-date"),
    path("judge", player_actions.judge, name="event-judge"),
    path("organise/", include(ORGANISE)),
]

TABLE = [
    path("", views.table, name="table"),
    path("board", views.board, name="board"),
    path("stream", views.stream, name="stream"),
    path("arrived", views.arrived, name="arrived"),
    path("act", views.act, name="act"),
    path("adjust", views.adjust, name="adjust"),
    path("undo", views.undo, name="undo"),
    path("guests", views.guests, name="guests"),
    path("event", event_screens.strip, name="table-event"),
    path("army/<slug:seat>", list_pages.army, name="army"),
    path("army/<slug:seat>/file", list_pages.file, name="army-file"),
    path("piece/<path:path>", views.piece, name="piece"),
    path("history", history_pages.history, name="history"),
    path("watch", watch.watch, name="watch"),
    path("watch/news", watch.news, name="watch-news"),
    path("watch/stream", watch.stream, name="watch-stream"),
    path("replay", history_pages.replay, name="replay"),
    path("replay/<str:version>", history_pages.replay, name="replay-moment"),
    path("replay/<str:version>/practice", history_pages.continued, name="practice"),
    path("recap", score_card.recap, name="recap"),
    path("tv", screens.tv, name="tv"),
    path("overlay", elsewhere.overlay, name="overlay"),
    path("embed", elsewhere.table_frame, name="embed"),
    path("elsewhere", elsewhere.table_addresses, name="elsewhere"),
    path("score", score_card.score, name="score"),
    path("print", score_card.sheet, name="print"),
    path("score.png", score_card.picture, name="picture"),
    path("result.json", score_card.result, name="result"),
    path("rules", rules_page.of_table, name="table-rules"),
    path("verify", history_pages.verify, name="verify"),
    path("facing", views.facing, name="facing"),
    path("rematch", rematch.rematch, name="rematch"),
    path("seats", seating.people, name="seats"),
    path("guide", home.close_guide, name="guide"),
    path("name", seating.rename, name="name"),
    path("seats/delay", watch.choose, name="watch-delay"),
    path("seats/move", seating.move, name="move"),
    path("seats/take", seating.take, name="take"),
    path("seats/unseal", seating.unseal, name="unseal"),
    path("seats/free", seating.free, name="free"),
    path("seats/<slug:seat>/<int:epoch>.svg", seating.invitation, name="invitation"),
    path("join", seating.join, name="join"),
    path("join/move", seating.move_here, name="move-here"),
    path("claim/<slug:seat>/<str:secret>", seating.claim, name="claim"),
]
"""The addresses that a tap asks for come first."""

urlpatterns = [
    path("t/<code:code>/", include(TABLE)),
    path("e/new", settings_pages.new_event, name="new-event"),
    path("e/<code:code>/", include(EVENT)),
    path("events", event_page.events, name="events"),
    path("ratings", season_pages.rated_games, name="ratings"),
    path("ratings/<slug:game>", season_pages.ratings_page, name="ratings-game"),
    path("ratings/<slug:game>.csv", season_pages.ratings_csv, name="ratings-csv"),
    path("seasons", season_pages.seasons, name="seasons"),
    path("season/new", season_pages.new_season, name="new-season"),
    path("season/<code:code>", season_pages.season, name="season"),
    path("season/<code:code>.csv", season_pages.season_csv, name="season-csv"),
    path("season/<code:code>/change", season_pages.season_form, name="season-form"),
    path("", home.home, name="home"),
    path("new", new_table.new, name="new"),
    path("new/<slug:game>", new_table.new, name="new-game"),
    path("close-warning", context.close_warning, name="close-warning"),
    path("find", home.find, name="find"),
    path("forget", home.forget, name="forget"),
    path("first-steps", home.first_steps, name="first-steps"),
    path("first-steps/<slug:game>", home.begin_first_steps, name="first-round"),
    path("demo", home.demo_table, name="demo"),
    path("first-event", home.organising, name="first-event"),
    path("verify.py", history_pages.program, name="verify-program"),
    path("schema/result-1.json", score_card.schema, name="result-schema"),
    path("rules/<slug:game>", rules_page.of_game, name="rules"),
    path("stats", stat_pages.overview, name="statistics"),
    path("stats.csv", stat_pages.overview_csv, name="statistics-games-csv"),
    path("stats/<slug:game>", stat_pages.of_game, name="statistics-game"),
    path("stats/<slug:game>.json", stat_pages.as_json, name="statistics-json"),
    path("stats/<slug:game>/<slug:table>.csv", stat_pages.as_csv, name="statistics-csv"),
    path("overlay/look.css", elsewhere.overlay_css, name="overlay-look"),
    path("tv", screens.hall, name="tv-hall"),
    path("tv/news", screens.tables_news, name="tv-news"),
]
