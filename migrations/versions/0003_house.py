"""Tables, hands, their events, and the log of all hands."""

from migrations.sql import run_sql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

APPEND_ONLY = """
CREATE FUNCTION refuse_change_of_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
"""

SIGNED_LOG = """
CREATE TABLE signing_keys (
    key_id        bytea PRIMARY KEY CHECK (key_id = substring(sha256(public_key) FOR 8)),
    public_key    bytea NOT NULL UNIQUE CHECK (length(public_key) = 32),
    first_day     date NOT NULL,
    last_day      date NOT NULL CHECK (last_day >= first_day),
    signature     bytea NOT NULL CHECK (length(signature) = 64)
);
COMMENT ON TABLE signing_keys IS
    'Public keys only, published for ever, with the days of validity that each key has signed for itself.';

CREATE TABLE log_size (
    only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    size          bigint NOT NULL CHECK (size >= 0)
);
INSERT INTO log_size (size) VALUES (0);
COMMENT ON TABLE log_size IS
    'How many leaves the log has. Whoever appends updates it first, so appending is one at a time.';

CREATE FUNCTION log_size_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.size < OLD.size THEN
        RAISE EXCEPTION 'the log has % leaves and cannot shrink to %', OLD.size, NEW.size
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER log_size_only_grows BEFORE UPDATE ON log_size FOR EACH ROW EXECUTE FUNCTION log_size_only_grows();

CREATE TABLE log_leaves (
    leaf_index    bigint PRIMARY KEY CHECK (leaf_index >= 0),
    data          bytea NOT NULL
);

CREATE FUNCTION log_leaves_have_no_gap() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first bigint;
    last bigint;
    added_count bigint;
BEGIN
    SELECT min(leaf_index), max(leaf_index), count(*) INTO first, last, added_count FROM added;
    IF added_count > 0 AND (last - first + 1 <> added_count
            OR first <> (SELECT coalesce(max(leaf_index) + 1, 0) FROM log_leaves WHERE leaf_index < first)
            OR last + 1 <> (SELECT size FROM log_size)) THEN
        RAISE EXCEPTION 'leaves % to % do not continue the log', first, last
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER log_leaves_have_no_gap AFTER INSERT ON log_leaves REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION log_leaves_have_no_gap();

CREATE TABLE log_nodes (
    level         smallint NOT NULL CHECK (level BETWEEN 0 AND 62),
    node_index    bigint NOT NULL CHECK (node_index >= 0),
    hash          bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, node_index)
);
COMMENT ON TABLE log_nodes IS
    'Complete nodes of the Merkle tree: (level, i) covers the 2^level leaves from i * 2^level on.';

CREATE TABLE tree_heads (
    tree_size     bigint NOT NULL CHECK (tree_size >= 0),
    at_ms         bigint NOT NULL,
    root          bytea NOT NULL CHECK (length(root) = 32),
    signature     bytea NOT NULL CHECK (length(signature) = 64),
    key_id        bytea NOT NULL REFERENCES signing_keys,
    PRIMARY KEY (tree_size, at_ms)
);
"""

TABLES = """
CREATE TABLE journal_nodes (
    node_id       uuid PRIMARY KEY,
    started_ms    bigint NOT NULL,
    last_alive_ms bigint NOT NULL CHECK (last_alive_ms >= started_ms),
    fence_no      bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20);
COMMENT ON TABLE journal_nodes IS
    'One row per start of a server, locked by every transaction in which that server writes for its tables.';
COMMENT ON COLUMN journal_nodes.fence_no IS
    'Counts how often a table was taken from this node: while it stands, what the node knows of its epochs holds.';

CREATE TABLE tables (
    table_id      uuid PRIMARY KEY,
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    game          text NOT NULL DEFAULT 'rummy' CHECK (game <> ''),
    asset         text NOT NULL CHECK (asset IN ('HT', 'PT')),
    practice      boolean NOT NULL CHECK (NOT practice OR asset = 'PT'),
    seat_count    smallint NOT NULL CHECK (seat_count BETWEEN 2 AND 8),
    rate          bigint NOT NULL CHECK (rate > 0),
    commission_bp integer NOT NULL CHECK (commission_bp BETWEEN 0 AND 10000),
    rules         jsonb NOT NULL,
    status        text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
    epoch         bigint NOT NULL DEFAULT 1 CHECK (epoch >= 1),
    owner         uuid REFERENCES journal_nodes,
    dealer        smallint CHECK (dealer BETWEEN 0 AND seat_count - 1),
    last_hand_no  bigint NOT NULL DEFAULT 0 CHECK (last_hand_no >= 0),
    created_ms    bigint NOT NULL,
    closed_ms     bigint,
    CHECK ((status = 'closed') = (closed_ms IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX tables_open ON tables (created_ms) WHERE status = 'open';

CREATE FUNCTION tables_only_advance() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER tables_only_advance BEFORE UPDATE ON tables FOR EACH ROW EXECUTE FUNCTION tables_only_advance();

CREATE TABLE table_chairs (
    table_id      uuid NOT NULL REFERENCES tables,
    seat          smallint NOT NULL CHECK (seat BETWEEN 0 AND 7),
    player_id     uuid NOT NULL REFERENCES players,
    sitting_out   boolean NOT NULL,
    leaving       boolean NOT NULL,
    gone          boolean NOT NULL,
    PRIMARY KEY (table_id, seat),
    UNIQUE (table_id, player_id)
);
CREATE INDEX table_chairs_of_player ON table_chairs (player_id);
"""

