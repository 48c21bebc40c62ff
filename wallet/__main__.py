"""The ledger on the command line: check it, read a statement, see the trial balance, export the journal.

    python -m wallet check [--heads FILE]
    python -m wallet statement PLAYER_ID [--asset HT|PT] [--csv] [--lines N]
    python -m wallet trial-balance [--csv]
    python -m wallet export [--out FILE]

The database is --database-url, else DATABASE_URL, else the embedded one of a house that runs on this machine
(RUMMY_DATA_DIR, default ./data). Everything here only reads. Exit 0: all is well; 1: the ledger does not hold;
2: the command could not be run.
"""

import argparse
import asyncio
import csv
import json
import sys
from pathlib import Path
from uuid import UUID

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from wallet.accounts import UNITS_PER_TOKEN, Asset
from wallet.check import NO_HEADS, Heads, check
from wallet.database_url import NoDatabase, find_database_url
from wallet.export import export_journal, export_statement
from wallet.statement import MAX_PAGE, has_accounts, statement, trial_balance

OK, DOES_NOT_HOLD, COULD_NOT_RUN = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        return asyncio.run(_run(find_database_url(given.database_url), given))
    except NoDatabase as error:
        print(error, file=sys.stderr)
    except (OSError, SQLAlchemyError) as error:
        print(f"the database does not answer: {_first_line(error)}", file=sys.stderr)
    return COULD_NOT_RUN


async def _run(url: URL, given: argparse.Namespace) -> int:
    engine = create_async_engine(url, poolclass=NullPool, execution_options={"postgresql_readonly": True})
    try:
        async with engine.connect() as connection:
            match given.command:
                case "check":
                    return await _check(connection, given.heads)
                case "statement":
                    return await _statement(connection, given)
                case "trial-balance":
                    return await _trial_balance(connection, given.csv)
                case _:
                    return await _export(connection, given.out)
    finally:
        await engine.dispose()


async def _check(connection: AsyncConnection, heads_file: Path | None) -> int:
    report = await check(connection, _read_heads(heads_file))
    for finding in report.findings:
        print(f"{finding.code}: {finding.words}")
    if report.findings:
        print(f"the ledger does not hold: {len(report.findings)} findings", file=sys.stderr)
        return DOES_NOT_HOLD
    _keep_heads(heads_file, report.heads)
    print(f"the ledger holds: {report.entries} entries, {report.postings} postings, {len(report.heads.at)} chains")
    return OK


async def _statement(connection: AsyncConnection, given: argparse.Namespace) -> int:
    if not await has_accounts(connection, given.player_id):
        print(f"nobody with the id {given.player_id} has an account", file=sys.stderr)
        return COULD_NOT_RUN
    if given.csv:
        await export_statement(connection, given.player_id, given.asset, sys.stdout)
        return OK
    page = await statement(connection, given.player_id, given.asset, limit=given.lines)
    print(f"{'entry':>9} {'at_ms':>14} {'kind':8} {'available':>14} {'held':>14} {'has':>14} {'held now':>14}  reason")
    for line in page.lines:
        amounts = (line.available_change, line.held_change, *line.after)
        columns = " ".join(f"{_tokens(amount):>14}" for amount in amounts)
        print(f"{line.entry_id:>9} {line.at_ms:>14} {line.kind:8} {columns}  {line.reason}")
    if page.older is not None:
        print("older entries follow: --lines for more, --csv for all", file=sys.stderr)
    return OK


async def _trial_balance(connection: AsyncConnection, as_csv: bool) -> int:
    rows = await trial_balance(connection)
    totals = {asset: sum(row.balance for row in rows if row.asset is asset) for asset in Asset}
    if as_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(("asset", "side", "accounts", "balance"))
        writer.writerows(rows)
    else:
        for row in rows:
            print(f"{row.asset}  {row.side:12} {row.accounts:>9} accounts {_tokens(row.balance):>22}")
        for asset, total in totals.items():
            print(f"{asset}  {'total':12} {'':>18} {_tokens(total):>22}")
    return OK if not any(totals.values()) else DOES_NOT_HOLD


async def _export(connection: AsyncConnection, out: Path | None) -> int:
    if out is None:
        await export_journal(connection, sys.stdout)
        return OK
    with out.open("w", encoding="utf-8", newline="") as file:
        count = await export_journal(connection, file)
    print(f"{count} lines written to {out}", file=sys.stderr)
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m wallet", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database-url", help="a postgresql:// address")
    commands = parser.add_subparsers(dest="command", required=True)
    prove = commands.add_parser("check", help="prove that the ledger holds")
    prove.add_argument(
        "--heads", type=Path, help="keep the chains' heads in this file; those kept before must still be there"
    )
    read = commands.add_parser("statement", help="what happened to one player's tokens")
    read.add_argument("player_id", type=UUID)
    read.add_argument("--asset", type=Asset, default=Asset.HT, choices=list(Asset))
    read.add_argument("--lines", type=_page_size, default=50, help=f"how many entries, at most {MAX_PAGE}")
    read.add_argument("--csv", action="store_true", help="all of it, as CSV")
    totals = commands.add_parser("trial-balance", help="the total of every kind of account")
    totals.add_argument("--csv", action="store_true")
    export = commands.add_parser("export", help="the whole journal as CSV")
    export.add_argument("--out", type=Path)
    return parser


def _page_size(written: str) -> int:
    size = int(written)
    if not 1 <= size <= MAX_PAGE:
        raise argparse.ArgumentTypeError(f"allowed are 1 to {MAX_PAGE}; --csv gives all")
    return size


def _read_heads(file: Path | None) -> Heads:
    if file is None or not file.exists():
        return NO_HEADS
    kept = json.loads(file.read_text("utf-8"))
    return Heads({int(shard): (position, digest) for shard, (position, digest) in kept.items()})


def _keep_heads(file: Path | None, heads: Heads) -> None:
    if file is not None:
        file.write_text(json.dumps({str(shard): head for shard, head in heads.at.items()}) + "\n", "utf-8")


def _tokens(units: int) -> str:
    sign = "-" if units < 0 else ""
    whole, part = divmod(abs(units), UNITS_PER_TOKEN)
    return f"{sign}{whole}.{part:02}"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
