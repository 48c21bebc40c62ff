"""Formats: tables that play matches for a buy-in, the matches themselves, and what happened in them step by step."""

from migrations.sql import run_sql

revision = "0007"
down_revision = "0005"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE tables
    ADD COLUMN format text NOT NULL DEFAULT 'points'
        CHECK (format IN ('points', 'pool_101', 'pool_201', 'deals_2', 'deals_3', 'deals_6')),
    ADD COLUMN buy_in bigint NOT NULL DEFAULT 0 CHECK (buy_in BETWEEN 0 AND 1000000000000000),
    DROP CONSTRAINT tables_rate_check,
    ADD CONSTRAINT tables_stakes CHECK (CASE format WHEN 'points' THEN rate > 0 AND buy_in = 0
                                                    ELSE rate = 0 AND buy_in > 0 END);

CREATE FUNCTION tables_keep_their_format() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.format, NEW.buy_in) IS DISTINCT FROM (OLD.format, OLD.buy_in) THEN
        RAISE EXCEPTION 'table %: its format and its buy-in are fixed while it exists', OLD.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_keep_their_format BEFORE UPDATE OF format, buy_in ON tables
    FOR EACH ROW EXECUTE FUNCTION tables_keep_their_format();
"""

MATCHES = """
CREATE TABLE matches (
    match_id      uuid PRIMARY KEY,
    table_id      uuid NOT NULL REFERENCES tables,
    asset         text NOT NULL CHECK (asset IN ('HT', 'PT')),
    format        text NOT NULL CHECK (format <> 'points'),
    buy_in        bigint NOT NULL CHECK (buy_in > 0),
    commission_bp integer NOT NULL CHECK (commission_bp BETWEEN 0 AND 10000),
    status        text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
    opened_ms     bigint NOT NULL,
    outcome       text CHECK (outcome IN ('won', 'shared', 'void')),
    commission    bigint CHECK (commission >= 0),
    closed_ms     bigint,
    CONSTRAINT matches_complete_when_closed CHECK (CASE status
        WHEN 'open' THEN num_nonnulls(outcome, commission, closed_ms) = 0
        ELSE num_nulls(outcome, commission, closed_ms) = 0 END)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX matches_one_open_per_table ON matches (table_id) WHERE status = 'open';
CREATE INDEX matches_of_table ON matches (table_id, opened_ms DESC);

CREATE FUNCTION matches_end_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.status = 'closed'
            OR (NEW.match_id, NEW.table_id, NEW.asset, NEW.format, NEW.buy_in, NEW.commission_bp, NEW.opened_ms)
                IS DISTINCT FROM
               (OLD.match_id, OLD.table_id, OLD.asset, OLD.format, OLD.buy_in, OLD.commission_bp, OLD.opened_ms) THEN
        RAISE EXCEPTION 'match % is on record: % refused', OLD.match_id, TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER matches_end_once BEFORE UPDATE OR DELETE ON matches FOR EACH ROW EXECUTE FUNCTION matches_end_once();

CREATE TABLE match_players (
    match_id      uuid NOT NULL REFERENCES matches,
    seat          smallint NOT NULL CHECK (seat BETWEEN 0 AND 7),
    player_id     uuid NOT NULL REFERENCES players,
    score         integer CHECK (score >= 0),
    standing      text CHECK (standing IN ('in', 'out', 'left')),
    staked        bigint CHECK (staked > 0),
    delta         bigint CHECK (delta >= -staked),
    PRIMARY KEY (match_id, seat),
    UNIQUE (match_id, player_id),
    CHECK (num_nonnulls(score, standing, staked, delta) IN (0, 4))
) WITH (fillfactor = 80);
CREATE INDEX match_players_of_player ON match_players (player_id);
COMMENT ON COLUMN match_players.delta IS 'Token units, as the match ended; the money itself moves in the ledger.';

CREATE TABLE match_steps (
    match_id      uuid NOT NULL REFERENCES matches,
    number        integer NOT NULL CHECK (number >= 0),
    at_ms         bigint NOT NULL,
    events        jsonb NOT NULL,
    PRIMARY KEY (match_id, number)
);
COMMENT ON TABLE match_steps IS
    'What happened in a match, in order: the match is nothing but these events folded (rummy/formats/match.py).';

CREATE FUNCTION match_steps_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT status FROM matches WHERE match_id = NEW.match_id) IS DISTINCT FROM 'open'
            OR NEW.number <> (SELECT count(*) FROM match_steps AS s
                              WHERE s.match_id = NEW.match_id AND s.number < NEW.number) THEN
        RAISE EXCEPTION 'step % does not continue an open match %', NEW.number, NEW.match_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER match_steps_follow AFTER INSERT ON match_steps FOR EACH ROW EXECUTE FUNCTION match_steps_follow();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_steps
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();

-- A hand's rules name its match, and are bound by its terms: there is no second place that could say otherwise.
CREATE INDEX hands_of_match ON hands ((rules ->> 'match'), hand_no) WHERE rules ? 'match';

REVOKE UPDATE, DELETE, TRUNCATE ON match_steps FROM rummy_server;
REVOKE DELETE, TRUNCATE ON matches, match_players FROM rummy_server;
"""

DOWN = """
DROP INDEX hands_of_match;
DROP TABLE match_steps, match_players, matches;
DROP FUNCTION match_steps_follow, matches_end_once;
DROP TRIGGER tables_keep_their_format ON tables;
DROP FUNCTION tables_keep_their_format;
ALTER TABLE tables DROP CONSTRAINT tables_stakes, DROP COLUMN format, DROP COLUMN buy_in,
    ADD CONSTRAINT tables_rate_check CHECK (rate > 0);
"""


def upgrade() -> None:
    run_sql(TABLES)
    run_sql(MATCHES)


def downgrade() -> None:
    run_sql(DOWN)
