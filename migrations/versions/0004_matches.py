"""Holds and settlements of matches beside those of hands: both are contests that tokens are staked on.

A hand's entries, its keys and its place in the chain stay as they are (docs/ledger.md).
"""

from importlib import import_module

from migrations.sql import run_sql

revision = "0004"
down_revision = "0006"
branch_labels = None
depends_on = None

TABLES = """
CREATE DOMAIN wallet.contest_kind AS text CHECK (VALUE IN ('hand', 'match'));

ALTER TABLE wallet.entries
    ADD COLUMN match_id uuid,
    DROP CONSTRAINT entries_belong,
    ADD CONSTRAINT entries_belong CHECK ((kind IN ('grant', 'adjust')) = (player_id IS NOT NULL)
                                         AND num_nonnulls(hand_id, match_id, player_id) = 1);

ALTER TABLE wallet.open_holds RENAME COLUMN hand_id TO contest_id;
ALTER TABLE wallet.open_holds ADD COLUMN contest_kind wallet.contest_kind NOT NULL DEFAULT 'hand';
ALTER TABLE wallet.open_holds
    ALTER COLUMN contest_kind DROP DEFAULT,
    DROP CONSTRAINT open_holds_pkey,
    ADD CONSTRAINT open_holds_pkey PRIMARY KEY (contest_id, contest_kind);
"""

