"""Running a script of several statements: asyncpg prepares one statement at a time, and our SQL comes in pages."""

from alembic import op
from sqlalchemy.util import await_only


def run_sql(script: str) -> None:
    """Run every statement of the script in the migration's transaction, over the driver's simple protocol."""
    connection = op.get_bind()
    connection.exec_driver_sql("SELECT 1")  # the adapter opens its transaction with the first statement it sees
    driver = connection.connection.driver_connection
    assert driver is not None, "a migration runs over an open connection"
    await_only(driver.execute(script))
