"""`python -m server COMMAND`: serving, and what a host does besides. Settings: RUMMY_* (server/settings.py)."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError

from server import backup, keys_command, seed_command, staff_command
from server.database import migrate
from server.eventlog.failure import words_for
from server.house_folder import FolderInUse
from server.keys_command import NoKeys
from server.serve import CannotServe, serve
from server.settings import Settings
from server.staff_command import StaffRefused
from wallet.database_url import NoDatabase

_KEYS: Final = {"show": keys_command.show, "rotate": keys_command.rotate, "retire": keys_command.retire}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m server", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="migrate and serve, with an embedded PostgreSQL unless DATABASE_URL names one")
    commands.add_parser("migrate", help="bring the schema of DATABASE_URL up to date")
    staff_command.add_arguments(
        commands.add_parser("operator", help="who works at the desk", description=staff_command.DESCRIPTION)
    )
    keys = commands.add_parser("keys", help="show the house's keys, make new ones, or forget old ones")
    keys.add_argument("act", nargs="?", choices=list(_KEYS), default="show")
    seed_command.add_arguments(
        commands.add_parser(
            "seed-history", help="fill an empty house with played hands", description=seed_command.__doc__
        )
    )
    backing_up = commands.add_parser("backup", help="write the whole database to a file; the house may run meanwhile")
    restoring = commands.add_parser("restore", help="fill an empty database, or an empty data folder, from such a file")
    for each in (backing_up, restoring):
        each.add_argument("file", type=Path)
    arguments = parser.parse_args()
    command: str = arguments.command
    try:
        settings = Settings()
    except ValidationError as fault:
        for wrong in fault.errors():
            print(f"RUMMY_{'_'.join(str(part) for part in wrong['loc']).upper()}: {wrong['msg']}", file=sys.stderr)
        return 2
    if command == "migrate":
        if settings.database_url is None:
            print("DATABASE_URL is not set: name the PostgreSQL to migrate", file=sys.stderr)
            return 2
        asyncio.run(migrate(settings.database_url))
        return 0
    if command == "operator":
        try:
            print(staff_command.run(arguments, settings))
        except (StaffRefused, NoDatabase) as reason:
            print(reason, file=sys.stderr)
            return 1
        except (DBAPIError, OSError) as fault:
            print(f"the database can't be used: {words_for(fault)}", file=sys.stderr)
            return 1
        return 0
    try:
        if command == "seed-history":
            print(seed_command.run(arguments, settings))
        elif command == "keys":
            _KEYS[arguments.act](settings)
        elif command == "backup":
            print(backup.back_up(arguments.file, settings))
        elif command == "restore":
            print(backup.restore(arguments.file, settings))
        else:
            serve(settings)
    except (
        CannotServe,
        FolderInUse,
        NoKeys,
        NoDatabase,
        backup.CannotBackUp,
        seed_command.CannotSeed,
    ) as reason:
        print(reason, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
