"""The operator's desk: what its pages search by, who watched and who was cut off, freezes, closed days, integrity.

No figure is kept here a second time: a hand's stakes are read from the terms that its players were promised.
"""

from migrations.sql import run_sql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# The places of rate and commission in the encoded terms (FAIRNESS_SPEC section 3): big-endian, 8 bytes from 44 on and 2
# from 52 on. A rate is below 2^53, so the first byte is 0.
STAKES = """
ALTER TABLE hands
    ADD COLUMN rate bigint GENERATED ALWAYS AS (
        (get_byte(terms, 45)::bigint << 48) + (get_byte(terms, 46)::bigint << 40) + (get_byte(terms, 47)::bigint << 32)
        + (get_byte(terms, 48)::bigint << 24) + (get_byte(terms, 49)::bigint << 16) + (get_byte(terms, 50)::bigint << 8)
        + get_byte(terms, 51)) STORED,
    ADD COLUMN commission_bp integer GENERATED ALWAYS AS ((get_byte(terms, 52) << 8) + get_byte(terms, 53)) STORED;
COMMENT ON COLUMN hands.rate IS 'Of this hand, from its terms: a table''s own may change between hands.';

-- As in 0003, but that rate and commission may change while no hand and no match runs.
CREATE OR REPLACE FUNCTION tables_only_advance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.epoch < OLD.epoch OR NEW.last_hand_no NOT IN (OLD.last_hand_no, OLD.last_hand_no + 1) THEN
        RAISE EXCEPTION 'table % stands at epoch %, hand %: it cannot go to epoch %, hand %',
            OLD.table_id, OLD.epoch, OLD.last_hand_no, NEW.epoch, NEW.last_hand_no USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.table_id, NEW.game, NEW.asset, NEW.practice, NEW.seat_count, NEW.rules)
            IS DISTINCT FROM
       (OLD.table_id, OLD.game, OLD.asset, OLD.practice, OLD.seat_count, OLD.rules) THEN
        RAISE EXCEPTION 'table %: its game and its rules are fixed while it exists', OLD.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.rate, NEW.commission_bp) IS DISTINCT FROM (OLD.rate, OLD.commission_bp)
            AND (OLD.status <> 'open'
                 OR EXISTS (SELECT FROM hands WHERE hands.table_id = OLD.table_id AND hands.status = 'open')
                 OR EXISTS (SELECT FROM matches WHERE matches.table_id = OLD.table_id AND matches.status = 'open')) THEN
        RAISE EXCEPTION 'table %: its money is fixed while a hand or a match runs', OLD.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""

SEARCH = """
-- Each row is written over once, when its hand ends: beside itself, so that no index has to hear of it. This is also
-- why what was won has no index of its own; who looks for an amount mostly knows a player or a day.
ALTER TABLE hand_players SET (fillfactor = 45);
CREATE INDEX hands_by_closing ON hands (closed_ms, hand_id) WHERE status = 'closed';
CREATE INDEX matches_by_closing ON matches (closed_ms) WHERE status = 'closed';
CREATE INDEX players_by_name ON players (lower(name) text_pattern_ops);
CREATE INDEX players_by_arrival ON players (created_ms, player_id);
CREATE INDEX operator_acts_of_subject ON operator_acts (subject, act_id);
-- Entries come in the order of their times and postings in the order of their entries: block ranges find both.
CREATE INDEX entries_by_time ON wallet.entries USING brin (at_ms) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX entries_of_match ON wallet.entries (match_id) WHERE match_id IS NOT NULL;
"""

PRESENCE = """
CREATE TABLE hand_watchers (
    hand_id       uuid NOT NULL,
    player_id     uuid NOT NULL REFERENCES players,
    since_ms      bigint NOT NULL,
    PRIMARY KEY (hand_id, player_id)
);
COMMENT ON TABLE hand_watchers IS 'Who watched a hand without being dealt into it, and from when on.';

