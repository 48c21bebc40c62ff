#!/bin/sh
# Print the path of a Chromium for the browser tests, installing one where there is none.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

find_chromium() {
    for name in "${RUMMY_CHROMIUM:-}" chromium chromium-browser google-chrome-stable; do
        if [ -n "$name" ] && command -v "$name"; then return 0; fi
    done
    return 1
}

find_chromium && exit 0

echo "browser tests: installing Chromium" >&2
if command -v apt-get >/dev/null; then
    become=""
    [ "$(id -u)" = 0 ] || become="sudo -n"
    { $become apt-get update -q && DEBIAN_FRONTEND=noninteractive $become apt-get install -y -q chromium; } >/dev/null 2>&1 || true
    find_chromium && exit 0
fi

# Elsewhere: a Chromium that ships inside an npm package.
holder="$root/.venv/chromium"
mkdir -p "$holder"
if "$root/scripts/npm.sh" install --prefix "$holder" --no-audit --no-fund --silent @sparticuz/chromium >&2; then
    PATH="$root/.venv/bin:$PATH"
    cd "$holder" && node --input-type=module -e \
        'import c from "@sparticuz/chromium"; console.log(await c.executablePath())' && exit 0
fi
echo "The browser tests need Chromium: install the package chromium (Debian) or set RUMMY_CHROMIUM to its path." >&2
exit 1
