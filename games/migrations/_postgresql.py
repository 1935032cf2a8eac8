"""What PostgreSQL gets beside the tables: announcements of what is committed, and a quick table of limits.

The database announces by itself, so that nothing is announced that is not committed, nothing committed goes
unannounced when a process dies, and a tap needs no statement more. On SQLite one process serves, and knows.
"""

# What is told is a JSON array: kind, match, number, seat, and the name of the connection that wrote it.
CREATE = [
    """
    CREATE FUNCTION roundtable_announce(kind text, match text, number bigint, seat text) RETURNS void
    LANGUAGE sql AS $$
        SELECT pg_notify(
            'roundtable',
            json_build_array(kind, match, number, seat, current_setting('application_name'))::text
        )
    $$
    """,
    """
    CREATE FUNCTION roundtable_match_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            PERFORM roundtable_announce('end', OLD.code, 0, '');
        ELSE
            PERFORM roundtable_announce('version', NEW.code, NEW.version, '');
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER roundtable_version AFTER UPDATE OF version ON games_match FOR EACH ROW
    WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION roundtable_match_changed()
    """,
    """
    CREATE TRIGGER roundtable_end AFTER DELETE ON games_match FOR EACH ROW
    EXECUTE FUNCTION roundtable_match_changed()
    """,
    """
    CREATE FUNCTION roundtable_seat_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM roundtable_announce('drop', code, OLD.epoch, NEW.key) FROM games_match WHERE id = NEW.match_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER roundtable_drop AFTER UPDATE OF epoch ON games_seat FOR EACH ROW
    WHEN (NEW.epoch > OLD.epoch) EXECUTE FUNCTION roundtable_seat_revoked()
    """,
    """
    CREATE FUNCTION roundtable_guest_asked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM roundtable_announce('refresh', code, 0, '')
        FROM games_match JOIN games_seat ON games_seat.match_id = games_match.id
        WHERE games_seat.id = CASE TG_OP WHEN 'DELETE' THEN OLD.seat_id ELSE NEW.seat_id END;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER roundtable_refresh AFTER INSERT OR UPDATE OR DELETE ON games_seatrequest FOR EACH ROW
    EXECUTE FUNCTION roundtable_guest_asked()
    """,
]
DROP = [
    "DROP TRIGGER roundtable_refresh ON games_seatrequest",
    "DROP TRIGGER roundtable_drop ON games_seat",
    "DROP TRIGGER roundtable_end ON games_match",
    "DROP TRIGGER roundtable_version ON games_match",
    "DROP FUNCTION roundtable_guest_asked()",
    "DROP FUNCTION roundtable_seat_revoked()",
    "DROP FUNCTION roundtable_match_changed()",
    "DROP FUNCTION roundtable_announce(text, text, bigint, text)",
]

LIMITS = [
    # A limit that a crash of the database forgets is no loss, and nothing waits for it to reach the disk.
    "ALTER TABLE games_allowance SET UNLOGGED",
    # Room for new values beside the old ones, so that no index is touched.
    "ALTER TABLE games_allowance SET (fillfactor = 50)",
]


def forwards(apps, schema_editor):
    """Announce versions, seats taken away, deleted matches and guests' requests."""
    _execute(schema_editor, [*CREATE, *LIMITS])


def backwards(apps, schema_editor):
    """Announce nothing any more."""
    _execute(schema_editor, DROP)


def _execute(schema_editor, statements):
    if schema_editor.connection.vendor == "postgresql":
        for statement in statements:
            schema_editor.execute(statement, params=None)