FUNCTIONS = """
DROP FUNCTION wallet.lock_hands, wallet.read_ends, wallet.post;

-- How a contest stands in keys and in the chain: a hand by its bare id.
CREATE FUNCTION wallet.contest_key(kind text, id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE kind WHEN 'match' THEN 'match:' || id ELSE id::text END
$$;

-- Locks everybody who is held for in one of these contests, and these players besides: for a transaction that will call
-- several verbs, which would otherwise lock in several passes, and cross another that does the same.
CREATE FUNCTION wallet.lock_contests(kinds text[], ids uuid[], players uuid[], assets text[]) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    SELECT count(*) FROM (
        SELECT a.account_id
        FROM (SELECT w.player, w.asset FROM unnest(players, assets) w (player, asset)
              UNION
              SELECT u.player, h.asset
              FROM unnest(kinds, ids) c (kind, id)
              JOIN wallet.open_holds h ON h.contest_id = c.id AND h.contest_kind = c.kind
              CROSS JOIN unnest(h.player_ids) u (player)) w
        JOIN wallet.accounts a ON a.player_id = w.player AND a.asset = w.asset
        ORDER BY a.account_id
        FOR UPDATE OF a
    ) locked
$$;

-- What is known about these ends of contests, each by its key: the entry that carries it already, and the open hold.
CREATE FUNCTION wallet.read_ends(keys text[], kinds text[], ids uuid[])
RETURNS TABLE (key text, posted_as bigint, body_hash bytea, contest_kind text, contest_id uuid, table_id uuid,
               asset text, entry_id bigint, player_ids uuid[], amounts bigint[], at_ms bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    RETURN QUERY
        SELECT w.key, e.entry_id, e.body_hash::bytea,
               h.contest_kind::text, h.contest_id, h.table_id, h.asset::text, h.entry_id, h.player_ids, h.amounts,
               h.at_ms
        FROM unnest(keys, kinds, ids) w (key, kind, id)
        LEFT JOIN wallet.entries e ON e.key = w.key
        LEFT JOIN wallet.open_holds h ON h.contest_id = w.id AND h.contest_kind = w.kind;
END $$;

-- A hold whose key goes on after its contest's adds to a match's hold, which must still be open, in the same asset and
-- of the same table. As the first key is used once, what has ended is never held for again.
CREATE FUNCTION wallet.add_to_holds(
    keys text[], kinds text[], assets text[], contest_kinds text[], contest_ids uuid[], table_ids uuid[],
    players uuid[], line_entries int[], line_accounts int[], line_held bigint[]
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    later int[];
    added int;
BEGIN
    SELECT array_agg(n) INTO later FROM generate_series(1, cardinality(keys)) n
    WHERE kinds[n] = 'hold' AND keys[n] <> 'hold:' || wallet.contest_key(contest_kinds[n], contest_ids[n]);
    PERFORM FROM unnest(later) n
    WHERE contest_kinds[n] <> 'match'
       OR NOT starts_with(keys[n], 'hold:' || wallet.contest_key(contest_kinds[n], contest_ids[n]) || ':');
    IF FOUND THEN
        RAISE EXCEPTION 'a hold has the key of its contest, and only a match is held for twice'
            USING ERRCODE = 'check_violation';
    END IF;
    WITH more AS (
        SELECT contest_ids[l.entry] AS contest_id, assets[l.entry] AS asset, table_ids[l.entry] AS table_id,
               players[l.account] AS player_id, l.held AS amount
        FROM unnest(line_entries, line_accounts, line_held) l (entry, account, held) WHERE l.entry = ANY (later)
    ), sums AS (
        SELECT contest_id, player_id, sum(amount)::bigint AS amount
        FROM (SELECT contest_id, player_id, amount FROM more
              UNION ALL
              SELECT h.contest_id, u.player_id, u.amount
              FROM wallet.open_holds h, unnest(h.player_ids, h.amounts) u (player_id, amount)
              WHERE h.contest_kind = 'match' AND h.contest_id IN (SELECT m.contest_id FROM more m)) u
        GROUP BY contest_id, player_id
    ), wholes AS (
        SELECT contest_id, array_agg(player_id ORDER BY player_id) AS player_ids,
               array_agg(amount ORDER BY player_id) AS amounts
        FROM sums GROUP BY contest_id
    )
    UPDATE wallet.open_holds h SET player_ids = w.player_ids, amounts = w.amounts
    FROM wholes w
    WHERE h.contest_kind = 'match' AND h.contest_id = w.contest_id
      AND NOT EXISTS (SELECT FROM more m WHERE m.contest_id = h.contest_id
                                           AND (m.asset <> h.asset OR m.table_id <> h.table_id));
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added <> (SELECT count(DISTINCT contest_ids[n]) FROM unnest(later) n) THEN
        RAISE EXCEPTION 'the hold to add to has changed meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
END $$;

-- The one door to the journal. Entries come as arrays of equal length. So do the players' accounts that they touch, the
-- house's, and the lines, each naming its entry and its account by number from 1, the house's after the players'.
-- Answers the entry ids in order. Raises serialization_failure when a hold has changed since it was read: try again.
-- Few statements, because for one hand each costs more to start than to run.
CREATE FUNCTION wallet.post(
    keys text[], kinds text[], assets text[], body_hashes bytea[], reasons text[],
    contest_kinds text[], contest_ids uuid[], table_ids uuid[], player_ids uuid[], corrected bigint[], times bigint[],
    players uuid[], player_assets text[], house_kinds text[], house_assets text[],
    line_entries int[], line_accounts int[], line_available bigint[], line_held bigint[]
) RETURNS bigint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    chosen_shard smallint;
    account_ids bigint[];
    old_version bigint[];
    old_available bigint[];
    old_held bigint[];
    old_booked bigint[];
    house wallet.accounts;
    ended int;
    opened int;
    deleted int;
    head bytea;
    head_position bigint;
    ids bigint[] := '{}';
    hashes bytea[] := '{}';
    lines text[];
    holds_wrongly boolean;
BEGIN
    IF array_position(times, NULL) IS NOT NULL THEN  -- a caller without a clock goes by the database's
        times := ARRAY(SELECT coalesce(t.at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                       FROM unnest(times) WITH ORDINALITY t (at, n) ORDER BY t.n);
    END IF;

    -- The players first, and the shard late: whoever has a shard waits for nobody's account any more.
    SELECT array_agg(a.account_id ORDER BY a.n), array_agg(a.version ORDER BY a.n),
           array_agg(a.available ORDER BY a.n), array_agg(a.held ORDER BY a.n), array_agg(a.booked_ms ORDER BY a.n)
    INTO account_ids, old_version, old_available, old_held, old_booked
    FROM (
        SELECT w.n, a.account_id, a.version, a.available, a.held, a.booked_ms
        FROM unnest(players, player_assets) WITH ORDINALITY w (player, asset, n)
        JOIN wallet.accounts a ON a.player_id = w.player AND a.asset = w.asset
        ORDER BY a.account_id
        FOR UPDATE OF a
    ) a;
    IF cardinality(account_ids) IS DISTINCT FROM cardinality(players) THEN
        RAISE EXCEPTION 'a line names an account that does not exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    chosen_shard := wallet.take_shard();
    FOR n IN 1..cardinality(house_kinds) LOOP
        SELECT * INTO STRICT house FROM wallet.accounts a
        WHERE a.player_id = '00000000-0000-0000-0000-000000000000' AND a.asset = house_assets[n]
          AND a.kind = house_kinds[n] AND a.shard = chosen_shard;
        account_ids := account_ids || house.account_id;
        old_version := old_version || house.version;
        old_available := old_available || house.available;
        old_held := old_held || house.held;
        old_booked := old_booked || house.booked_ms;
    END LOOP;
    SELECT e.position, e.hash INTO head_position, head
    FROM wallet.entries e WHERE e.shard = chosen_shard ORDER BY e.position DESC LIMIT 1;
    IF head IS NULL THEN
        head_position := 0;
        head := sha256(convert_to('rummy-ledger/1 shard ' || chosen_shard, 'UTF8'));
    END IF;

    -- What ends a hand or match must give back exactly what was held for it. Before anything else moves: who lost the
    -- race for an end must hear that, and not that an account went below zero.
    ended := cardinality(array_positions(kinds, 'settle')) + cardinality(array_positions(kinds, 'release'));
    IF ended > 0 THEN
        WITH given_back AS (
            SELECT contest_ids[l.entry] AS id, contest_kinds[l.entry] AS kind, assets[l.entry] AS asset,
                   array_agg(players[l.account] ORDER BY players[l.account]) AS player_ids,
                   array_agg(-l.held ORDER BY players[l.account]) AS amounts
            FROM unnest(line_entries, line_accounts, line_held) l (entry, account, held)
            WHERE l.held < 0
            GROUP BY l.entry
        )
        DELETE FROM wallet.open_holds h USING given_back g
        WHERE h.contest_id = g.id AND h.contest_kind = g.kind AND h.asset = g.asset
          AND h.player_ids = g.player_ids AND h.amounts = g.amounts;
        GET DIAGNOSTICS deleted = ROW_COUNT;
        IF deleted <> ended THEN
            RAISE EXCEPTION 'what is held has changed meanwhile' USING ERRCODE = 'serialization_failure';
        END IF;
    END IF;

    -- Numbers are drawn after the locks, so that along each account entry ids rise as versions do.
    FOR n IN 1..cardinality(keys) LOOP
        ids := ids || nextval('wallet.entries_entry_id_seq');
    END LOOP;

    WITH new AS (
        INSERT INTO wallet.postings
        SELECT ids[l.entry], account_ids[l.account], old_version[l.account] + row_number() OVER line,
               l.available, l.held,
               (old_available[l.account] + sum(l.available) OVER line)::bigint,
               (old_held[l.account] + sum(l.held) OVER line)::bigint,
               greatest(old_booked[l.account], max(times[l.entry]) OVER line)
        FROM unnest(line_entries, line_accounts, line_available, line_held) l (entry, account, available, held)
        WINDOW line AS (PARTITION BY l.account ORDER BY l.entry)
        RETURNING *
    ), moved AS (
        UPDATE wallet.accounts a
        SET available = p.available_after, held = p.held_after, version = p.version, booked_ms = p.booked_ms
        FROM (SELECT DISTINCT ON (account_id) * FROM new ORDER BY account_id, version DESC) p
        WHERE a.account_id = p.account_id
    )
    SELECT array_agg(e.lines ORDER BY e.entry_id), bool_or(e.holds_wrongly) INTO lines, holds_wrongly
    FROM (
        SELECT entry_id, string_agg(concat_ws(
                   ':', coalesce(players[w.account]::text, house_kinds[w.account - cardinality(players)]), account_id,
                   version, available_change, held_change, available_after, held_after, booked_ms
               ), ',' ORDER BY account_id) AS lines,
               bool_or(CASE w.kind WHEN 'hold' THEN held_change < 0 WHEN 'settle' THEN held_change > 0
                                   WHEN 'release' THEN held_change > 0 ELSE held_change <> 0 END) AS holds_wrongly
        FROM new CROSS JOIN LATERAL (SELECT array_position(account_ids, account_id) AS account,
                                            kinds[array_position(ids, entry_id)] AS kind) w
        GROUP BY entry_id
    ) e;
    IF holds_wrongly THEN
        RAISE EXCEPTION 'a hold takes, the end of a contest gives back, and nothing else moves what is held'
            USING ERRCODE = 'check_violation';
    END IF;
    IF cardinality(lines) IS DISTINCT FROM cardinality(keys) THEN
        RAISE EXCEPTION 'an entry has no lines' USING ERRCODE = 'check_violation';
    END IF;

    FOR n IN 1..cardinality(keys) LOOP
        head := sha256(head || convert_to(json_build_array(
            'rummy-ledger/1', chosen_shard, head_position + n, ids[n], keys[n], kinds[n], assets[n],
            encode(body_hashes[n], 'hex'), reasons[n],
            wallet.contest_key(contest_kinds[n], contest_ids[n]), table_ids[n], player_ids[n], corrected[n], times[n],
            lines[n])::text, 'UTF8'));
        hashes := hashes || head;
    END LOOP;

    INSERT INTO wallet.entries (entry_id, shard, position, key, kind, asset, body_hash, reason, hand_id, match_id,
                                table_id, player_id, corrects, at_ms, hash)
    SELECT ids[n], chosen_shard, head_position + n, keys[n], kinds[n], assets[n], body_hashes[n], reasons[n],
           CASE contest_kinds[n] WHEN 'hand' THEN contest_ids[n] END,
           CASE contest_kinds[n] WHEN 'match' THEN contest_ids[n] END,
           table_ids[n], player_ids[n], corrected[n], times[n], hashes[n]
    FROM generate_series(1, cardinality(keys)) n;

    IF 'hold' = ANY (kinds) THEN  -- holds follow their lines
        INSERT INTO wallet.open_holds (contest_kind, contest_id, table_id, asset, entry_id, player_ids, amounts, at_ms)
        SELECT contest_kinds[l.entry], contest_ids[l.entry], table_ids[l.entry], assets[l.entry], ids[l.entry],
               array_agg(players[l.account] ORDER BY players[l.account]),
               array_agg(l.held ORDER BY players[l.account]), times[l.entry]
        FROM unnest(line_entries, line_accounts, line_held) l (entry, account, held)
        WHERE l.held > 0 AND keys[l.entry] = 'hold:' || wallet.contest_key(contest_kinds[l.entry], contest_ids[l.entry])
        GROUP BY l.entry;
        GET DIAGNOSTICS opened = ROW_COUNT;
        IF opened < cardinality(array_positions(kinds, 'hold')) THEN
            PERFORM wallet.add_to_holds(keys, kinds, assets, contest_kinds, contest_ids, table_ids, players,
                                        line_entries, line_accounts, line_held);
        END IF;
    END IF;
    IF 'adjust' = ANY (kinds) THEN
        PERFORM FROM unnest(keys, kinds) e (key, kind)
        WHERE e.kind = 'adjust' AND NOT EXISTS (
            SELECT FROM wallet.adjustment_decisions d WHERE e.key = 'adjust:' || d.adjustment_id AND d.approved);
        IF FOUND THEN
            RAISE EXCEPTION 'an adjustment needs the approval of a second operator' USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    RETURN ids;
END $$;
"""

