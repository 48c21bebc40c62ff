"""The ledger, and the role that the running server acts as."""

from migrations.sql import run_sql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SERVER_ROLE = """
DO $$
BEGIN
    CREATE ROLE rummy_server NOLOGIN;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;  -- roles belong to the cluster: another database made it
    WHEN insufficient_privilege THEN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rummy_server') THEN
            RAISE EXCEPTION '% may not create roles: ask an administrator for CREATE ROLE rummy_server; '
                'GRANT rummy_server TO %', current_user, current_user;
        END IF;
END $$;

DO $$
BEGIN
    IF NOT pg_has_role(current_user, 'rummy_server', 'SET') THEN
        EXECUTE format('GRANT rummy_server TO %I WITH SET TRUE', current_user);
    END IF;
END $$;

GRANT USAGE ON SCHEMA public TO rummy_server;
-- What later migrations create is the server's to use; each takes back what the server may not do.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO rummy_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO rummy_server;
"""

# The role stays: it belongs to the cluster, and another database may use it.
TAKE_BACK = """
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM rummy_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM rummy_server;
REVOKE USAGE ON SCHEMA public FROM rummy_server;
"""


def upgrade() -> None:
    run_sql(SERVER_ROLE)


def downgrade() -> None:
    run_sql(TAKE_BACK)
