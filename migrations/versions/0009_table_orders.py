"""What operators want of open tables once nothing runs there; and an index by closing that answers figures alone."""

from migrations.sql import run_sql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

UP = """
CREATE TABLE table_orders (
    table_id      uuid PRIMARY KEY REFERENCES tables,
    closing       boolean NOT NULL,
    rate          bigint CHECK (rate > 0),
    commission_bp integer CHECK (commission_bp BETWEEN 0 AND 10000)
);
COMMENT ON TABLE table_orders IS 'rate, commission_bp: of coming hands or matches; null: as it is.';
REVOKE DELETE, TRUNCATE ON table_orders FROM rummy_server;

DROP INDEX hands_by_closing;
CREATE INDEX hands_by_closing ON hands (closed_ms, hand_id) INCLUDE (opened_ms, asset, outcome, table_id, rate)
    WHERE status = 'closed';
"""

DOWN = """
DROP INDEX hands_by_closing;
CREATE INDEX hands_by_closing ON hands (closed_ms, hand_id) WHERE status = 'closed';
DROP TABLE table_orders;
"""


def upgrade() -> None:
    run_sql(UP)


def downgrade() -> None:
    run_sql(DOWN)
