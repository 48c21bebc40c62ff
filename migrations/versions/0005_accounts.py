"""Permanent accounts: names with passwords, sessions that can be listed and ended, second factors, operators' acts."""

from migrations.sql import run_sql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

PLAYERS = """
ALTER TABLE players DROP CONSTRAINT players_kind_check;
ALTER TABLE players ADD CONSTRAINT players_kind_check CHECK (kind IN ('guest', 'bot', 'member', 'operator'));
ALTER TABLE players ADD COLUMN disabled_ms bigint;
COMMENT ON COLUMN players.kind IS
    'guest: no way back in but its session. member: has a name and a password. operator: came with the house.';

CREATE TABLE credentials (
    player_id     uuid PRIMARY KEY REFERENCES players,
    name_key      text NOT NULL CONSTRAINT credentials_name_is_free UNIQUE CHECK (name_key <> ''),
    password_hash text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
    changed_ms    bigint NOT NULL
);
COMMENT ON COLUMN credentials.name_key IS
    'The name with case and look-alikes folded (server/identity/names.py): two names that look the same are one.';
"""

SESSIONS = """
ALTER TABLE sessions
    ADD COLUMN session_id       uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    ADD COLUMN device           text NOT NULL DEFAULT '' CHECK (char_length(device) <= 60),
    ADD COLUMN last_seen_ms     bigint,
    ADD COLUMN second_factor_ms bigint;
COMMENT ON COLUMN sessions.second_factor_ms IS 'When this session last proved a second factor; null: never.';
"""

SECOND_FACTORS = """
CREATE TABLE second_factors (
    player_id      uuid PRIMARY KEY REFERENCES players,
    sealed_secret  bytea,
    confirmed_ms   bigint,
    pending_secret bytea,
    last_step      bigint NOT NULL DEFAULT 0,
    CHECK ((sealed_secret IS NULL) = (confirmed_ms IS NULL)),
    CHECK (num_nonnulls(sealed_secret, pending_secret) > 0)
);
COMMENT ON COLUMN second_factors.sealed_secret IS 'Sealed with a key that the database does not have.';
COMMENT ON COLUMN second_factors.last_step IS 'The newest 30-second step whose code was used: no code counts twice.';

CREATE TABLE recovery_codes (
    code_hash     bytea PRIMARY KEY CHECK (length(code_hash) = 32),
    player_id     uuid NOT NULL REFERENCES players,
    created_ms    bigint NOT NULL,
    used_ms       bigint
);
CREATE INDEX recovery_codes_of_player ON recovery_codes (player_id);
"""

ACTS = """
CREATE TABLE operator_acts (
    act_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms         bigint NOT NULL,
    player_id     uuid NOT NULL REFERENCES players,
    act           text NOT NULL CHECK (act <> ''),
    subject       text NOT NULL,
    reason        text NOT NULL CHECK (char_length(reason) <= 500)
);
COMMENT ON TABLE operator_acts IS 'Who at the desk did what, to what and why. Only added to.';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_acts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();
"""

GRANTS = """
GRANT SELECT, INSERT, UPDATE, DELETE ON credentials, second_factors, recovery_codes TO rummy_server;
GRANT SELECT, INSERT ON operator_acts TO rummy_server;
REVOKE UPDATE, DELETE, TRUNCATE ON operator_acts FROM rummy_server;
"""

DOWN = """
DROP TABLE operator_acts, recovery_codes, second_factors, credentials;
ALTER TABLE sessions DROP COLUMN session_id, DROP COLUMN device, DROP COLUMN last_seen_ms, DROP COLUMN second_factor_ms;
ALTER TABLE players DROP COLUMN disabled_ms;
UPDATE players SET kind = 'guest' WHERE kind = 'member';
ALTER TABLE players DROP CONSTRAINT players_kind_check;
ALTER TABLE players ADD CONSTRAINT players_kind_check CHECK (kind IN ('guest', 'bot', 'operator'));
"""


def upgrade() -> None:
    for script in (PLAYERS, SESSIONS, SECOND_FACTORS, ACTS, GRANTS):
        run_sql(script)


def downgrade() -> None:
    run_sql(DOWN)
