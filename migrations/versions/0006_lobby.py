"""Private tables with their invites, what may be watched and said at a table, and what became of what was said."""

from migrations.sql import run_sql

revision = "0006"
down_revision = "0003"
branch_labels = None
depends_on = None

UP = """
CREATE TABLE table_customs (
    table_id      uuid PRIMARY KEY REFERENCES tables,
    watching      text NOT NULL CHECK (watching IN ('anyone', 'nobody')),
    chat          text NOT NULL CHECK (chat IN ('free', 'phrases', 'off')),
    joining       boolean NOT NULL
);
COMMENT ON TABLE table_customs IS 'Of tables that differ from the house''s customs: anyone watches, chat is free.';

CREATE TABLE private_tables (
    table_id      uuid PRIMARY KEY REFERENCES tables,
    host_id       uuid NOT NULL REFERENCES players,
    code_hash     bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32)
);
CREATE INDEX private_tables_of_host ON private_tables (host_id);
COMMENT ON COLUMN private_tables.code_hash IS 'SHA-256 of the invite code, which only the link has.';

CREATE TABLE private_guests (
    table_id      uuid NOT NULL REFERENCES private_tables,
    player_id     uuid NOT NULL REFERENCES players,
    admitted_ms   bigint NOT NULL,
    PRIMARY KEY (table_id, player_id)
);

CREATE TABLE chat_mutes (
    player_id     uuid NOT NULL REFERENCES players,
    muted_id      uuid NOT NULL REFERENCES players,
    muted_ms      bigint NOT NULL,
    PRIMARY KEY (player_id, muted_id),
    CHECK (player_id <> muted_id)
);

CREATE TABLE chat_silences (
    player_id     uuid PRIMARY KEY REFERENCES players,
    by_id         uuid NOT NULL REFERENCES players,
    from_ms       bigint NOT NULL,
    until_ms      bigint NOT NULL CHECK (until_ms >= from_ms)
);
COMMENT ON TABLE chat_silences IS 'The newest silence of an account; one that was lifted ends when it was lifted.';

CREATE TABLE chat_reports (
    report_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms         bigint NOT NULL,
    table_id      uuid NOT NULL REFERENCES tables,
    reporter_id   uuid NOT NULL REFERENCES players,
    reported_id   uuid NOT NULL REFERENCES players,
    reason        text NOT NULL CHECK (reason IN ('abuse', 'cheating', 'spam', 'other')),
    note          text NOT NULL CHECK (char_length(note) <= 300),
    lines         jsonb NOT NULL CHECK (jsonb_typeof(lines) = 'array'),
    CHECK (reporter_id <> reported_id)
);
COMMENT ON COLUMN chat_reports.lines IS 'The table''s last lines when the report was made, oldest first: evidence.';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON chat_reports
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();

REVOKE DELETE, TRUNCATE ON table_customs, private_tables, private_guests, chat_silences FROM rummy_server;
REVOKE UPDATE, DELETE, TRUNCATE ON chat_reports FROM rummy_server;
"""

DOWN = """
DROP TABLE chat_reports, chat_silences, chat_mutes, private_guests, private_tables, table_customs;
"""


def upgrade() -> None:
    run_sql(UP)


def downgrade() -> None:
    run_sql(DOWN)