# A hand's own constraints recompute terms_hash and, once it is revealed, the commitment from the seed:
# the prefixes are the labels `terms` and `commit` of FAIRNESS_SPEC section 1.
HANDS = r"""
CREATE TABLE hands (
    hand_id         uuid PRIMARY KEY,
    table_id        uuid NOT NULL REFERENCES tables,
    hand_no         bigint NOT NULL CHECK (hand_no >= 1),
    status          text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
    asset           text NOT NULL CHECK (asset IN ('HT', 'PT')),
    terms           bytea NOT NULL,
    rules           jsonb NOT NULL,
    terms_hash      bytea NOT NULL CONSTRAINT hands_hash_of_terms
        CHECK (terms_hash = sha256('\x12'::bytea || convert_to('rummy-fair/1/terms', 'UTF8') || terms)),
    commitment      bytea NOT NULL CHECK (length(commitment) = 32),
    sealed_seed     bytea NOT NULL,
    commit_receipt  jsonb NOT NULL,
    hashes_closed   boolean NOT NULL DEFAULT false,
    hashes_receipt  jsonb,
    opened_ms       bigint NOT NULL,
    open_leaf       bigint NOT NULL UNIQUE REFERENCES log_leaves,
    server_seed     bytea CONSTRAINT hands_committed_seed CHECK (commitment =
        sha256('\x13'::bytea || convert_to('rummy-fair/1/commit', 'UTF8') || terms_hash || server_seed)),
    outcome         text CHECK (outcome IN ('declared', 'last_in', 'void')),
    void_reason     text CHECK (void_reason IN ('stock_exhausted', 'not_enough_players', 'operator', 'server_failure')),
    closed_ms       bigint,
    close_leaf      bigint UNIQUE REFERENCES log_leaves,
    UNIQUE (table_id, hand_no),
    CHECK (hashes_closed = (hashes_receipt IS NOT NULL)),
    CONSTRAINT hands_complete_when_closed CHECK (CASE status
        WHEN 'open' THEN num_nonnulls(server_seed, outcome, void_reason, closed_ms, close_leaf) = 0
        ELSE num_nulls(server_seed, outcome, closed_ms, close_leaf) = 0 END),
    CHECK ((void_reason IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'void')),
    CHECK (close_leaf > open_leaf)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX hands_one_open_per_table ON hands (table_id) WHERE status = 'open';
CREATE INDEX hands_by_opening ON hands (opened_ms DESC);

CREATE FUNCTION hands_end_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.status = 'closed'
            OR (NEW.hand_id, NEW.table_id, NEW.hand_no, NEW.asset, NEW.terms, NEW.rules, NEW.commitment,
                NEW.commit_receipt, NEW.opened_ms, NEW.open_leaf)
                IS DISTINCT FROM
               (OLD.hand_id, OLD.table_id, OLD.hand_no, OLD.asset, OLD.terms, OLD.rules, OLD.commitment,
                OLD.commit_receipt, OLD.opened_ms, OLD.open_leaf)
            OR (OLD.hashes_closed AND NEW.hashes_receipt IS DISTINCT FROM OLD.hashes_receipt) THEN
        RAISE EXCEPTION 'hand % is on record: % refused', OLD.hand_id, TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hands_end_once BEFORE UPDATE OR DELETE ON hands FOR EACH ROW EXECUTE FUNCTION hands_end_once();

CREATE TABLE hand_players (
    hand_id       uuid NOT NULL REFERENCES hands,
    seat          smallint NOT NULL CHECK (seat BETWEEN 0 AND 7),
    player_id     uuid NOT NULL REFERENCES players,
    points        integer CHECK (points >= 0),
    delta         bigint,
    PRIMARY KEY (hand_id, seat),
    UNIQUE (hand_id, player_id),
    CHECK ((points IS NULL) = (delta IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX hand_players_of_player ON hand_players (player_id);
COMMENT ON COLUMN hand_players.delta IS 'Token units, as in the settle event; the money itself moves in the ledger.';

CREATE TABLE hand_contributions (
    hand_id       uuid NOT NULL,
    seat          smallint NOT NULL,
    hash          bytea NOT NULL CHECK (length(hash) = 32),
    nonce         bytea CHECK (length(nonce) = 32),
    text          bytea CHECK (length(text) <= 256),
    PRIMARY KEY (hand_id, seat),
    FOREIGN KEY (hand_id, seat) REFERENCES hand_players,
    CHECK ((nonce IS NULL) = (text IS NULL))
) WITH (fillfactor = 60);

CREATE FUNCTION contributions_are_given_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.nonce IS NOT NULL
            OR (NEW.hand_id, NEW.seat, NEW.hash) IS DISTINCT FROM (OLD.hand_id, OLD.seat, OLD.hash) THEN
        RAISE EXCEPTION 'the contribution of seat % to hand % stands: % refused', OLD.seat, OLD.hand_id, TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER contributions_are_given_once BEFORE UPDATE OR DELETE ON hand_contributions
    FOR EACH ROW EXECUTE FUNCTION contributions_are_given_once();

CREATE TABLE hand_events (
    hand_id       uuid NOT NULL,
    k             integer NOT NULL CHECK (k >= 0),
    data          bytea NOT NULL,
    head          bytea NOT NULL CHECK (length(head) = 32),
    clock         jsonb NOT NULL,
    PRIMARY KEY (hand_id, k)
);
COMMENT ON COLUMN hand_events.clock IS
    'What the clocks say after the event; for recovery only, and not part of the record.';

-- One check a statement instead of a foreign key a row: it also sees to it that the hand runs and no k is missing.
CREATE FUNCTION hand_events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    -- Scalar subqueries, so that the plan is one look into an index a hand, however large the tables get.
    SELECT a.hand_id, a.first_k INTO wrong
    FROM (SELECT hand_id, min(k) AS first_k, max(k) AS last_k, count(*) AS row_count FROM added GROUP BY hand_id) AS a
    WHERE a.last_k - a.first_k + 1 <> a.row_count
       OR (SELECT h.status FROM hands AS h WHERE h.hand_id = a.hand_id) IS DISTINCT FROM 'open'
       OR (a.first_k > 0
           AND (SELECT e.k FROM hand_events AS e WHERE e.hand_id = a.hand_id AND e.k = a.first_k - 1) IS NULL)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'events from % on do not continue an open hand %', wrong.first_k, wrong.hand_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER hand_events_follow AFTER INSERT ON hand_events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION hand_events_follow();
"""

APPEND_ONLY_TABLES = ("signing_keys", "log_leaves", "log_nodes", "tree_heads", "hand_events")
MUTABLE_TABLES = ("log_size", "journal_nodes", "tables", "hands", "hand_players", "hand_contributions")

DOWN = """
DROP TABLE hand_events, hand_contributions, hand_players, hands, table_chairs, tables, journal_nodes,
    tree_heads, log_nodes, log_leaves, log_size, signing_keys;
DROP FUNCTION hand_events_follow, contributions_are_given_once, hands_end_once, tables_only_advance,
    log_leaves_have_no_gap, log_size_only_grows, refuse_change_of_record;
"""


def upgrade() -> None:
    run_sql(APPEND_ONLY)
    run_sql(SIGNED_LOG)
    run_sql(TABLES)
    run_sql(HANDS)
    for name in APPEND_ONLY_TABLES:
        run_sql(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {name}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();"
            f"REVOKE UPDATE, DELETE, TRUNCATE ON {name} FROM rummy_server;"
        )
    run_sql(f"REVOKE DELETE, TRUNCATE ON {', '.join(MUTABLE_TABLES)} FROM rummy_server;")


def downgrade() -> None:
    run_sql(DOWN)
