#!/usr/bin/env bash
# The servers that the tests of PostgreSQL and MySQL/MariaDB need, and the browser of the web chat's, from Debian's packages. Does nothing where they
# are there already; where it cannot install them it says what to do, and those suites are skipped.
set -euo pipefail

found() {
  command -v "$1" >/dev/null 2>&1 && return 0
  local folder
  for folder in /usr/lib/postgresql/*/bin /usr/sbin /usr/local/sbin; do
    [ -x "$folder/$1" ] && return 0
  done
  return 1
}

missing=()
{ found initdb && found postgres; } || missing+=(postgresql)
{ found mariadbd && found mariadb-install-db; } || missing+=(mariadb-server)
{ found chromium || found chromium-browser || found google-chrome; } || missing+=(chromium)
if [ "${#missing[@]}" -eq 0 ]; then
  echo 'PostgreSQL, MariaDB and Chromium are installed.'
  exit 0
fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "Not installed: ${missing[*]}. Without them their tests are skipped."
  echo "On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${missing[*]}"
  echo 'On macOS: brew install postgresql@15 mariadb; brew install --cask google-chrome'
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# The packages would start servers of their own at once; the tests start theirs.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get install -y -qq --no-install-recommends "${missing[@]}"
