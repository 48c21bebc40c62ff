"""Who plays: players, their sessions, and one-time codes for operators."""

from migrations.sql import run_sql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UP = """
CREATE TABLE players (
    player_id     uuid PRIMARY KEY,
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 24),
    kind          text NOT NULL CHECK (kind IN ('guest', 'bot', 'operator')),
    role          text NOT NULL CHECK (role IN ('player', 'operator', 'auditor')),
    created_ms    bigint NOT NULL
);
CREATE UNIQUE INDEX players_house_operator ON players (kind) WHERE kind = 'operator';

CREATE TABLE sessions (
    token_hash    bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    player_id     uuid NOT NULL REFERENCES players,
    created_ms    bigint NOT NULL,
    expires_ms    bigint NOT NULL,
    revoked_ms    bigint
);
CREATE INDEX sessions_of_player ON sessions (player_id);

CREATE TABLE operator_codes (
    code_hash     bytea PRIMARY KEY CHECK (length(code_hash) = 32),
    player_id     uuid NOT NULL REFERENCES players,
    created_ms    bigint NOT NULL,
    expires_ms    bigint NOT NULL,
    used_ms       bigint
);

GRANT SELECT, INSERT, UPDATE ON players, sessions, operator_codes TO rummy_server;
"""

DOWN = """
DROP TABLE operator_codes;
DROP TABLE sessions;
DROP TABLE players;
"""


def upgrade() -> None:
    run_sql(UP)


def downgrade() -> None:
    run_sql(DOWN)