CREATE TABLE hand_disconnects (
    hand_id       uuid NOT NULL,
    player_id     uuid NOT NULL REFERENCES players,
    at_ms         bigint NOT NULL,
    PRIMARY KEY (hand_id, player_id, at_ms)
);
COMMENT ON TABLE hand_disconnects IS 'Players of a running hand who lost their last connection to its table.';

ALTER TABLE sessions
    ADD COLUMN address   text NOT NULL DEFAULT '' CHECK (char_length(address) <= 60),
    ADD COLUMN device_id uuid;
CREATE INDEX sessions_by_address ON sessions (address) WHERE address <> '';
CREATE INDEX sessions_by_device ON sessions (device_id) WHERE device_id IS NOT NULL;
COMMENT ON COLUMN sessions.device_id IS 'The browser that signed in, by a cookie that outlives its sessions.';
"""

FREEZES = """
CREATE TABLE wallet.freezes (
    freeze_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id     uuid NOT NULL,
    frozen        boolean NOT NULL,
    by_id         uuid NOT NULL,
    reason        wallet.words NOT NULL,
    at_ms         bigint NOT NULL
);
CREATE INDEX freezes_of_player ON wallet.freezes (player_id, freeze_id DESC);
COMMENT ON TABLE wallet.freezes IS 'The newest row of a player says whether tokens may be set aside for them.';
CREATE TRIGGER freezes_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.freezes
    FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();
GRANT SELECT ON wallet.freezes TO rummy_server;
GRANT INSERT (player_id, frozen, by_id, reason, at_ms) ON wallet.freezes TO rummy_server;
"""

REPORTS = """
CREATE TABLE day_closes (
    day           date PRIMARY KEY,
    offset_minutes integer NOT NULL,
    closed_by     uuid NOT NULL REFERENCES players,
    closed_ms     bigint NOT NULL,
    figures       jsonb NOT NULL
);
COMMENT ON TABLE day_closes IS 'What was signed off for a day: the figures stay the ledger''s, and must stay these.';
"""

INTEGRITY = """
CREATE TABLE integrity_pairs (
    asset         text NOT NULL,
    first_id      uuid NOT NULL REFERENCES players,
    second_id     uuid NOT NULL REFERENCES players,
    hands         integer NOT NULL,
    flow_points   bigint NOT NULL,
    flow_squares  bigint NOT NULL,
    flow_units    bigint NOT NULL,
    PRIMARY KEY (asset, first_id, second_id),
    CHECK (first_id < second_id)
) WITH (fillfactor = 70);
COMMENT ON COLUMN integrity_pairs.flow_points IS
    'Points that the first won from the second in hands of both, less those that the second won from the first.';