RIGHTS = """
REVOKE ALL ON FUNCTION wallet.contest_key, wallet.lock_contests, wallet.read_ends, wallet.add_to_holds, wallet.post
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wallet.lock_contests, wallet.read_ends, wallet.post TO rummy_server;
"""

BACK = """
DO $$
BEGIN
    IF EXISTS (SELECT FROM wallet.entries WHERE match_id IS NOT NULL) THEN
        RAISE EXCEPTION 'the journal has entries of matches, which the schema before knows nothing of';
    END IF;
END $$;
DROP FUNCTION wallet.lock_contests, wallet.read_ends, wallet.post, wallet.add_to_holds, wallet.contest_key;
ALTER TABLE wallet.open_holds DROP CONSTRAINT open_holds_pkey;
ALTER TABLE wallet.open_holds DROP COLUMN contest_kind;
ALTER TABLE wallet.open_holds RENAME COLUMN contest_id TO hand_id;
ALTER TABLE wallet.open_holds ADD CONSTRAINT open_holds_pkey PRIMARY KEY (hand_id);
ALTER TABLE wallet.entries
    DROP CONSTRAINT entries_belong,
    DROP COLUMN match_id,
    ADD CONSTRAINT entries_belong CHECK ((kind IN ('grant', 'adjust')) = (hand_id IS NULL)
                                         AND (hand_id IS NULL) = (player_id IS NOT NULL));
DROP DOMAIN wallet.contest_kind;
DROP FUNCTION wallet.lock_accounts, wallet.take_shard;
"""


def upgrade() -> None:
    for script in (TABLES, FUNCTIONS, RIGHTS):
        run_sql(script)


def downgrade() -> None:
    first = import_module("migrations.versions.0001_wallet")
    run_sql(BACK)
    run_sql(first.FUNCTIONS)
    run_sql(first.RIGHTS)
