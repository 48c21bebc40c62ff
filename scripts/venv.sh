#!/bin/sh
# Make the virtual environment, or say in one line what is missing.
# usage: scripts/venv.sh PYTHON VENV
set -eu
python=$1
venv=$2
if [ -z "$python" ] || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Python 3.11 or newer is needed; install it (Debian: apt-get install python3 python3-venv) or set PYTHON=." >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "Python's venv module is missing; install it (Debian: apt-get install python3-venv)." >&2
    exit 1
fi
echo "environment: creating $venv"
"$python" -m venv "$venv"
