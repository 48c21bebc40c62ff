#!/bin/sh
# Install this project and what it names into the environment; quiet unless it fails.
# usage: scripts/install.sh PYTHON REQUIREMENT
set -eu
python=$1
requirement=$2
echo "environment: installing $requirement (a minute or two the first time)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$python" -m pip install --disable-pip-version-check --quiet --editable "$requirement" >"$log" 2>&1; then
    cat "$log" >&2
    echo "The packages could not be installed; see above." >&2
    exit 1
fi