CREATE TABLE integrity_feeds (
    asset         text NOT NULL,
    feeder_id     uuid NOT NULL REFERENCES players,
    taker_id      uuid NOT NULL REFERENCES players,
    discards      integer NOT NULL,
    taken         integer NOT NULL,
    PRIMARY KEY (asset, feeder_id, taker_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE integrity_feeds IS
    'Cards that one threw just before the other''s turn, and how many of them the other took.';

CREATE TABLE integrity_paces (
    player_id     uuid PRIMARY KEY REFERENCES players,
    moves         bigint NOT NULL,
    sum_ms        bigint NOT NULL,
    sum_squares   double precision NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE integrity_paces IS 'How long a player thinks about a move that is their own.';

CREATE TABLE integrity_progress (
    only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    next_leaf     bigint NOT NULL,
    looked_ms     bigint NOT NULL
);
INSERT INTO integrity_progress (next_leaf, looked_ms) VALUES (0, 0);
COMMENT ON TABLE integrity_progress IS 'Closed hands before this leaf of the log are counted in the integrity tables.';

CREATE TABLE integrity_signals (
    signal_id     uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind IN ('one_sided_flow', 'soft_play', 'shared_device', 'machine_timing')),
    asset         text,
    player_ids    uuid[] NOT NULL CHECK (cardinality(player_ids) BETWEEN 1 AND 2),
    score         double precision NOT NULL,
    alarm         boolean NOT NULL,
    evidence      jsonb NOT NULL,
    first_ms      bigint NOT NULL,
    updated_ms    bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (kind, asset, player_ids)
);
CREATE INDEX integrity_signals_by_score ON integrity_signals (alarm DESC, score DESC, signal_id);
CREATE INDEX integrity_signals_of_player ON integrity_signals USING gin (player_ids);

CREATE TABLE integrity_cases (
    case_id       uuid PRIMARY KEY,
    player_ids    uuid[] NOT NULL CHECK (cardinality(player_ids) BETWEEN 1 AND 8),
    signal_id     uuid REFERENCES integrity_signals,
    opened_by     uuid NOT NULL REFERENCES players,
    opened_ms     bigint NOT NULL
);
CREATE INDEX integrity_cases_by_time ON integrity_cases (opened_ms DESC, case_id);

CREATE TABLE integrity_case_steps (
    step_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id       uuid NOT NULL REFERENCES integrity_cases,
    step          text NOT NULL CHECK (step IN ('opened', 'note', 'assigned', 'closed', 'reopened')),
    by_id         uuid NOT NULL REFERENCES players,
    at_ms         bigint NOT NULL,
    assignee_id   uuid REFERENCES players,
    finding       text CHECK (finding IN ('confirmed', 'unfounded', 'inconclusive')),
    words         text NOT NULL CHECK (char_length(words) <= 2000),
    CHECK ((step = 'assigned') = (assignee_id IS NOT NULL)),
    CHECK ((step = 'closed') = (finding IS NOT NULL))
);
CREATE INDEX integrity_case_steps_of_case ON integrity_case_steps (case_id, step_id);
COMMENT ON TABLE integrity_case_steps IS 'How a case stands follows from its steps, which are only added.';
"""

APPEND_ONLY = ("hand_watchers", "hand_disconnects", "day_closes", "integrity_cases", "integrity_case_steps")

DOWN = """
DROP TABLE integrity_case_steps, integrity_cases, integrity_signals, integrity_progress, integrity_paces,
    integrity_feeds, integrity_pairs, day_closes, wallet.freezes, hand_disconnects, hand_watchers;
ALTER TABLE sessions DROP COLUMN address, DROP COLUMN device_id;
DROP INDEX hands_by_closing, matches_by_closing, players_by_name, players_by_arrival,
    operator_acts_of_subject, wallet.entries_by_time, wallet.entries_of_match;
ALTER TABLE hand_players RESET (fillfactor);
ALTER TABLE hands DROP COLUMN rate, DROP COLUMN commission_bp;
CREATE OR REPLACE FUNCTION tables_only_advance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.epoch < OLD.epoch OR NEW.last_hand_no NOT IN (OLD.last_hand_no, OLD.last_hand_no + 1) THEN
        RAISE EXCEPTION 'table % stands at epoch %, hand %: it cannot go to epoch %, hand %',
            OLD.table_id, OLD.epoch, OLD.last_hand_no, NEW.epoch, NEW.last_hand_no USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.table_id, NEW.game, NEW.asset, NEW.practice, NEW.seat_count, NEW.rate, NEW.commission_bp, NEW.rules)
            IS DISTINCT FROM
       (OLD.table_id, OLD.game, OLD.asset, OLD.practice, OLD.seat_count, OLD.rate, OLD.commission_bp, OLD.rules) THEN
        RAISE EXCEPTION 'table %: its rules and its money are fixed while it exists', OLD.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""


def upgrade() -> None:
    for script in (STAKES, SEARCH, PRESENCE, FREEZES, REPORTS, INTEGRITY):
        run_sql(script)
    for name in APPEND_ONLY:
        run_sql(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {name}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();"
            f"REVOKE UPDATE, DELETE, TRUNCATE ON {name} FROM rummy_server;"
        )


def downgrade() -> None:
    run_sql(DOWN)
